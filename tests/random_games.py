"""Random rulesets, as files: the whole ruleset language, in shapes for each way of solving.

``games`` gives rulesets as ``GameFile``: with piles, with bars, with two coordinates that are taken from at once, and
with any coordinates; with limits, guards, restricted spaces, passes, misère play and functions of all kinds. By name
only, it also gives games with layers below two rows, with one heap, and with choices under guards. If the moves of a
ruleset leave the space or never end, they get conditions that forbid this (unless ``legal`` is false: then only half of
the time). The instances are small, at most ``MAX_CELLS`` cells, since the definition solves them; but some games have
one long coordinate, so that sweeps, which keep 64 positions in a word, use several words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import yaml
from hypothesis import note
from hypothesis import strategies as st

from grundylab.errors import GrundylabError, InstanceError
from grundylab.games import Instance, make_instance, parse_ruleset
from grundylab.solve.reference import solve_reference

Move = dict[str, Any]
SHAPES = ("piles", "alike", "bars", "weights", "any")
NARROW = ("layers", "heap", "guards")  # shapes that are only drawn by name


MAX_CELLS = 400


@dataclass(frozen=True)
class GameFile:
    """A ruleset's YAML text, with parameters and bounds that make a small instance of it."""

    text: str
    parameters: dict[str, int] = field(default_factory=dict)
    bounds: dict[str, int] = field(default_factory=dict)

    def instance(self) -> Instance:
        return make_instance(parse_ruleset(self.text, "random"), self.parameters, self.bounds)

    @cached_property
    def cells(self) -> int:
        """The number of cells of its box, or a large number if that cannot be stored."""
        try:
            return self.instance().cells
        except InstanceError:
            return 2**31

    def report(self, command: str = "solve") -> str:
        """Return the text that a failing test prints: a file that can be saved, with the command that runs it."""
        given = [f"--param {name}={value}" for name, value in self.parameters.items()]
        given += [f"--bound {name}={value}" for name, value in self.bounds.items()]
        return f"# grundylab {command} random.yaml {' '.join(given)}\n{self.text}# end of random.yaml"


def games(*shapes: str, legal: bool = True) -> st.SearchStrategy[GameFile]:
    """Return a strategy for rulesets of these shapes, by default of all.

    Unless ``legal``, some rulesets have a move that leaves the space or loops.
    """
    found = st.sampled_from(shapes or SHAPES).flatmap(lambda shape: _games(shape, legal))
    return found.filter(lambda game: game.cells <= MAX_CELLS)


def instances(*shapes: str, legal: bool = True) -> st.SearchStrategy[Instance]:
    """Return a strategy for instances of such rulesets; a failing test prints them as files."""
    return games(*shapes, legal=legal).map(noted)


def noted(game: GameFile) -> Instance:
    """Return the instance, and note its file, to be printed if the test fails."""
    note(game.report())
    return game.instance()


# -- what moves, limits and guards there are ----------------------------------------------------------

