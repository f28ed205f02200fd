"""The numeration system of a statement: that of its automata, or else one in which its square roots are automatic.

``isqrt(c * n * n)`` is the integer part of n times the square root of c. In the system of U(n) = t U(n-1) + U(n-2) an
automaton computes it if c (t * t + 4) is a square (``automata/beatty.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isqrt

from grundylab.automata.systems import BINARY, MAX_DIGIT, System
from grundylab.language.syntax import Accepts, Binary, Call, Expr, Int, Negate, distinct_parts


@dataclass(frozen=True)
class Root:
    """The integer part of ``abs(number)`` times the square root of ``square``, which is positive and not a square."""

    square: int
    number: Expr


def numeration_system(exprs: Iterable[Expr]) -> System:
    """Return the numeration system: the first non-binary automaton's, or else a square root's, or the binary one."""
    nodes = [node for expr in exprs for node in distinct_parts(expr)]
    automata = (node.automaton for node in nodes if isinstance(node, Accepts))
    named = next((automaton.system for automaton in automata if not automaton.system.binary), None)
    roots = (root for node in nodes if isinstance(node, Call) and (root := square_root_of(node)))
    return named or next((system for root in roots if (system := system_of_root(root.square))), BINARY)


def square_root_of(call: Call) -> Root | None:
    """Return the root that ``isqrt(c * n * n)`` computes, with the factors in any order; None for any other call."""
    if call.name != "isqrt":
        return None
    square, others = 1, list[Expr]()
    for factor in _factors(call.arguments[0]):
        if isinstance(factor, Int):
            square *= factor.value
        else:
            others.append(factor)
    if len(others) != 2 or square <= 0 or isqrt(square) ** 2 == square:
        return None
    one, other = others
    return Root(square, one) if one == other else None


def _factors(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Binary(op="*", left=left, right=right):
            yield from _factors(left)
            yield from _factors(right)
        case Negate(operand=operand):
            yield Int(-1)
            yield from _factors(operand)
        case _:
            yield expr


def system_of_root(square: int) -> System | None:
    """Return the first system of U(n) = t U(n-1) + U(n-2) where multiples of the root are automatic, or None."""
    fits = (t for t in range(1, MAX_DIGIT + 1) if isqrt(square * (t * t + 4)) ** 2 == square * (t * t + 4))
    t = next(fits, None)
    return None if t is None else System((t, 1))
