"""Random formulas, well-formed by construction.

``numbers``, ``conditions`` and ``fractions`` give trees with every kind of node over given names, with calls of
``FUNCTIONS``; ``automata`` gives automata over digits.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import BINARY, FIBONACCI, TRIBONACCI, System
from grundylab.language import Expr, Function, Functions, parse
from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import (
    COMPARISONS,
    TOTALS,
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
_OF_ONE = tuple(name for name, row in BUILTINS.items() if row.single and not (row.rounds or row.condition))
_OF_TWO = tuple(name for name, row in BUILTINS.items() if not (row.several or row.single))
_PLAIN_CALLS = tuple((f.name, len(f.arguments)) for f in FUNCTIONS if not f.recurrence)
_RECURRENCES = tuple(f.name for f in FUNCTIONS if f.recurrence)

SMALL = st.integers(-6, 20)
LARGE = st.sampled_from([2**31, -(2**31), 2**62, -(2**62), 2**63 - 1, -(2**63), 10**18])
HUGE = st.sampled_from([2**63, 2**64, -(2**63) - 1, -(2**70), 3**50])


@cache
def numbers(names: tuple[str, ...] = NAMES, depth: int = 3, calls: bool = True) -> Trees:
    """Return a strategy for numbers over the names; with ``calls`` also with calls of FUNCTIONS."""
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
        _called(_OF_ONE, st.tuples(number)),
        _called(_OF_TWO, st.tuples(*[st.builds(Binary, st.just("%"), number, leaves)] * 2)),
        _called(("floor", "ceil"), st.tuples(fraction | number)),
        _bounded("sum", names, depth, calls),
        _bounded("nim_sum", names, depth, calls),
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
    """Return a strategy for conditions over the names."""
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
    """Return a strategy for ratios over the names."""
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
    """Return a strategy for numbers and conditions over the names."""
    return numbers(names, depth, calls) | conditions(names, depth, calls)


def environments(names: tuple[str, ...] = NAMES, huge: bool = False) -> st.SearchStrategy[dict[str, int]]:
    """Return a strategy for values of the names: small, at the edge of 64 bits, and with ``huge`` beyond it."""
    value = SMALL | SMALL | LARGE
    return st.fixed_dictionaries(dict.fromkeys(names, value | HUGE if huge else value))


TRIPLE_TAKES = System((1, 0, 0, 1), (1, 2, 3, 4, 6))
BASE_3 = System.of_base(3)


@st.composite
def automata(draw: st.DrawFn, arity: int, most: int = 4, system: System = BINARY) -> DigitAutomaton:
    """Draw an automaton of at most ``most`` states (besides DEAD) over the digits of ``arity`` numbers."""
    count = draw(st.integers(1, most))
    target = st.integers(DEAD, count - 1)
    rows = draw(st.lists(st.tuples(*[target] * system.base**arity), min_size=count, max_size=count))
    accepting = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return DigitAutomaton(tuple(rows), closed_under_zeros(rows, accepting), system)


def closed_under_zeros(rows: list[tuple[int, ...]], accepting: list[bool]) -> tuple[bool, ...]:
    """Return which states accept, changed so that further zeros make no difference.

    Zeros lead from a state into a cycle; the state accepts if the least state of the cycle does.
    """

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


@st.composite
def accepted_in_other_systems(draw: st.DrawFn) -> Expr:
    """Draw a condition that an automaton over digits of another system than the binary one accepts numbers."""
    arity, system = (
        draw(st.integers(1, 2)),
        draw(st.sampled_from([FIBONACCI, TRIBONACCI, System((2, 1)), BASE_3, TRIPLE_TAKES])),
    )
    return Accepts(draw(automata(arity, 4, system)), tuple(draw(numbers(NAMES, 1)) for _ in range(arity)))


def _called(names: tuple[str, ...], arguments: st.SearchStrategy) -> Trees:
    return st.builds(Call, st.sampled_from(names), arguments.map(tuple))


@st.composite
def _compared(draw: st.DrawFn, number: Trees) -> Expr:
    ops = draw(st.lists(st.sampled_from(COMPARISONS), min_size=1, max_size=2))
    return Compare(tuple(ops), tuple(draw(number) for _ in range(len(ops) + 1)))


@st.composite
def _bounded(draw: st.DrawFn, quantifier: str, names: tuple[str, ...], depth: int, calls: bool) -> Expr:
    """Draw a sum or quantifier over a short range that begins anywhere, so that each reader is fast."""
    variable = draw(st.sampled_from(BOUND))
    start = draw(numbers(names, depth - 1, calls))
    stop = Binary("+", start, draw(st.builds(Int, st.integers(-1, 5))))
    inside = tuple(dict.fromkeys((*names, variable)))
    body = draw((numbers if quantifier in TOTALS else conditions)(inside, depth - 1, calls))
    return Bounded(quantifier, variable, start, stop, body)
