"""Random formulas and random games, well-formed by construction.

``numbers``, ``conditions`` and ``fractions`` give trees over given names with every kind of node, which call
``FUNCTIONS``; ``automata`` gives automata over digits. ``game_files`` gives ruleset files, ``random_instances`` small instances for solvers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from hypothesis import note
from hypothesis import strategies as st

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.games import Instance, make_instance, parse_ruleset
from grundylab.language import Expr, Function, Functions, parse
from grundylab.language.syntax import (
    COMPARISONS,
    Accepts,
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    If,
    Int,
    Logic,
    Name,
    Not,
    negative,
)

Trees = st.SearchStrategy[Expr]

# -- formulas --------------------------------------------------------------------------------------

PARAMETER = "m"
NAMES = ("x", "y", "z", PARAMETER)
# Some clash with NAMES and with the arguments and bound variables of FUNCTIONS, but never with the parameter.
BOUND = ("n", "k", "x")

FUNCTIONS = Functions(
    (
        Function("half", ("z",), parse("floor((z + m)/2)")),
        Function("cases", ("x", "y"), parse("x - y if x > y else 7 if x == y else half(y) - x")),
        Function("total", ("n",), parse("sum(min(n, k) ^ k for k in range(n - 2, n + 2))")),
        Function("near", ("y", "n"), parse("1 if any(y == n + k for k in range(0, 3)) else 0")),
        Function("fib", ("n",), parse("fib(n - 1) + fib(n - 2)"), ((0, 0), (1, 1))),
        Function("walk", ("n",), parse("m if n % 5 == 0 else walk(n - n % 5) ^ n")),
        Function("patched", ("z",), parse("z * z - m"), ((2, 7),)),
    ),
    (PARAMETER,),
)
_PLAIN_CALLS = tuple((f.name, len(f.arguments)) for f in FUNCTIONS if not (f.recursive or f.initial))
_RECURRENCES = tuple(f.name for f in FUNCTIONS if f.recursive or f.initial)

SMALL = st.integers(-6, 20)
LARGE = st.sampled_from([2**31, -(2**31), 2**62, -(2**62), 2**63 - 1, -(2**63), 10**18])
HUGE = st.sampled_from([2**63, 2**64, -(2**63) - 1, -(2**70), 3**50])


@cache
def numbers(names: tuple[str, ...] = NAMES, depth: int = 3, calls: bool = True) -> Trees:
    """NUMBERs over the names; with ``calls`` also of FUNCTIONS."""
    constants = st.builds(Int, SMALL | st.sampled_from([63, 64, 10**9, 2**40]))
    leaves = st.builds(Name, st.sampled_from(names)) | constants
    if depth == 0:
        return leaves
    number, condition = numbers(names, depth - 1, calls), conditions(names, depth - 1, calls)
    fraction = fractions(names, depth - 1, calls)
    shift = (
        st.builds(Int, st.integers(0, 70)) | st.builds(Binary, st.just("%"), leaves, st.just(Int(9))) | number
    )
    kinds = [
        leaves,
        st.builds(negative, number),
        st.builds(Binary, st.sampled_from("+-*"), number, number),
        st.builds(Binary, st.sampled_from("^&|"), number, number),
        st.builds(Binary, st.sampled_from(["//", "%"]), number, number),
        st.builds(Binary, st.sampled_from(["<<", ">>"]), number, shift),
        st.builds(If, condition, number, number),
        _called(("min", "max"), st.lists(number, min_size=2, max_size=3)),
        _called(("abs", "isqrt", "floor_log2"), st.tuples(number)),
        _called(("floor", "ceil"), st.tuples(fraction | number)),
        _bounded("sum", names, depth, calls),
    ]
    if calls:
        small = st.builds(
            Binary, st.just("-"), st.builds(Binary, st.just("%"), number, st.just(Int(15))), constants
        )
        kinds += [_called((name,), st.tuples(*[number] * count)) for name, count in _PLAIN_CALLS]
        kinds += [_called(_RECURRENCES, st.tuples(st.builds(Binary, st.just("%"), small, st.just(Int(17)))))]
    return st.one_of(kinds)


@cache
def conditions(names: tuple[str, ...] = NAMES, depth: int = 3, calls: bool = True) -> Trees:
    """CONDITIONs over the names."""
    if depth == 0:
        return st.builds(Bool, st.booleans()) | _compared(numbers(names, 0, calls))
    number, condition = numbers(names, depth - 1, calls), conditions(names, depth - 1, calls)
    return st.one_of(
        _compared(number),
        st.builds(Not, condition),
        st.builds(
            Logic, st.sampled_from(["and", "or"]), st.lists(condition, min_size=2, max_size=3).map(tuple)
        ),
        st.builds(If, condition, condition, condition),
        _called(("is_power_of_two",), st.tuples(number)),
        accepted(number),
        _bounded("any", names, depth, calls),
        _bounded("all", names, depth, calls),
    )


@cache
def fractions(names: tuple[str, ...] = NAMES, depth: int = 2, calls: bool = True) -> Trees:
    """RATIOs over the names."""
    number = numbers(names, max(depth - 1, 0), calls)
    simple = st.builds(Binary, st.just("/"), number, number)
    if depth == 0:
        return simple
    ratio = fractions(names, depth - 1, calls)
    operator = st.sampled_from("+-*/")
    return st.one_of(
        simple,
        st.builds(negative, ratio),
        st.builds(Binary, operator, ratio, number),
        st.builds(Binary, operator, number, ratio),
        st.builds(Binary, operator, ratio, ratio),
    )


def formulas(names: tuple[str, ...] = NAMES, depth: int = 3, calls: bool = True) -> Trees:
    """NUMBERs and CONDITIONs."""
    return numbers(names, depth, calls) | conditions(names, depth, calls)


def environments(names: tuple[str, ...] = NAMES, huge: bool = False) -> st.SearchStrategy[dict[str, int]]:
    """A value for each name: small ones, ones at the edge of 64 bits, and with ``huge`` ones beyond."""
    value = SMALL | SMALL | LARGE
    return st.fixed_dictionaries(dict.fromkeys(names, value | HUGE if huge else value))


@st.composite
def automata(draw: st.DrawFn, arity: int, most: int = 4) -> DigitAutomaton:
    """Automata of at most so many states (and DEAD) over the digits of ``arity`` numbers."""
    count = draw(st.integers(1, most))
    target = st.integers(DEAD, count - 1)
    rows = draw(st.lists(st.tuples(*[target] * (1 << arity)), min_size=count, max_size=count))
    accepting = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return DigitAutomaton(tuple(rows), closed_under_zeros(rows, accepting))


def closed_under_zeros(rows: list[tuple[int, ...]], accepting: list[bool]) -> tuple[bool, ...]:
    """For each state whether the least of those states accepts that zeros lead to over and over."""

    def ends(state: int) -> bool:
        path: list[int] = []
        while state not in path and state != DEAD:
            path.append(state)
            state = rows[state][0]
        return state != DEAD and accepting[min(path[path.index(state) :])]

    return tuple(map(ends, range(len(rows))))


@st.composite
def accepted(draw: st.DrawFn, number: Trees) -> Expr:
    arity = draw(st.integers(1, 3))
    return Accepts(draw(automata(arity)), tuple(draw(number) for _ in range(arity)))


def _called(names: tuple[str, ...], arguments: st.SearchStrategy) -> Trees:
    return st.builds(Call, st.sampled_from(names), arguments.map(tuple))


@st.composite
def _compared(draw: st.DrawFn, number: Trees) -> Expr:
    ops = draw(st.lists(st.sampled_from(COMPARISONS), min_size=1, max_size=2))
    return Compare(tuple(ops), tuple(draw(number) for _ in range(len(ops) + 1)))


@st.composite
def _bounded(draw: st.DrawFn, quantifier: str, names: tuple[str, ...], depth: int, calls: bool) -> Expr:
    """A short span from anywhere, so that no reader needs long for it."""
    variable = draw(st.sampled_from(BOUND))
    start = draw(numbers(names, depth - 1, calls))
    stop = Binary("+", start, draw(st.builds(Int, st.integers(-1, 5))))
    inside = tuple(dict.fromkeys((*names, variable)))
    body = draw((numbers if quantifier == "sum" else conditions)(inside, depth - 1, calls))
    return Bounded(quantifier, variable, start, stop, body)


# -- games -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameFile:
    """A ruleset's YAML text, with parameters and bounds that make a small instance of it."""

    text: str
    parameters: dict[str, int] = field(default_factory=dict)
    bounds: dict[str, int] = field(default_factory=dict)

    def instance(self) -> Instance:
        return make_instance(parse_ruleset(self.text, "random"), self.parameters, self.bounds)

    def report(self, command: str = "solve") -> str:
        """What a failure prints: a file that can be saved as it stands, with the command that runs it."""
        given = [f"--param {name}={value}" for name, value in self.parameters.items()]
        given += [f"--bound {name}={value}" for name, value in self.bounds.items()]
        return f"# grundylab {command} random.yaml {' '.join(given)}\n{self.text}# end of random.yaml"


