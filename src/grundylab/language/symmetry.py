"""Whether an expression stays the same when names are exchanged, as far as its text shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import pairwise

from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Call, Expr, Logic, Name

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
    parts: Iterable[object] = map(_form, _operands(expr))
    match expr:
        case Binary(op=op) if op in _UNORDERED:
            parts = sorted(parts, key=repr)
        case Logic() | Call(name="min" | "max"):
            parts = sorted(parts, key=repr)
    return (type(expr).__name__, *plain, *parts)


def _operands(expr: Expr) -> list[Expr]:
    """The expression's parts; of a chain of one unordered operator all its operands."""
    if not isinstance(expr, Binary) or expr.op not in _UNORDERED:
        return list(expr.children)
    return [
        part
        for child in expr.children
        for part in (_operands(child) if isinstance(child, Binary) and child.op == expr.op else [child])
    ]


def _trees(value: object) -> bool:
    return isinstance(value, tuple) and any(isinstance(item, Expr) for item in value)
