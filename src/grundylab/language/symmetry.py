"""Whether an expression stays the same when names are exchanged, as far as its text shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise

from grundylab.language.builtins import BUILTINS
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Call, Expr, Logic, Name, operands

_UNORDERED = frozenset({"+", "*", "^", "&", "|"})


def symmetric(expr: Expr, names: Sequence[str]) -> bool:
    """Whether the expression, up to the order of sums and the like, is the same with any two of the names exchanged.

    It may be symmetric without that being seen.
    """
    form = _form(expr)
    return all(
        _form(substitute(expr, {one: Name(other), other: Name(one)})) == form
        for one, other in pairwise(names)
    )


def _form(expr: Expr) -> tuple[object, ...]:
    """Equal for expressions that differ only in the order of operands where that does not matter."""
    values = (getattr(expr, field.name) for field in fields(expr))
    plain = [value for value in values if not isinstance(value, Expr) and not _trees(value)]
    children: Sequence[Expr] = expr.children
    match expr:
        case Binary(op=op) if op in _UNORDERED:
            children, unordered = operands(expr, op), True
        case _:
            row = BUILTINS.get(expr.name) if isinstance(expr, Call) else None
            unordered = isinstance(expr, Logic) or (row is not None and row.several)
    parts = map(_form, children)
    return (type(expr).__name__, *plain, *(sorted(parts, key=repr) if unordered else parts))


def _trees(value: object) -> bool:
    return isinstance(value, tuple) and any(isinstance(item, Expr) for item in value)