# A is the coordinate that is taken from; OTHER another one. A take has no word of the position's other coordinates.
WHOLE = ["{take: t, from: A}", "{for: {w: 0..A-1}, to: {A: w}}"]
LIMITED = [
    "{take: 1..floor(A/2), from: A}",
    "{take: 1..ceil(A/2), from: A}",
    '{take: "1..min(A, 3)", from: A}',
    '{take: "1..min(A, m)", from: A}',
    '{take: "1..min(A, h(A))", from: A}',
    "{for: {w: floor(A/2)..A-1}, to: {A: w}}",
    '{take: "2..A", from: A}',
    '{take: "m..A", from: A}',
]
GUARDED = [
    '{take: "1..A", from: A, when: t % 2 == 1}',
    '{take: "1..A", from: A, when: "GUARD"}',
    '{take: "1..A", from: A, when: is_power_of_two(t)}',
    '{take: "1..min(A, OTHER)", from: A}',
    '{for: {t: "1..A"}, when: "h(t) >= OTHER", to: {A: A - t}}',
    '{for: {w: 0..A-1}, when: "accepts(\\"+0,1 -1,0\\", w)", to: {A: w}}',
    "{take: [1, m, m + 1], from: A}",
    '{for: {t: 1..A}, when: "accepts(\\"-0,0,1,0 +1,,1,1\\", A, t - m)", to: {A: A - t}}',
]
DOWN = [
    '{for: {t: 1..s}, when: "GUARD", to: {s: s - t}}',
    '{when: "s >= 1 and (GUARD)", to: {s: s - 1}}',
    '{for: {w: 0..s-1}, when: "w != 1 and (GUARD)", to: {s: w, q: 0}}',
    '{when: "q == 1 and (GUARD)", to: {q: 0}}',
]
SLOW = [*DOWN, '{for: {t: "1..min(s, 2)"}, when: "GUARD", to: {s: s - t}}']
FALLS = [
    '{for: {w: 0..A-1}, to: {A: w, OTHER: "min(OTHER, h(w))"}}',
    '{for: {t: 1..A}, when: "GUARD", to: {A: A - t, OTHER: "min(OTHER, h(A - t))"}}',
    '{for: {w: 0..A-1}, when: "GUARD", to: {A: w, OTHER: 0}}',
    '{for: {w: 0..A-1}, when: "(w + OTHER) % 3 != 1", to: {A: w, OTHER: "min(OTHER, h(w))"}}',
    '{for: {w: 0..A-1}, when: "w != A - 2", to: {A: w, OTHER: "min(OTHER, h(w))"}}',
    "{for: {w: floor(A/2)..A-1}, to: {A: w, OTHER: 0}}",
    '{for: {w: 1..A}, when: "OTHER >= 1", to: {OTHER: OTHER - 1, A: w}}',
    '{for: {w: 0..A-1}, to: {A: w, OTHER: "min(OTHER + 1, 3)"}}',
    "{for: {t: 1..A}, to: {A: A - t, OTHER: 0}}",
]
RAISES = [
    "{when: A >= 2, to: {A: A - 2, OTHER: OTHER + 1}}",
    '{for: {t: "1..A"}, to: {A: A - t, OTHER: OTHER + t}}',
    '{for: {t: "1..min(A, 2)"}, to: {A: A - t, OTHER: "OTHER ^ t"}}',
    "{for: {t: 1..A}, to: {A: OTHER, OTHER: A - t}}",
    '{for: {t: 1..A}, to: {A: "A // (t + 1)", OTHER: "abs(OTHER - t)"}}',
    '{for: {t: "1..min(A, 3)", u: t..t + 1}, to: {A: "A ^ t", OTHER: u}}',
]
SPLITS = [
    '{for: {a: 1..A-1}, to: [{A: a}, {A: A - a}]}',
    '{for: {a: "0..A - 2"}, to: [{A: a}, {A: A - a - 2, OTHER: 0}]}',
    '{for: {a: 0..A-1}, to: [{A: a}, {A: A - a - 1}, {A: "min(a, 1)", OTHER: "min(OTHER, 1)"}]}',
    '{for: {a: 1..A // 3, b: a..A // 2}, when: "A - a - b >= 1", to: [{A: a}, {A: b}, {A: A - a - b}]}',
]  # fmt: skip
# One heap that loses %d tokens, and of which one heap or two remain.
HEAP = [
    "{take: %d..%d, from: x, when: x > %d}",
    "{when: x == %d, to: {x: 0}}",
    "{take: '1..min(x, %d)', from: x}",
    "{for: {a: 0..x-%d}, to: [{x: a}, {x: x - a - %d}]}",
    "{for: {a: 1..x-%d-1}, to: [{x: x - a - %d}, {x: a}]}",
    "{for: {a: '1..(x - %d)//2'}, when: 'x - a - %d >= 1', to: [{x: a}, {x: x - a - %d}]}",
    "{for: {a: 0..x}, when: 'a + %d < x and a >= 2', to: [{x: a}, {x: x - a - %d}]}",
    "{for: {a: 0..floor(x/2)}, when: 'x - a >= %d and x % 2 == 0', to: [{x: a}, {x: x - a - %d}]}",
]
# Two choices under guards whose parts are tested at different depths or bound choices; some have no value somewhere.
CHOICE_GUARDS = [
    "t + 2*u <= x", "m*t - u >= 1", "1 <= m*u + t <= y", "u == t", "x > 7 - u", "u != x", "t % 2 == 0",
    "6 // (t - u) < 4", "x % m > 0", "12 // u > t", "isqrt(t - 1) < x", "1 <= y // (u + 1) <= 2",
]  # fmt: skip
CHOICE_ENDS = ["0..y", "0..y // m", "0..12 // (x + 1)", "t..y", "-3..2"]
CHOICE_GOALS = ["{x: x - t, y: y - u}", "{x: y - u, y: x - t}", '{x: "min(x, u)", y: y - t}']
TOGETHER = [
    '{for: {t: "1..min(A, OTHER)"}, to: {A: A - t, OTHER: OTHER - t}}',
    '{for: {t: "1..min(A, OTHER)"}, to: {OTHER: OTHER - t, A: A - 1}}',
    '{for: {w: 0..A-1, u: 0..OTHER}, when: "w + u <= OTHER", to: {A: w, OTHER: OTHER - u}}',
    '{when: "A >= m and OTHER >= 1", to: {A: A - m, OTHER: OTHER - 1}}',
]
RANGES = {
    "t": ["0..A", "1..A", "0..min(A, 3)", "0..min(A, OTHER)", "1..ceil(A/2)", "A..A"],
    "u": [
        "0..OTHER",
        "1..OTHER",
        "0..min(OTHER, t)",
        "t..min(OTHER, 2*t)",
        "OTHER - min(A, OTHER)..OTHER",
        "0..min(OTHER, h(OTHER))",
    ],
}
WEIGHTS = [
    "1 <= m*t + u <= ceil((m*A + OTHER)/2)",
    "1 <= t + 2*u <= floor((A + 2*OTHER)/3) + 1",
    "t + u >= 1 and t + u <= max(A, OTHER)",
    "t + u >= 1 and m*u <= A + t",
    "t + u >= 1 and abs(t - u) < m",
    "t + u == m",
    "t + u >= 1 and t*u <= m",
    "t + u >= 1 and (t + u) % 2 == A % 2",
    "t + u >= 1 and (A ^ OTHER) != u",
    "0 < t + u and 2*t <= A + 1 != u + 2",
    "t + u > 0 and (t == u or u == 0)",
    "t >= 1",
]
GUARDS = [
    "True", "A + OTHER >= m", "(A + OTHER) % 3 == 1", "A ^ OTHER != 2", "A < OTHER", "OTHER % 2 == 0 or A >= 4",
    "A * OTHER > 2 * m", "h(A) >= OTHER", "TOTAL >= m", "any(n * n == A for n in range(0, OTHER + 1))",
]  # fmt: skip
FUNCTIONS: list[Any] = [
    "floor(n/2)",
    "min(n, m + 1)",
    {"cases": [{"when": "n % 3 == 0", "value": "1"}, {"otherwise": "n - 1"}]},
    {"recurrence": "h(n - 1) + n % m", "initial": {"0": "1"}},
    {"recurrence": "h(n - 1) + h(n - 2)", "initial": {"0": "1", "1": "1"}},
    {"positions": ["0", "3", "7"]},
]
SPACES = [
    "A <= OTHER",
    "A <= OTHER + 1",
    "h(A) >= OTHER",
    "(TOTAL) % 3 != 1",
    "A != 2 or OTHER == 0",
    "A + OTHER <= 9",
]


