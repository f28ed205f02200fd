"""Without fractions: ``/``, ``floor`` and ``ceil`` put as ``//`` on integers, all that the readers need know."""

from __future__ import annotations

from grundylab.formula.substitution import limited, rebuild
from grundylab.formula.syntax import Binary, Call, Expr, Int, Kind, Negate, negative


def fraction(expr: Expr) -> tuple[Expr, Expr]:
    """A NUMBER or RATIO as (numerator, denominator), both NUMBERs, uncancelled: signs may be anywhere.

    Both are lowered. A fraction under a fraction doubles what is below it: FormulaError where that gets too large.
    """
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
        if not isinstance(d, Int) or d.value == 0:  # a/(c/d) has no value where d is 0: keep d below the line
            a, b = _product(a, d), _product(b, d)
        return limited(_product(a, d)), limited(_product(b, c))
    return limited(Binary(expr.op, _product(a, d), _product(c, b))), _product(b, d)


def _product(a: Expr, b: Expr) -> Expr:
    if a == Int(1):
        return b
    return a if b == Int(1) else Binary("*", a, b)


def lower(expr: Expr) -> Expr:
    """The same value without ``/``, ``floor`` and ``ceil``: only ``//`` is left for the readers."""
    if isinstance(expr, Call) and expr.name in ("floor", "ceil"):
        top, bottom = fraction(expr.arguments[0])
        if bottom == Int(1):
            return top
        if expr.name == "floor":
            return Binary("//", top, bottom)
        return negative(Binary("//", negative(top), bottom))
    children = expr.children
    return rebuild(expr, tuple(lower(child) for child in children)) if children else expr
