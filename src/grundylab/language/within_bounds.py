"""Plainer expressions that are equal to a given one wherever its names lie within bounds.

Engines that draw at random write ``A * p`` for ``A if p == 1 else 0``, ``A // m > 0`` for ``A >= m``, and ``-1 % n``
for ``n - 1``. Automata cannot read products and quotients of variables, but they can read these words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from grundylab.errors import EvaluationError
from grundylab.language.folding import fold_constants
from grundylab.language.functions import NO_FUNCTIONS, Functions
from grundylab.language.intervals import Bounds, Interval, is_total, known_bounds
from grundylab.language.plain import evaluate
from grundylab.language.plainer_forms import SIMPLER, other_forms
from grundylab.language.substitution import rebuild, replace_part, substitute
from grundylab.language.syntax import (
    FALSE,
    MIRRORED,
    TRUE,
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Logic,
    Name,
    Not,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    distinct_parts,
    free_names,
    negate,
)

MOST_NODES = 200  # the time grows with the square; what is longer, nobody reads


def simplify_within(expr: Expr, bounds: Bounds, functions: Functions = NO_FUNCTIONS) -> Expr:
    """Return a plainer expression, equal to this one wherever its names lie within the bounds.

    It has no value where this one has none. If p is 0 or 1, and m at least 1, ``x * p >= m`` becomes
    ``p > 0 and x >= m``, and ``(x + y) // m > 0`` becomes ``x + y >= m``. bounds: of all free names; NATURAL for a
    natural number of any size. An expression of more than MOST_NODES is returned as it is.
    """
    return _Within(bounds, functions).plain(expr) if expr.size <= MOST_NODES else expr


@dataclass(frozen=True)
class _Within:
    bounds: Bounds
    functions: Functions

    def plain(self, expr: Expr) -> Expr:
        """Return the plainer expression."""
        match expr:
            case If(condition=condition, then=then, otherwise=otherwise):
                return self._choice(self.plain(condition), then, otherwise)
            case Bounded() | Call(name="floor" | "ceil"):
                return expr
        whole = fold_constants(rebuild(expr, tuple(map(self.plain, expr.children))))
        for form in other_forms(whole, self._ends, SIMPLER, self._total):
            return self.plain(form)
        plainer: Expr | None = None
        match whole:
            case Compare(ops=(op,), terms=(If() as choice, other)):
                plainer = self._choice_compared(choice, partial(compare, op), other)
            case Compare(ops=(op,), terms=(other, If() as choice)):
                plainer = self._choice_compared(choice, partial(compare, MIRRORED[op]), other)
            case Logic(op=op, terms=terms):
                plainer = self._joined(op, *terms)
            case Not(operand=Bool(value=value)):
                plainer = Bool(not value)
        return whole if plainer is None else plainer

    def _choice(self, test: Expr, then: Expr, otherwise: Expr) -> Expr:
        """Return ``then if test else otherwise``; the test is known in each branch."""
        if isinstance(test, Bool):
            return self.plain(then if test.value else otherwise)
        number = _number_not_zero(test)
        then = self._given(replace_part(then, test, TRUE), number)
        otherwise = replace_part(otherwise, test, FALSE)
        ends = None if number is None else self._ends(number)
        if number is None or ends is None or ends.low != 0:
            return self._if(test, then, self.plain(otherwise))
        otherwise = self.plain(replace_part(otherwise, number, Int(0)))
        if not self._total(then):
            return self._if(test, then, otherwise)
        at_zero = replace_part(then, number, Int(0))
        return then if _same(at_zero, otherwise) else self._if(test, then, otherwise)

    def _if(self, test: Expr, then: Expr, otherwise: Expr) -> Expr:
        """Return the conditional; shorter if both branches are equal, a branch is constant, or it is a bit."""
        match then, otherwise:
            case _ if then == otherwise and self._total(test):
                return then
            case Bool(value=True), _:
                return self._joined("or", test, otherwise)
            case Bool(), _:
                return self._joined("and", _negated(test), otherwise)
            case _, Bool(value=False):
                return self._joined("and", test, then)
            case _, Bool():
                return self._joined("or", _negated(test), then)
            case If(condition=inner, then=first, otherwise=second), _ if second == otherwise:
                return self._if(conjunction(test, inner), first, otherwise)
            case Int(value=1), Int(value=0):
                for term in conjuncts(test):
                    if (bit := _number_not_zero(term)) is not None and self._ends(bit) == Interval(0, 1):
                        others = conjunction(*(other for other in conjuncts(test) if other != term))
                        if self._total(bit, others):
                            return bit if others == TRUE else If(others, bit, Int(0))
        return If(test, then, otherwise)

    def _joined(self, op: Literal["and", "or"], *terms: Expr) -> Expr:
        """Return the terms joined, without those that make no difference; one that may have no value does make one."""
        whole, end = conjunction(*terms) if op == "and" else disjunction(*terms), Bool(op == "or")
        if whole != end:
            return whole
        parts = list[Expr]()
        for term in terms:
            parts += term.terms if isinstance(term, Logic) and term.op == op else (term,)
        before = parts[: parts.index(end)]
        return whole if self._total(*before) else Logic(op, (*before, end))

    def _given(self, expr: Expr, number: Expr | None) -> Expr:
        """Return the plainer expression where the number is not 0. None: nothing is known."""
        ends = None if number is None else self._ends(number)
        if number is None or ends is None or ends.low < 0:
            return self.plain(expr)
        if ends.high == 1:
            return self.plain(replace_part(expr, number, Int(1)))
        name = number.id if isinstance(number, Name) else f"_positive{len(self.bounds)}"
        inner = {**self.bounds, name: Interval(max(1, ends.low), ends.high)}
        plainer = _Within(inner, self.functions).plain(replace_part(expr, number, Name(name)))
        return substitute(plainer, {name: number})

    def _ends(self, expr: Expr) -> Interval | None:
        return known_bounds(expr, self.bounds, self.functions)

    def _choice_compared(
        self, choice: If, relation: Callable[[Expr, Expr], Expr], other: Expr
    ) -> Expr | None:
        """Return the comparison of each branch, if one of these is decided; otherwise None."""
        sides = [self.plain(relation(branch, other)) for branch in (choice.then, choice.otherwise)]
        if self._total(other) and any(isinstance(side, Bool) for side in sides):
            return self._if(choice.condition, *sides)
        return None

    def _total(self, *exprs: Expr) -> bool:
        return all(is_total(expr, self.functions, self.bounds) for expr in exprs)


def _negated(test: Expr) -> Expr:
    """Return the negation; beside a literal truth value nothing is left out."""
    return Not(test) if any(isinstance(part, Bool) for part in distinct_parts(test)) else negate(test)


def _number_not_zero(test: Expr) -> Expr | None:
    """Return the natural number, if there is one, that is not 0 exactly where the test is true."""
    match test:
        case (
            Compare(ops=("!=" | ">",), terms=(number, Int(value=0)))
            | Compare(ops=("<",), terms=(Int(value=0), number))
        ):
            return number
        case Compare(ops=("!=",), terms=(a, b)):
            return Binary("^", a, b)
    return None


def _same(a: Expr, b: Expr) -> bool:
    """Tell whether the two are plainly the same."""
    if free_names(a) | free_names(b):
        return fold_constants(a) == fold_constants(b)
    try:
        return evaluate(a, {}) == evaluate(b, {})
    except EvaluationError:
        return False
