"""The numeration system of a statement: that of its automata, or else one in which automata compute its square roots.

``isqrt(c * n * n)`` is the integer part of n times the square root of c. An automaton computes it in the digits of the
system with U(n) = t U(n-1) + U(n-2), for a positive integer t, if c (t * t + 4) is a square (``automata/beatty.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isqrt

from grundylab.automata.systems import BINARY, MAX_DIGIT, System
from grundylab.language.syntax import Accepts, Binary, Call, Expr, Int, Negate, distinct_parts


@dataclass(frozen=True)
class Root:
    """The integer part of ``abs(number) * sqrt(square)``; ``square`` is positive and no square number."""

    square: int
    number: Expr


def numeration_system(exprs: Iterable[Expr]) -> System:
    """Return the numeration system in which automata can read the expressions.

    It is the system of the first automaton that does not read binary digits. If there is none, it is a system in which
    an automaton computes the first square root that has such a system. If there is none either, it is the binary one.
    """
    nodes = [node for expr in exprs for node in distinct_parts(expr)]
    automata = (node.automaton for node in nodes if isinstance(node, Accepts))
    named = next((automaton.system for automaton in automata if not automaton.system.binary), None)
    roots = (root for node in nodes if isinstance(node, Call) and (root := square_root_of(node)))
    return named or next((system for root in roots if (system := system_of_root(root.square))), BINARY)


def square_root_of(call: Call) -> Root | None:
    """Return the root that a call ``isqrt(c * n * n)`` computes, its factors in any order; None for any other call."""
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
    """Return a system in which an automaton computes multiples of the square root of ``square``; None if there is none.

    It is the system of the sequence U(n) = t U(n-1) + U(n-2), with the least t from 1 to MAX_DIGIT that is possible.
    """
    fits = (t for t in range(1, MAX_DIGIT + 1) if isqrt(square * (t * t + 4)) ** 2 == square * (t * t + 4))
    t = next(fits, None)
    return None if t is None else System((t, 1))


def square_of_system(system: System) -> int | None:
    """Return the least number of whose square root an automaton computes multiples in this system; None for others."""
    match system.recurrence:
        case (t, 1):
            whole = t * t + 4
            return next(
                c for c in range(2, whole + 1) if whole % c == 0 and isqrt(whole // c) ** 2 == whole // c
            )
    return None
