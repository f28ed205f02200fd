"""Remainders that a condition mentions again and again, computed once.

``y % 12 == 1 or y % 12 == 4 or y % 12 == 8`` becomes ``any(r == 1 or r == 4 or r == 8 for r in range(y % 12, y % 12 +
1))``: no better to read, but a decision procedure then has one quotient to guess, not three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grundylab.language import names
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Binary, Bounded, Expr, Int, Kind, Logic, Name, walk

LEAST = 3  # times that a remainder is mentioned before it is worth a name


def shared(expr: Expr) -> Expr:
    """The condition, true and defined at the same values, with repeated remainders given a name."""
    return _shared(expr, {node.variable for node in walk(expr) if isinstance(node, Bounded)})


def _shared(expr: Expr, taken: set[str]) -> Expr:
    if expr.kind is not Kind.CONDITION:
        return expr
    known: dict[str, Expr] = {}
    if isinstance(expr, Logic):
        inside = [Counter(_remainders(term)) for term in expr.terms]
        for term, times in sum(inside, Counter[Expr]()).items():
            if times >= LEAST and max(part[term] for part in inside) < times:
                name = names.remainder(taken)
                taken.add(name)
                known[name] = term
                expr = _put(expr, term, Name(name))
    expr = rebuild(expr, tuple(_shared(child, taken) for child in expr.children))
    for name, term in known.items():
        expr = Bounded("any", name, term, Binary("+", term, Int(1)), expr)
    return expr


def _remainders(expr: Expr) -> Iterator[Expr]:
    """The remainders of names by constants, but for those under a quantifier, which may bind the name."""
    match expr:
        case Bounded():
            return
        case Binary(op="%", left=Name(), right=Int(value=value)) if value > 0:
            yield expr
        case _:
            for child in expr.children:
                yield from _remainders(child)


def _put(expr: Expr, old: Expr, new: Expr) -> Expr:
    if expr == old:
        return new
    if isinstance(expr, Bounded):
        return expr
    return rebuild(expr, tuple(_put(child, old, new) for child in expr.children))
