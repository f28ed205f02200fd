"""Lower and upper ends of expressions whose names may be unbounded; Refused where a part may have no value.

The ends are safe, but need not be the best ones. Unlike ``language/intervals.py``, this module knows no limits of
computing: here a number that is too large to be computed has a value, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from grundylab.errors import GrundylabError
from grundylab.language.builtins import BUILTINS, BuiltIn
from grundylab.language.functions import NO_FUNCTIONS, Function, Functions
from grundylab.language.operators import MAX_SHIFT, OPERATORS, multiply
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    Expr,
    If,
    Int,
    Logic,
    Name,
    Negate,
    distinct_parts,
    free_names,
)
from grundylab.prove.core.space import low_ends
from grundylab.prove.kernel.theorem import Refused


class Ends(NamedTuple):
    """The integers from low to high, both included; an end may be infinite."""

    low: float
    high: float


ANY, NATURAL, TRUTH = Ends(-inf, inf), Ends(0, inf), Ends(0, 1)


def ends(expr: Expr, known: Mapping[str, Ends], functions: Functions) -> Ends:
    """Return the ends of a lowered expression; a name that is not in ``known`` may be any number.

    Raises Refused if a part may have no value. A call of a function that cannot be written out is refused only if an
    argument may have no value, or may be below the function's first argument; its own value is not checked.
    """
    if isinstance(expr, Bounded):
        low, high = ends(expr.start, known, functions).low, ends(expr.stop, known, functions).high
        inside = {**known, expr.variable: Ends(low, _sum(high, -1))}
        body = ends(expr.body, inside, functions)
        if expr.quantifier == "nim_sum":
            return NATURAL if body.low >= 0 else ANY
        return Ends(-inf if body.low < 0 else 0, inf if body.high > 0 else 0)
    if (
        isinstance(expr, Logic) and expr.op == "and"
    ):  # a term is evaluated only where the earlier ones are true
        for term in expr.terms:
            ends(term, known, functions)
            known = {**known, **dict(_raised(term, known, functions))}
        return TRUTH
    inner = [ends(child, known, functions) for child in expr.children]
    match expr:
        case Int(value=value):
            return Ends(value, value)
        case Name(id=name):
            return known.get(name, ANY)
        case Negate():
            return _negative(inner[0])
        case Binary(op=op):
            return _between(op, *inner)
        case If():
            return Ends(min(part.low for part in inner[1:]), max(part.high for part in inner[1:]))
        case Call(name=name) if name in BUILTINS:
            return _built_in(name, BUILTINS[name], inner)
        case Call(name=name):
            function = functions[name]
            first = function.initial[0][0] if isinstance(function, Function) and function.initial else 0
            _check(
                all(part.low >= first for part in inner),
                f"{name}() may be called below {first}, where it begins",
            )
            return ANY if isinstance(function, Function) else NATURAL
    return TRUTH


def has_value(expr: Expr) -> bool:
    """Tell whether a lowered expression surely has a value for all natural numbers in place of its names.

    False for an expression that calls a function other than a built-in one.
    """
    if any(isinstance(node, Call) and node.name not in BUILTINS for node in distinct_parts(expr)):
        return False
    try:
        ends(expr, dict.fromkeys(free_names(expr), NATURAL), NO_FUNCTIONS)
    except GrundylabError:
        return False
    return True


def _raised(condition: Expr, known: Mapping[str, Ends], functions: Functions) -> Iterator[tuple[str, Ends]]:
    """Yield each name in the condition with its ends where that is true; the lower end may exceed the known one."""
    for name in free_names(condition):
        before = known.get(name, ANY)
        lows = [ends(low, known, functions).low for low in low_ends(condition, Name(name))]
        yield name, Ends(max([before.low, *lows]), before.high)


def _check(valued: bool, why: str) -> None:
    if not valued:
        raise Refused(why)


def _between(op: str, a: Ends, b: Ends) -> Ends:
    match op:
        case "+":
            return Ends(_sum(a.low, b.low), _sum(a.high, b.high))
        case "-":
            return _between("+", a, _negative(b))
        case "*":
            corners = [_product(x, y) for x in a for y in b]
            return Ends(min(corners), max(corners))
        case "//" | "%" if b.high < 0:  # a // -d = -a // d, and a % -d = -(-a % d)
            found = _between(op, _negative(a), _negative(b))
            return found if op == "//" else _negative(found)
        case "//":
            _check(b.low > 0, "a divisor may be 0")
            corners = [_quotient(x, y) for x in a for y in b]
            return Ends(min(corners), max(corners))
        case "%":
            _check(b.low > 0, "a divisor may be 0")
            return Ends(0, _sum(b.high, -1))
        case "<<" | ">>":
            _check(b.low >= 0, "a shift may be negative")
            power = Ends(1 << int(min(b.low, MAX_SHIFT)), 1 << int(b.high) if b.high <= MAX_SHIFT else inf)
            return _between("*" if op == "<<" else "//", a, power)
        case "&" if max(a.low, b.low) >= 0:
            return Ends(0, min(end.high for end in (a, b) if end.low >= 0))
        case _:
            return NATURAL if OPERATORS[op].digits and min(a.low, b.low) >= 0 else ANY


def _built_in(name: str, row: BuiltIn, arguments: Sequence[Ends]) -> Ends:
    lows, highs = zip(*arguments, strict=True)
    if row.condition:
        return TRUTH
    if row.least is None:  # the ends of min, max and abs may be infinite
        return Ends(*row.between(lows, highs))
    _check(lows[0] >= row.least, f"{name}() may be called below {row.least}, where it begins")
    low = row.between(lows, lows)[0]
    return Ends(low, inf if highs[0] == inf else row.between(lows, highs)[1])


def _negative(a: Ends) -> Ends:
    return Ends(-a.high, -a.low)


# Python cannot add a large integer to an infinite float; and 0 times an infinite number is 0 here


def _sum(a: float, b: float) -> float:
    infinite = [end for end in (a, b) if end in (inf, -inf)]
    return infinite[0] if infinite else a + b


def _product(a: float, b: float) -> float:
    if a == 0 or b == 0:
        return 0
    if {a, b} & {inf, -inf}:
        return inf if (a > 0) == (b > 0) else -inf
    return multiply(int(a), int(b))


def _quotient(a: float, b: float) -> float:
    """Return the floor of a / b for b > 0; a and b may be infinite."""
    if a in (inf, -inf):
        return a
    return a // b if b != inf else -(a < 0)
