"""Enumeration of small expressions for a slot: a name that stands for another expression in each game of a survey."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from grundylab.errors import FormulaError
from grundylab.language.builtins import BUILTINS
from grundylab.language.operators import OPERATORS
from grundylab.language.substitution import with_sorted_operands
from grundylab.language.syntax import (
    COMPARISONS,
    Binary,
    Call,
    Expr,
    Kind,
    Logic,
    Not,
    compare,
)

MOST = 100_000  # expressions of one slot
_CONNECTIVES = ("and", "or")


def enumerate_expressions(parts: Sequence[Expr], signs: Sequence[str], size: int, kind: Kind) -> list[Expr]:
    """Return all expressions of a kind that combine ``parts`` by ``signs``, smaller ones first.

    signs: operators, comparisons, names of built-in functions, and ``and``, ``or``, ``not``. size: the largest number
    of parts and signs in one expression. Of expressions that differ only in the order of operands, such as x + y and y
    + x, the first is returned. Raises FormulaError for an unknown sign, and if there are more than MOST expressions.
    """
    for sign in signs:
        if (
            sign not in (*OPERATORS, *COMPARISONS, *_CONNECTIVES, "not") and sign not in BUILTINS
        ) or sign == "/":
            raise FormulaError(
                f"'{sign}' is not an operator, comparison, built-in function, 'and', 'or' or 'not'"
            )
    by_size: dict[int, list[Expr]] = {1: list(dict.fromkeys(parts))}
    forms = {with_sorted_operands(part) for part in parts}
    for total in range(2, size + 1):
        by_size[total] = []
        for expr in _combined(by_size, signs, total):
            form = with_sorted_operands(expr)
            if form not in forms:
                forms.add(form)
                by_size[total].append(expr)
            if len(forms) > MOST:
                raise FormulaError(f"there are more than {MOST:,} expressions; choose a smaller size")
    return [expr for expressions in by_size.values() for expr in expressions if expr.kind is kind]


def _combined(by_size: dict[int, list[Expr]], signs: Sequence[str], total: int) -> Iterator[Expr]:
    """Yield all expressions with exactly ``total`` parts and signs, made of the smaller ones in ``by_size``."""
    for sign in signs:
        for operand in by_size[total - 1]:
            if sign == "not" and operand.kind is Kind.CONDITION:
                yield Not(operand)
            elif sign in BUILTINS and BUILTINS[sign].single and operand.kind is Kind.NUMBER:
                yield Call(sign, (operand,))
        for left in range(1, total - 1):
            for one, other in product(by_size[left], by_size[total - 1 - left]):
                if (expr := _with_two(sign, one, other)) is not None:
                    yield expr


def _with_two(sign: str, one: Expr, other: Expr) -> Expr | None:
    """Return the sign applied to the operands, or None if the sign does not take two operands of their kinds."""
    if sign in _CONNECTIVES:
        conditions = one.kind is other.kind is Kind.CONDITION
        return Logic("and" if sign == "and" else "or", (one, other)) if conditions else None
    if not one.kind is other.kind is Kind.NUMBER:
        return None
    if sign in OPERATORS:
        return Binary(sign, one, other)
    if sign in COMPARISONS:
        return compare(sign, one, other)
    return Call(sign, (one, other)) if sign in BUILTINS and BUILTINS[sign].several else None