MAX_CELLS = 400


def random_instances(legal: bool = False) -> st.SearchStrategy[Instance]:
    """Instances of at most MAX_CELLS cells; unless ``legal``, some with a move that leaves or loops."""

    @st.composite
    def instances(draw: st.DrawFn) -> Instance:
        file = draw(game_files(legal))
        note(file.report())
        return file.instance()

    return instances().filter(lambda instance: instance.cells <= MAX_CELLS)


def game_files(legal: bool = False) -> st.SearchStrategy[GameFile]:
    """Ruleset files: piles, chocolate-like spaces with dependent ranges, games that split."""
    return _pile_games() | _general_games(legal) | _general_games(legal) | _splitting_games(legal)


def _maybe(draw: st.DrawFn, chance: int = 2) -> bool:
    """True once in ``chance``."""
    return draw(st.integers(1, chance)) == chance


def _file(lines: list[str], draw: st.DrawFn, bound: int) -> GameFile:
    """The file; the parameter and the functions are declared where the lines use them."""
    text = "\n".join(["title: random", *lines])
    head = []
    if "h(" in text:
        shape = draw(st.sampled_from(["floor((a + m)/2)", "min(a, m + 1)", "recurrence"]))
        if shape == "recurrence":
            shape = "{recurrence: h(a - 1) + a % m, initial: {0: 1}}"
        head.append(f"functions:\n  h(a): {shape}")
    parameters = {}
    if re.search(r"\bm\b", text) or head:
        head.append("parameters: {m: m >= 1}")
        parameters["m"] = draw(st.integers(1, 5))
    bounds = {"N": bound} if re.search(r"\bN\b", text) else {}
    return GameFile("\n".join([text, *head]) + "\n", parameters, bounds)