# -- the parts put together ---------------------------------------------------------------------------


@st.composite
def _games(draw: st.DrawFn, shape: str, legal: bool) -> GameFile:
    names, ruleset = _space(draw, shape)
    ruleset["moves"] = [yaml.safe_load(text) for text in _moves(draw, shape, names)]
    if "OTHER" in str(ruleset) or re.search(r"\bA\b", str(ruleset)):
        raise AssertionError(ruleset)
    if shape not in ("heap", "guards"):
        _modify(draw, names, ruleset)
    game = _sized(draw, {"title": "random", **ruleset})
    while game.cells > MAX_CELLS and max(game.bounds.values(), default=0) > 2:
        game = replace(game, bounds={name: (value + 1) // 2 for name, value in game.bounds.items()})
    return _legal(game) if legal or _now(draw, 2) else game


def _space(draw: st.DrawFn, shape: str) -> tuple[list[str], dict[str, Any]]:
    """Draw the names to play with, and the position space."""
    if shape == "alike":
        count = draw(st.integers(2, 3))
        return list("xyz")[:count], {"piles": str(count), "position": {"x": "0..N"}}
    if shape in NARROW:
        names = ["x"] if shape == "heap" else ["x", "y"]
        below = {"s": "0..3", "q": "0..1"} if shape == "layers" else {}
        return [*names, *below][:3], {"position": dict.fromkeys(names, "0..N") | below}
    names = list("xyz")[: draw(st.integers(1 if shape in ("piles", "any") else 2, 3))]
    if shape == "weights":
        names = names[:2]
    plain = shape in ("piles", "weights") or _now(draw, 2)
    position: dict[str, str] = {}
    for place, name in enumerate(names):
        ends = ["0..N", "0..N", "0..M"] if plain else ["0..N", "1..N", "0..m", "0..M", "2..M"]
        if place and not plain:
            ends += [
                f"0..{names[0]}",
                f"0..N - {names[0]}",
                f"{names[0]}..{names[0]} + 2",
                f"0..h({names[0]})",
            ]
        position[name] = draw(st.sampled_from(ends))
    if shape in ("piles", "weights") or _now(draw, 4):
        position |= {"s": "0..2"} | ({"q": "0..1"} if shape == "piles" else {})
    ruleset: dict[str, Any] = {"position": dict(draw(st.permutations(sorted(position.items()))))
                               if plain else position}  # fmt: skip
    if not plain and len(names) > 1 and _now(draw, 2):
        ruleset["where"] = _filled(draw, draw(st.sampled_from(SPACES)), names)
    return [*names, *(name for name in ("s",) if name in position)], ruleset


def _moves(draw: st.DrawFn, shape: str, names: list[str]) -> Iterator[str]:
    piles = [name for name in names if name != "s"]
    if shape == "alike":
        yield from (
            draw(st.sampled_from([*WHOLE, *WHOLE, *LIMITED, *GUARDED[:1]])).replace("A", "x")
            for _ in range(draw(st.integers(1, 2)))
        )
    elif shape == "layers":
        yield from (draw(st.sampled_from(WHOLE)).replace("A", pile) for pile in piles)
        for _ in range(draw(st.integers(1, 3))):
            yield _filled(draw, draw(st.sampled_from(SLOW)), names)
    elif shape == "heap":
        for text in draw(st.lists(st.sampled_from(HEAP), min_size=1, max_size=3)):
            yield text.replace("%d", str(draw(st.integers(1, 3))))
    elif shape == "guards":
        guards = ["t + u >= 1", *draw(st.lists(st.sampled_from(CHOICE_GUARDS), min_size=1, max_size=3))]
        when = " and ".join(f"({guard})" for guard in draw(st.permutations(guards)))
        ends, to = draw(st.sampled_from(CHOICE_ENDS)), draw(st.sampled_from(CHOICE_GOALS))
        yield f'{{for: {{t: 0..x, u: "{ends}"}}, when: "{when}", to: {to}}}'
        yield WHOLE[0].replace("A", "x")
    elif shape == "piles":
        same = draw(st.sampled_from([*WHOLE, *WHOLE, *LIMITED]))
        for pile in piles:
            yield (same if _now(draw, 2) else draw(st.sampled_from([*WHOLE, *LIMITED]))).replace("A", pile)
        for _ in range(draw(st.integers(0, 3))):
            yield _filled(draw, draw(st.sampled_from(DOWN)), names)
    elif shape == "bars":
        along, *others = draw(st.permutations(piles))
        yield _filled(draw, draw(st.sampled_from([*WHOLE, *WHOLE, *LIMITED])), [along, *others], keep=True)
        for _ in range(draw(st.integers(1, 3))):
            pools = st.sampled_from([*FALLS, *WHOLE, *LIMITED])
            yield _filled(draw, draw(pools), others if len(others) > 1 else [*others, along])
    elif shape == "weights":
        for _ in range(draw(st.integers(1, 2))):
            ends = ", ".join(f'{name}: "{draw(st.sampled_from(RANGES[name]))}"' for name in "tu")
            limit = draw(st.sampled_from(WEIGHTS))
            text = f'{{for: {{{ends}}}, when: "{limit}", to: {{A: A - t, OTHER: OTHER - u}}}}'
            yield _filled(draw, text, piles, keep=_now(draw, 2))
        for text in draw(st.lists(st.sampled_from([*TOGETHER, *WHOLE, *LIMITED, *DOWN[:2]]), max_size=2)):
            yield _filled(draw, text, names)
    else:
        every = [*WHOLE, *LIMITED, *GUARDED, *FALLS, *RAISES, *SPLITS, *TOGETHER]
        for text in draw(st.lists(st.sampled_from(every), min_size=1, max_size=4)):
            yield _filled(draw, text, names)


def _filled(draw: st.DrawFn, text: str, names: Sequence[str], keep: bool = False) -> str:
    """Draw a template's text about two of the names; the second may be a constant if the text does not change it."""
    order = list(names) if keep else draw(st.permutations(list(names)))
    if "GUARD" in text:
        text = text.replace("GUARD", draw(st.sampled_from(GUARDS)))
    if len(order) == 1 and re.search(r"OTHER:", text):
        text = WHOLE[0]
    text = text.replace("TOTAL", " + ".join(names)).replace("OTHER", order[1] if len(order) > 1 else "3")
    text = re.sub(r"\bA\b", order[0], text)
    return _whole(text, names) if "to: [" in text else text


def _whole(text: str, names: Sequence[str]) -> str:
    """Return a move to a sum in which each part gives every coordinate; every value stays text."""
    move = yaml.load(text, yaml.BaseLoader)
    move["to"] = [dict(zip(names, names, strict=True)) | part for part in move["to"]]
    return str(yaml.safe_dump(move, default_flow_style=True, sort_keys=False, width=1000)).strip()


def _modify(draw: st.DrawFn, names: list[str], ruleset: dict[str, Any]) -> None:
    """Add now and then a pass, misère play, or a measure; and add the functions that are called."""
    splits = any(isinstance(move.get("to"), list) for move in ruleset["moves"])
    if not splits and _now(draw, 3):
        ruleset["pass"] = {"when": _filled(draw, draw(st.sampled_from(GUARDS)), names)}
    if not splits and _now(draw, 5):
        ruleset["play"] = "misere"
    if _now(draw, 3):
        weights = [(draw(st.integers(1, 3)), name) for name in ruleset["position"]]
        if "piles" not in ruleset:
            ruleset["measure"] = " + ".join(f"{weight}*{name}" for weight, name in weights)
    if "h(" in str(ruleset):
        ruleset["functions"] = {"h(n)": draw(st.sampled_from(FUNCTIONS))}


def _sized(draw: st.DrawFn, ruleset: dict[str, Any]) -> GameFile:
    """Draw bounds for the ruleset: small ones, or one long and one short coordinate."""
    parameters = {}
    if re.search(r"\bm\b", str(ruleset)):
        ruleset["parameters"] = {"m": "m >= 1"}
        parameters["m"] = draw(st.integers(1, 5))
    text = yaml.safe_dump(ruleset, sort_keys=False, width=1000)
    grown = [end for end in ruleset["position"].values() if re.search(r"[NM]", end)]
    count = int(ruleset.get("piles", len(grown)))
    least = 2 if "m" in parameters else 1
    most = {0: 1, 1: 60, 2: 9, 3: 4}[min(count, 3)]
    bounds = {name: draw(st.integers(least, most)) for name in "NM" if re.search(rf"\b{name}\b", text)}
    if len(bounds) == 2 and sum("N" in end for end in grown) == 1 and _now(draw, 3):
        bounds = {"N": draw(st.integers(60, 90)), "M": draw(st.integers(1, 2))}
    elif len(bounds) == 1 and count == 1 and _now(draw, 3):
        bounds = dict.fromkeys(bounds, draw(st.integers(60, 140)))
    return GameFile(text, parameters, bounds)


def _legal(game: GameFile) -> GameFile:
    """Return the game; its moves get conditions if the definition refuses it without them."""
    if game.cells > MAX_CELLS:
        return game
    try:
        solve_reference(game.instance(), "outcome")
    except GrundylabError:
        ruleset = yaml.safe_load(game.text)
        ruleset["moves"] = [_guarded(move, ruleset) for move in ruleset["moves"]]
        return replace(game, text=yaml.safe_dump(ruleset, sort_keys=False, width=1000))
    return game


def _guarded(move: Move, ruleset: dict[str, Any]) -> Move:
    """Return the move with a condition that keeps it inside the space and lowers the measure."""
    position: dict[str, str] = ruleset["position"]
    if "piles" in ruleset:
        return move  # these only take
    parts = move.get("to", {move.get("from"): f"{move.get('from')} - t"})
    parts = parts if isinstance(parts, list) else [parts]
    measure = str(ruleset.get("measure", " + ".join(position)))
    needed = []
    for part in parts:
        new = {name: f"({value})" for name, value in part.items()}
        for name, ends in position.items():
            low, high = ends.split("..")
            needed.append(_put(f"{low} <= {name}", new))
            if re.search(r"\b[NM]\b", high):
                needed.append(f"{_put(_grown(name, high), new)} <= {_grown(name, high)}")
            else:
                needed.append(_put(f"{name} <= {high}", new))
        if "where" in ruleset:
            needed.append(_put(str(ruleset["where"]), new))
        needed.append(f"{_put(measure, new)} < {measure}")
    guards = [*([str(move["when"])] if "when" in move else []), *dict.fromkeys(needed)]
    named = move if "for" in move or "take" not in move else {**move, "take": _choice(move)}
    return {**named, "when": " and ".join(f"({guard})" for guard in guards)}


def _choice(move: Move) -> str | list[str]:
    """Return what the move takes, without a letter of its own, so that the guard may say ``t``."""
    take: str | list[str] = move["take"]
    return f"1..{move['from']}" if take == "t" else take


def _grown(name: str, high: str) -> str:
    """Return the expression that a bound limits: ``x + y`` for ``x: 0..N - y``."""
    rest = re.sub(r"^\s*[NM]\b\s*", "", high).replace("- ", "")
    return f"({name} + {rest})" if rest else name


def _put(text: str, new: dict[str, str]) -> str:
    return re.sub(r"\b[a-z]\b", lambda name: new.get(name[0], name[0]), text)


def _now(draw: st.DrawFn, chance: int) -> bool:
    """Draw True once in ``chance`` times; a failing example shrinks towards False."""
    return draw(st.integers(1, chance)) == chance
