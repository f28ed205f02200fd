"""A smaller language of the same meaning, all that the readers need know.

``/``, ``floor`` and ``ceil`` are put as ``//`` on integers, a chain of comparisons as single ones with ``and`` between.
"""

from __future__ import annotations

from grundylab.language.substitution import over
from grundylab.language.syntax import (
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Logic,
    Negate,
    compare,
    limited,
    negative,
)

_LOWERED, _FRACTION = "_lowered", "_fraction"  # under which a node keeps them


def fraction(expr: Expr) -> tuple[Expr, Expr]:
    """A NUMBER or RATIO as (numerator, denominator), both NUMBERs, uncancelled: signs may be anywhere.

    Both are lowered. A fraction under a fraction doubles what is below it: FormulaError where that gets too large.
    """
    if _FRACTION not in vars(expr):
        vars(expr)[_FRACTION] = _fraction(expr)
    found: tuple[Expr, Expr] = vars(expr)[_FRACTION]
    return found


def lower(expr: Expr) -> Expr:
    """The same value without ``/``, ``floor``, ``ceil`` and comparisons of more than two terms.

    What is shared in the expression is looked at once, and is shared in the result. The node keeps what was found, as
    it does its size: the same formula is read again and again.
    """
    if _LOWERED not in vars(expr):
        lowered = _lower(expr)
        vars(expr)[_LOWERED] = None if lowered is expr else lowered  # no node keeps itself
    found: Expr | None = vars(expr)[_LOWERED]
    return found or expr


def _lower(expr: Expr) -> Expr:
    if isinstance(expr, Call) and expr.name in ("floor", "ceil"):
        top, bottom = fraction(expr.arguments[0])
        if bottom == Int(1):
            return top
        if expr.name == "floor":
            return Binary("//", top, bottom)
        return negative(Binary("//", negative(top), bottom))
    if isinstance(expr, Compare) and len(expr.ops) > 1:  # ``and`` stops at the first link that is false, too
        return Logic("and", tuple(compare(op, lower(a), lower(b)) for op, a, b in expr.links))
    return over(expr, tuple(map(lower, expr.children)))


def _fraction(expr: Expr) -> tuple[Expr, Expr]:
    if expr.kind is Kind.NUMBER:
        return lower(expr), Int(1)
    if isinstance(expr, Negate):
        top, bottom = fraction(expr.operand)
        return negative(top), bottom
    assert isinstance(expr, Binary)
    (a, b), (c, d) = fraction(expr.left), fraction(expr.right)
    if expr.op == "*":
        return _product(a, c), _product(b, d)
    if expr.op == "/":
        if not isinstance(d, Int) or d.value == 0:
            a, b = _product(a, d), _product(b, d)  # a/(c/d) has no value where d is 0: keep d below the line
        return limited(_product(a, d)), limited(_product(b, c))
    return limited(Binary(expr.op, _product(a, d), _product(c, b))), _product(b, d)


def _product(a: Expr, b: Expr) -> Expr:
    if a == Int(1):
        return b
    return a if b == Int(1) else Binary("*", a, b)