def _modifiers(draw: st.DrawFn, names: list[str], measure: bool) -> list[str]:
    """Misère play, a pass, a measure, each now and then."""
    lines = []
    total = " + ".join(names)
    if _maybe(draw, 4):
        lines.append("play: misere")
    if _maybe(draw, 3):
        condition = draw(
            st.sampled_from(["True", f"{total} >= m", f"{names[0]} % 2 == 1", f"{names[-1]} > 0"])
        )
        lines.append(f"pass: {{when: {condition}}}")
    if measure and _maybe(draw, 3):
        weights = [draw(st.integers(1, 3)) for _ in names]
        lines.append("measure: " + " + ".join(f"{w}*{n}" for w, n in zip(weights, names, strict=True)))
    return lines


@st.composite
def _pile_games(draw: st.DrawFn) -> GameFile:
    """Nim with restrictions; every position of the box is legal."""
    piles = draw(st.integers(1, 3))
    bound = draw(st.integers(1, {1: 30, 2: 9, 3: 4}[piles]))
    names = ["x", "y", "z"][:piles]
    takes = ["t", "t", "1..min(x, m)", "1..ceil(x/2)", "m..x", "1..min(x, h(x))", "1..x - 1"]
    guards = ["", "", ", when: t % 2 == 1", ", when: t <= m or x ^ ... == 0", ", when: is_power_of_two(t)"]
    guards += [
        """, when: 'accepts("+0,1 -1,0", x - t)'""",
        """, when: 'accepts("-0,0,1,0 +1,,1,1", x, t - m)'""",
    ]
    moves = []
    for _ in range(draw(st.integers(1, 2))):
        take = draw(st.sampled_from(takes))
        guard = draw(st.sampled_from(guards))
        moves.append(f'  - {{take: "{take}", from: x{guard}}}')
    if piles > 1 and _maybe(draw):
        to = draw(
            st.sampled_from(["{x: x - t, y: y - t}", "{x: x - t, y: t - 1}", '{x: x - t, y: "min(x, y)"}'])
        )
        moves.append(f'  - {{name: two piles, for: {{t: "1..min(x, y)"}}, to: {to}}}')
    lines = [
        f"piles: {piles}",
        "position: {x: 0..N}",
        "moves:",
        *moves,
        *_modifiers(draw, names, measure=True),
    ]
    return _file(lines, draw, bound)


