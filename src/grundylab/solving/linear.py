"""How an expression depends on one name where that is linear, bounds that are linear, and what always has a value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from grundylab.formula.functions import Functions
from grundylab.formula.lowering import lower
from grundylab.formula.syntax import (
    Accepts,
    Binary,
    Bounded,
    Call,
    Expr,
    Int,
    Name,
    Negate,
    free_names,
    negative,
    walk,
)


@dataclass(frozen=True)
class Slope:
    """``factor * name + rest``, where neither mentions the name."""

    factor: Expr
    rest: Expr


def slope(expr: Expr, name: str) -> Slope | None:
    """The expression as a multiple of the name and a rest; None where it is not written so, with one mention."""
    if name not in free_names(expr):
        return Slope(Int(0), expr)
    match expr:
        case Name():
            return Slope(Int(1), Int(0))
        case Negate(operand=operand):
            inner = slope(operand, name)
            return inner and Slope(negative(inner.factor), negative(inner.rest))
        case (
            Binary(op="*", left=factor, right=Name(id=other))
            | Binary(op="*", left=Name(id=other), right=factor)
        ):
            alone = other == name and name not in free_names(factor)
            return Slope(factor, Int(0)) if alone else None
        case Binary(op="+" | "-" as op, left=left, right=right):
            if name not in free_names(right):
                inner = slope(left, name)
                return inner and Slope(inner.factor, Binary(op, inner.rest, right))
            inner = None if name in free_names(left) else slope(right, name)
            if inner is None:
                return None
            return Slope(inner.factor if op == "+" else negative(inner.factor), Binary(op, left, inner.rest))
    return None


def is_total(expr: Expr, functions: Functions) -> bool:
    """Whether it surely has a value wherever its names have, so that it may be asked for too early, or in vain."""
    return all(_never_fails(node, functions) for node in walk(functions.expand(lower(expr))))


def _never_fails(node: Expr, functions: Functions) -> bool:
    match node:
        case Binary(op="//" | "%", right=divisor):
            return isinstance(divisor, Int) and divisor.value != 0
        case Binary(op=op):
            return op not in ("<<", ">>")
        case Call(name=name):
            return name in ("min", "max", "abs")
    return not isinstance(node, Bounded | Accepts)


@dataclass(frozen=True)
class Form:
    """``constant`` plus multiples of names."""

    constant: int
    factors: tuple[tuple[str, int], ...] = field(default=())

    def plus(self, other: Form, times: int = 1) -> Form:
        """The sum with a multiple of the other."""
        names = dict(self.factors)
        for name, factor in other.factors:
            names[name] = names.get(name, 0) + times * factor
        kept = tuple(sorted((name, factor) for name, factor in names.items() if factor))
        return Form(self.constant + times * other.constant, kept)

    def without(self, name: str) -> Form:
        """The rest of it."""
        return Form(self.constant, tuple((other, factor) for other, factor in self.factors if other != name))


def bounds_above(expr: Expr) -> list[Form]:
    """Some forms that are nowhere less than the expression; perhaps none is known."""
    return _bounds(expr, above=True)


def bounds_below(expr: Expr) -> list[Form]:
    """Some forms that are nowhere more than the expression; perhaps none is known."""
    return _bounds(expr, above=False)


def _bounds(expr: Expr, above: bool) -> list[Form]:
    match expr:
        case Int(value=value):
            return [Form(value)]
        case Name(id=name):
            return [Form(0, ((name, 1),))]
        case Negate(operand=operand):
            return _scaled(_bounds(operand, not above), -1)
        case Binary(op="+", left=left, right=right):
            return _sums(_bounds(left, above), _bounds(right, above))
        case Binary(op="-", left=left, right=right):
            return _sums(_bounds(left, above), _scaled(_bounds(right, not above), -1))
        case Binary(op="*", left=Int(value=factor), right=right):
            return _scaled(_bounds(right, above == (factor >= 0)), factor)
        case Call(name="min" | "max" as name, arguments=arguments) if (name == "min") == above:
            return [form for argument in arguments for form in _bounds(argument, above)]
    return []


def _scaled(forms: Iterable[Form], factor: int) -> list[Form]:
    return [Form(0).plus(form, factor) for form in forms]


def _sums(left: Iterable[Form], right: Iterable[Form]) -> list[Form]:
    return [a.plus(b) for a, b in product(left, right)]
