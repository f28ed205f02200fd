"""One spelling for formulas that differ in order only: operands sorted, comparisons without minus signs.

Nothing here changes a value or makes a formula larger; equal formulas of different spelling become one.
"""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.discover.rewriting import simplify
from grundylab.language import Expr
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import (
    MIRRORED,
    Binary,
    Call,
    Compare,
    If,
    Int,
    Logic,
    Name,
    Negate,
    chain,
    compare,
    operands,
    walk,
)

_COMMUTATIVE = frozenset({"^", "&", "|", "*"})

Linear = dict[Expr, int]  # coefficient of each term; Int(1) for the constant


def tidy(expr: Expr, names: Sequence[str]) -> Expr:
    """The formula with its parts in the order of the names (coordinates, then parameters), constants last."""
    return _Tidier(names).tidy(expr)


def spelled(expr: Expr, names: Sequence[str]) -> Expr:
    """The formula tidied, and made smaller by rules."""
    return tidy(simplify(tidy(expr, names)), names)


class _Tidier:
    def __init__(self, names: Sequence[str]) -> None:
        self._order = {name: number for number, name in enumerate(names)}

    def tidy(self, expr: Expr) -> Expr:
        whole = rebuild(expr, tuple(map(self.tidy, expr.children)))
        other = self._respelled(whole)
        return other if other.size <= whole.size else whole

    def _respelled(self, expr: Expr) -> Expr:
        match expr:
            case Binary(op="+" | "-"):
                return self._sum(_linear(expr))
            case Binary(op="^"):
                return self._joined("^", self._sorted(_odd(operands(expr, "^"))) or [Int(0)])
            case Binary(op=op) if op in _COMMUTATIVE:
                return self._joined(op, self._sorted(operands(expr, op)))
            case Call(name="min" | "max" as name, arguments=arguments):
                return (
                    Call(name, tuple(self._sorted(list(dict.fromkeys(arguments)))))
                    if len(set(arguments)) > 1
                    else arguments[0]
                )
            case Compare(ops=("==" | "!=" as op,), terms=(Binary(op="^") as a, b) | (a, Binary(op="^") as b)):
                return self._nim_equation(op, a, b)
            case Compare(ops=(op,), terms=(a, b)):
                return self._comparison(op, a, b)
            case Logic(op=op, terms=terms):
                return Logic(op, tuple(sorted(terms, key=lambda term: (term.size > 9, self._key(term)))))
            case _:
                return expr

    def _key(self, expr: Expr) -> tuple[object, ...]:
        """Names first, then other terms by the names in them, conditional ones and constants last."""
        places = [self._order.get(node.id, len(self._order)) for node in walk(expr) if isinstance(node, Name)]
        kind = 2 if isinstance(expr, Int) else 1 if isinstance(expr, If) else 0
        return (kind, min(places, default=len(self._order)), expr.size, str(expr))

    def _sorted(self, parts: list[Expr]) -> list[Expr]:
        return sorted(parts, key=self._key)

    def _joined(self, op: str, parts: list[Expr]) -> Expr:
        if op == "*":  # 2 * x, but x * y
            parts = sorted(parts, key=lambda part: not isinstance(part, Int))
        return chain(op, parts)

    def _sum(self, coefficients: Linear) -> Expr:
        """Positive terms first, then the negative ones, the constant in its place."""
        constant = coefficients.get(Int(1), 0)
        terms = sorted((t for t in coefficients if t != Int(1) and coefficients[t]), key=self._key)
        plus = [_scaled(term, coefficients[term]) for term in terms if coefficients[term] > 0]
        minus = [_scaled(term, -coefficients[term]) for term in terms if coefficients[term] < 0]
        if constant > 0 or not plus:
            plus.append(Int(constant))
        elif constant < 0:
            minus.append(Int(-constant))
        return chain("-", [chain("+", plus), *minus])

    def _nim_equation(self, op: str, a: Expr, b: Expr) -> Expr:
        """``x ^ y == z``: everything but the last part on the left, what occurs twice left out."""
        parts = self._sorted(_odd([*operands(a, "^"), *operands(b, "^")]))
        if len(parts) < 2:
            return compare(op, parts[0] if parts else Int(0), Int(0))
        return compare(op, self._joined("^", parts[:-1]), parts[-1])

    def _comparison(self, op: str, a: Expr, b: Expr) -> Expr:
        """Every term on the side where its coefficient is positive; the first name on the left."""
        if isinstance(b, If):
            return compare(op, a, b)
        if isinstance(a, If):
            return compare(MIRRORED[op], b, a)
        difference = _linear(a)
        for term, count in _linear(b).items():
            difference[term] = difference.get(term, 0) - count
        left = {term: count for term, count in difference.items() if count > 0}
        right = {term: -count for term, count in difference.items() if count < 0}
        first = min(set(difference) - {Int(1)}, key=self._key, default=None)
        if first is None:
            return compare(op, a, b)
        if first in right:
            left, right, op = right, left, MIRRORED[op]
        if left.get(Int(1)) and not right:  # x + 1 == 0 has its constant on the right
            right = {Int(1): -left.pop(Int(1))}
        return (
            compare(op, self._sum(left), self._sum(right))
            if not right or not left
            else self._strict(op, left, right)
        )

    def _strict(self, op: str, left: Linear, right: Linear) -> Expr:
        """With 1 taken off a positive constant beside variables: ``x + 1 > y`` is ``x >= y``."""
        for side, weaker in ((left, {">": ">=", "<=": "<"}), (right, {"<": "<=", ">=": ">"})):
            if len(side) > 1 and side.get(Int(1), 0) > 0 and op in weaker:
                side[Int(1)] -= 1
                op = weaker[op]
        return compare(op, self._sum(left), self._sum(right))


def _odd(parts: list[Expr]) -> list[Expr]:
    """What is left of a nim-sum's parts when equal ones cancel."""
    return [part for part in dict.fromkeys(parts) if parts.count(part) % 2 and part != Int(0)]


def _linear(expr: Expr) -> Linear:
    """A sum of terms with integer coefficients; what is no sum, difference or multiple is one term."""
    match expr:
        case Int(value=value):
            return {Int(1): value} if value else {}
        case Binary(op="+" | "-" as op, left=left, right=right):
            total, sign = _linear(left), 1 if op == "+" else -1
            for term, count in _linear(right).items():
                total[term] = total.get(term, 0) + sign * count
            return {term: count for term, count in total.items() if count}
        case (
            Binary(op="*", left=Int(value=value), right=term)
            | Binary(op="*", left=term, right=Int(value=value))
        ):
            return {inner: value * count for inner, count in _linear(term).items() if value}
        case Negate(operand=operand):
            return {term: -count for term, count in _linear(operand).items()}
        case _:
            return {expr: 1}


def _scaled(term: Expr, count: int) -> Expr:
    return term if count == 1 else Binary("*", Int(count), term)
