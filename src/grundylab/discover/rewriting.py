"""Rewriting of formulas into smaller ones, by rules or as far as the data allow; and a normal form of formulas.

Only ``reduce_while_exact`` consults the data, and may change a formula's values elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from grundylab.discover.plainness import plainness
from grundylab.discover.polynomials import product_of
from grundylab.language import Expr, Kind
from grundylab.language.neighbours import cheapest, neighbours
from grundylab.language.operators import OPERATORS
from grundylab.language.parser import MAX_DIGITS, has_short_numbers
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import (
    FALSE,
    MIRRORED,
    TRUE,
    Binary,
    Bool,
    Call,
    Compare,
    If,
    Int,
    Logic,
    Name,
    Negate,
    Not,
    chain,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    negate,
    operands,
    walk,
)

LinearTerms = dict[Expr, int]  # coefficient of each term; Int(1) for the constant


def short_comparison(op: str, term: Expr, value: int) -> Expr:
    """Return ``term op value``, with ``a - b > 0`` written as ``a > b``, ``a ^ b == 0`` as ``a == b``, and so on."""
    if isinstance(term, Binary) and term.op == "-":
        if op == "<" and value == 1:
            op, value = "<=", 0
        elif op == ">=" and value == 1:
            op, value = ">", 0
    if (
        isinstance(term, Binary)
        and value == 0
        and (term.op == "-" or (term.op == "^" and op in ("==", "!=")))
    ):
        if isinstance(term.left, Int):
            return compare(MIRRORED[op], term.right, term.left)
        return compare(op, term.left, term.right)
    return compare(op, term, Int(value))


@lru_cache(maxsize=20_000)  # subexpressions recur while a formula is cut down
def simplify(expr: Expr) -> Expr:
    """Return an expression that rules derive from this one, with the same value everywhere and no larger."""
    while True:
        whole = rebuild(expr, tuple(map(simplify, expr.children)))
        others = list[Expr]()
        match whole:
            case If(condition=test, then=a, otherwise=b):
                others = list(_choices(test, a, b))
            case Logic(op="and", terms=terms):
                others = [conjunction(*terms)]
            case Logic(op="or", terms=terms):
                others = [disjunction(*terms)]
                common, rests = common_parts(list(map(conjuncts, terms)))
                if common:  # as in a and (b or c)
                    others.append(conjunction(*common, disjunction(*(conjunction(*rest) for rest in rests))))
            case Not(operand=operand):
                others = [negate(operand)]
        best = min(whole, *others, key=plainness) if others else whole
        if best == expr or (best.size >= expr.size and best == whole):
            return best
        expr = best


def _choices(test: Expr, a: Expr, b: Expr) -> Iterator[Expr]:
    """Yield other forms of ``a if test else b``.

    If a and b are nim-sums, common operands are taken out: ``x ^ u if c else x ^ w`` becomes ``x ^ (u if c else w)``.
    """
    opposite = negate(test)
    if a == b or isinstance(test, Bool):
        yield b if test == FALSE else a
        return
    if a.kind is Kind.CONDITION:
        if isinstance(a, Bool):
            yield disjunction(test, b) if a.value else conjunction(opposite, b)
        if isinstance(b, Bool):
            yield disjunction(opposite, a) if b.value else conjunction(test, a)
    if isinstance(a, If):
        if a.otherwise == b:
            yield If(conjunction(test, a.condition), a.then, b)
        if a.then == b:
            yield If(conjunction(test, negate(a.condition)), a.otherwise, b)
    if isinstance(b, If):
        if b.then == a:
            yield If(disjunction(test, b.condition), a, b.otherwise)
        if b.otherwise == a:
            yield If(conjunction(opposite, b.condition), b.then, a)
    one, other = _nim_parts(a), _nim_parts(b)
    if one is None or other is None:
        return
    common, rests = common_parts([one, other])
    if common:
        choice = simplify(If(test, *map(_nim_sum, rests)))
        number = a.kind is Kind.NUMBER
        yield _nim_sum([*common, choice]) if number else compare("==", _nim_sum(common), choice)


def _nim_parts(expr: Expr) -> list[Expr] | None:
    """Return the operands of a nim-sum, or of the nim-sums on both sides of an equation, without zeros.

    None for a condition that is no equation, or if two operands are equal.
    """
    if expr.kind is Kind.NUMBER:
        parts = [part for part in operands(expr, "^") if part != Int(0)]
    elif isinstance(expr, Compare) and expr.ops == ("==",):
        parts = [part for term in expr.terms for part in operands(term, "^") if part != Int(0)]
    else:
        return None
    return parts if len(set(parts)) == len(parts) else None


def _nim_sum(parts: list[Expr]) -> Expr:
    return chain("^", parts) if parts else Int(0)


def common_parts(lists: Sequence[Sequence[Expr]]) -> tuple[list[Expr], list[list[Expr]]]:
    """Return the expressions that are in all of the lists, and what is left of each list without them."""
    common = [part for part in lists[0] if all(part in other for other in lists[1:])]
    return common, [[part for part in parts if part not in common] for parts in lists]


def reduce_while_exact(expr: Expr, exact: Callable[[Expr], bool]) -> Expr:
    """Return the expression made smaller while ``exact`` stays true: parts are left out or replace their whole."""
    return cheapest(expr, lambda e: map(simplify, neighbours(e, _smaller)), exact, lambda e: e.size)


def _smaller(expr: Expr) -> Iterator[Expr]:
    for child in expr.children:
        if child.kind is expr.kind and child.free <= expr.free:  # not the body of a sum
            yield child
    if expr.kind is Kind.CONDITION:
        yield from (TRUE, FALSE)
    elif expr.size > 1:
        yield from (Int(0), Int(1))
    if isinstance(expr, Logic) and len(expr.terms) > 2:
        for index in range(len(expr.terms)):
            yield Logic(expr.op, expr.terms[:index] + expr.terms[index + 1 :])
    if isinstance(expr, Binary) and expr.op == "^":
        parts = operands(expr, "^")
        for index in range(len(parts)):
            yield _nim_sum(parts[:index] + parts[index + 1 :])


# -- a normal form for formulas that differ in order only ---------------------------------------------------------


def tidy(expr: Expr, names: Sequence[str]) -> Expr:
    """Return the formula with the parts of sums, comparisons and the like in the order of the names, constants last.

    names: the coordinates and then the parameters. A formula whose numbers would become too long stays as it is.
    """
    tidied = _Tidier(names).tidy(expr)
    return tidied if has_short_numbers(tidied) else expr


def normal_form(expr: Expr, names: Sequence[str]) -> Expr:
    """Return the formula simplified by rules, with its parts ordered by ``tidy``."""
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
            case Binary(op=op) if OPERATORS[op].commutes:
                return self._joined(op, self._sorted(operands(expr, op)))
            case Call(name="min" | "max" as name, arguments=arguments):
                return (
                    Call(name, tuple(self._sorted(list(dict.fromkeys(arguments)))))
                    if len(set(arguments)) > 1
                    else arguments[0]
                )
            case Compare(ops=("==" | "!=" as op,), terms=(Binary(op="^") as a, b) | (a, Binary(op="^") as b)):
                # x ^ y == z: all operands but the last on the left, equal ones cancelled
                parts = self._sorted(_odd([*operands(a, "^"), *operands(b, "^")]))
                if len(parts) < 2:
                    return compare(op, parts[0] if parts else Int(0), Int(0))
                return compare(op, self._joined("^", parts[:-1]), parts[-1])
            case Compare(ops=(op,), terms=(a, b)):
                return self._comparison(op, a, b)
            case Logic(op=op, terms=terms):
                return Logic(op, tuple(sorted(terms, key=lambda term: (term.size > 9, self._key(term)))))
            case _:
                return expr

    def _key(self, expr: Expr) -> tuple[object, ...]:
        """Return a sort key for operands: by their first name, then by size; conditionals and constants come last."""
        places = [self._order.get(node.id, len(self._order)) for node in walk(expr) if isinstance(node, Name)]
        kind = 2 if isinstance(expr, Int) else 1 if isinstance(expr, If) else 0
        text = re.sub(r"\d+", lambda digits: digits[0].zfill(MAX_DIGITS), str(expr))  # x == 9 before x == 10
        return (kind, min(places, default=len(self._order)), expr.size, text)

    def _sorted(self, parts: list[Expr]) -> list[Expr]:
        return sorted(parts, key=self._key)

    def _joined(self, op: str, parts: list[Expr]) -> Expr:
        if op == "*":  # 2 * x, but x * y
            parts = sorted(parts, key=lambda part: not isinstance(part, Int))
        return chain(op, parts)

    def _sum(self, coefficients: LinearTerms) -> Expr:
        """Return a sum with positive terms first, then the negative ones."""
        constant = coefficients.get(Int(1), 0)
        terms = sorted((t for t in coefficients if t != Int(1) and coefficients[t]), key=self._key)
        plus = [product_of(coefficients[term], [term]) for term in terms if coefficients[term] > 0]
        minus = [product_of(-coefficients[term], [term]) for term in terms if coefficients[term] < 0]
        if constant > 0 or not plus:
            plus.append(Int(constant))
        elif constant < 0:
            minus.append(Int(-constant))
        return chain("-", [chain("+", plus), *minus])

    def _comparison(self, op: str, a: Expr, b: Expr) -> Expr:
        """Return a comparison without negative coefficients: terms change sides; the first name is on the left."""
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
        if left.get(Int(1)) and not right:  # x + 1 == 0 gets its constant on the right
            right = {Int(1): -left.pop(Int(1))}
        for side, weaker in ((left, {">": ">=", "<=": "<"}), (right, {"<": "<=", ">=": ">"})):
            if len(side) > 1 and side.get(Int(1), 0) > 0 and left and right and op in weaker:
                side[Int(1)] -= 1  # x + 1 > y becomes x >= y
                op = weaker[op]
        return _of_remainder(compare(op, self._sum(left), self._sum(right)))


def _of_remainder(condition: Expr) -> Expr:
    """Return the comparison of a remainder with its least or greatest value as an equation, such as ``n % 2 == 0``."""
    match condition:
        case Compare(ops=(op,), terms=(Binary(op="%", right=Int(divisor)) as rest, Int(value))) if (
            divisor > 1
        ):
            op, value = {"<": ("<=", value - 1), ">=": (">", value - 1)}.get(op, (op, value))
            equations = {("<=", divisor - 2): ("!=", divisor - 1), (">", divisor - 2): ("==", divisor - 1)}
            equations |= {("<=", 0): ("==", 0), (">", 0): ("!=", 0)}
            if (op, value) in equations:
                op, value = equations[op, value]
                return compare(op, rest, Int(value))
    return condition


def _odd(parts: list[Expr]) -> list[Expr]:
    """Return the operands of a nim-sum that remain when equal ones cancel in pairs."""
    return [part for part in dict.fromkeys(parts) if parts.count(part) % 2 and part != Int(0)]


def _linear(expr: Expr) -> LinearTerms:
    """Return the expression as a sum of terms with integer coefficients; one that is not linear is a single term."""
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