@st.composite
def _general_games(draw: st.DrawFn, legal: bool) -> GameFile:
    """Dependent ranges and general moves, each guarded so that it stays inside and lowers the measure."""
    names = ["x", "y", "z"][: draw(st.integers(1, 3))]
    bound = draw(st.integers(1, {1: 25, 2: 7, 3: 4}[len(names)]))
    ranges = [_drawn_range(draw, names[:number]) for number in range(len(names))]
    where = draw(st.sampled_from(_wheres(names))) if _maybe(draw) else "True"
    weights = [draw(st.integers(1, 3)) if _maybe(draw, 3) else 1 for _ in names]
    measure = " + ".join(f"{w}*{name}" for w, name in zip(weights, names, strict=True))
    moves = []
    for number in range(draw(st.integers(1, 3))):
        moves += _drawn_move(draw, number, dict(zip(names, ranges, strict=True)), where, measure, legal)
    position = ", ".join(f'{name}: "{low}..{high}"' for name, (low, high) in zip(names, ranges, strict=True))
    lines = [f"position: {{{position}}}", f"where: {where}", f"measure: {measure}", "moves:", *moves]
    return _file(lines + _modifiers(draw, names, measure=False), draw, bound)


def _drawn_range(draw: st.DrawFn, earlier: list[str]) -> tuple[str, str]:
    choices = [("0", "N"), ("0", "N"), ("1", "N"), ("0", "m")]
    for name in earlier:
        choices += [
            ("0", name),
            ("0", f"N - {name}"),
            (name, f"{name} + 2"),
            ("0", f"min({name}, 3)"),
            ("0", f"h({name})"),
        ]
    return draw(st.sampled_from(choices))


def _wheres(names: list[str]) -> list[str]:
    first, last = names[0], names[-1]
    return [f"{first} <= {last} + 1", f"({' + '.join(names)}) % 3 != 1", f"{first} != 2 or {last} == 0"]


def _drawn_move(
    draw: st.DrawFn, number: int, space: dict[str, tuple[str, str]], where: str, measure: str, legal: bool
) -> list[str]:
    names = list(space)
    main = draw(st.sampled_from(names))
    ends = [main, main, "3", "m", f"min({main}, m)", f"h({main})"]
    choices = [f't: "1..{draw(st.sampled_from(ends))}"']
    if second := _maybe(draw, 3):
        choices.append(f'u: "{draw(st.sampled_from(["0..t", f"0..{names[-1]}", "t..t + 1"]))}"')
    new = {
        main: draw(
            st.sampled_from([f"{main} - t", f"{main} - t", "t - 1", f"{main} // (t + 1)", f"{main} ^ t"])
        )
    }
    for name in names:
        if name != main and _maybe(draw, 3):
            values = [
                "0",
                f"{name} + 1",
                f"min({name}, {main})",
                f"{name} - t",
                f"abs({name} - t)",
                f"min({name}, h({main} - t))",
            ]
            new[name] = draw(st.sampled_from([*values, "u", f"{name} - u"] if second else values))
    conditions = []
    if draw(st.integers(1, 5)) == 5:
        conditions.append(draw(st.sampled_from(["t % 2 == 1", f"{main} >= m", f"t * t <= {main} + 2"])))
    # h() needs an argument of at least 0 when it is a recurrence
    conditions += [f"{value} >= 0" for value in new.values() if "h(" not in value]
    conditions += [f"{main} - t >= 0"] * any("h(" in value for value in new.values())
    if legal or not _maybe(draw, 3):
        conditions += [_stays(name, low, high, new) for name, (low, high) in space.items()]
        conditions.append(_put_in(where, new))
    if legal or not _maybe(draw, 3):
        conditions.append(f"{_put_in(measure, new)} < {measure}")
    to = ", ".join(f'{name}: "{value}"' for name, value in new.items())
    return [
        f"  - name: move {number}",
        f"    for: {{{', '.join(choices)}}}",
        f'    when: "{" and ".join(f"({condition})" for condition in conditions)}"',
        f"    to: {{{to}}}",
    ]


def _stays(name: str, low: str, high: str, new: dict[str, str]) -> str:
    """That the new value is in its range. A move cannot mention N: it must not raise what N bounds."""
    if "N" not in high:
        return _put_in(f"{low} <= {name} <= {high}", new)
    bounded = f"{name} + {high.removeprefix('N - ')}" if high != "N" else name
    return f"{_put_in(low, new)} <= {_put_in(name, new)} and {_put_in(bounded, new)} <= {bounded}"


def _put_in(text: str, new: dict[str, str]) -> str:
    """The text, about the position after the move (coordinates are single letters)."""
    return re.sub(r"\b[xyz]\b", lambda name: f"({new.get(name[0], name[0])})", text)


@st.composite
def _splitting_games(draw: st.DrawFn, legal: bool) -> GameFile:
    """Heaps from which some stones are taken and the rest split, with perhaps a second coordinate."""
    two = _maybe(draw, 3)
    bound = draw(st.integers(1, 8 if two else 30))
    other = draw(st.sampled_from([", q: q", ", q: 0", ", q: q - 1"])) if two else ""
    kept = ", q: q" if two else ""
    needs = " and q >= 1" if "q - 1" in other else ""
    lost = draw(st.integers(0, 3))
    if not legal and _maybe(draw, 8):
        lost = -1  # the parts together are more than the heap, and one of them may be no less
    moves = [
        f"  - {{name: split, for: {{a: {draw(st.sampled_from(['0', '1']))}..n - 1}}, "
        f'when: "a + {lost} <= n and n - a - {lost} < n{needs}", '
        f"to: [{{n: a{other}}}, {{n: n - a - {lost}{other if 'q - 1' not in other else kept}}}]}}"
    ]
    if _maybe(draw):
        moves.append('  - {take: "1..min(n, m)", from: n}')
    if _maybe(draw, 4):
        moves.append("  - {name: three, for: {a: 1..n // 3, b: a..n // 2}, "
                     f'when: "n - a - b >= 1", to: [{{n: a{kept}}}, {{n: b{kept}}}, {{n: n - a - b{kept}}}]}}')  # fmt: skip
    position = "{n: 0..N, q: 0..2}" if two else "{n: 0..N}"
    return _file([f"position: {position}", "moves:", *moves], draw, bound)
