"""Linear inequalities between polynomials, and the linear dependence of an expression on one name.

A polynomial here has integer coefficients. Its variables are *atoms*: names, and numbers that are not analysed, such as
``x % 3``. A condition is split into inequalities ``polynomial >= 0`` and other conditions. Floors, minima and the like
are removed from an inequality where the result is equivalent.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from grundylab.errors import FormulaError
from grundylab.language.functions import Functions
from grundylab.language.infinity import INFINITY
from grundylab.language.intervals import Bounds, known_bounds
from grundylab.language.substitution import lower, substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Name,
    Negate,
    chain,
    conjuncts,
    free_names,
    negative,
)

AtomMonomial = tuple[Expr, ...]
_MOST_PAIRS, _MOST_TERMS = 2_000, 200  # terms multiplied with each other; of a product, or written out


@dataclass(frozen=True)
class AtomPolynomial:
    """A polynomial ``sum(coefficient * product of atoms)``, made by ``atom_polynomial`` and ``constant_polynomial``.

    Its terms are sorted and have no coefficient 0, so equal polynomials have equal terms.
    """

    terms: tuple[tuple[AtomMonomial, int], ...] = ()

    def __add__(self, other: AtomPolynomial | int) -> AtomPolynomial:
        more = constant_polynomial(other) if isinstance(other, int) else other
        return _collected([*self.terms, *more.terms])

    def __sub__(self, other: AtomPolynomial | int) -> AtomPolynomial:
        return self + other * -1

    def __mul__(self, other: AtomPolynomial | int) -> AtomPolynomial:
        by = constant_polynomial(other) if isinstance(other, int) else other
        return _collected([(a + b, c * d) for (a, c), (b, d) in product(self.terms, by.terms)])

    @property
    def names(self) -> frozenset[str]:
        """The names that the polynomial's value depends on."""
        return frozenset(name for monomial, _ in self.terms for atom in monomial for name in free_names(atom))

    @property
    def number(self) -> int | None:
        """The value of a constant polynomial; None for any other."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    def split(self, name: str) -> tuple[AtomPolynomial, AtomPolynomial] | None:
        """Return (a, b), both without the name, such that the polynomial is a * name + b; None if impossible."""
        slope: list[tuple[AtomMonomial, int]] = []
        rest: list[tuple[AtomMonomial, int]] = []
        for monomial, coefficient in self.terms:
            others = tuple(atom for atom in monomial if atom != Name(name))
            if len(monomial) - len(others) > 1 or any(name in free_names(atom) for atom in others):
                return None
            (rest if len(others) == len(monomial) else slope).append((others, coefficient))
        return _collected(slope), _collected(rest)

    def expression(self) -> Expr:
        """Return the polynomial as an expression: first positive terms, then negative terms, then the constant.

        Raises FormulaError if there are too many terms.
        """
        if len(self.terms) > _MOST_TERMS:
            raise FormulaError(f"a polynomial of {len(self.terms):,} terms is not written out")
        number = dict(self.terms).get((), 0)
        added = [_product(monomial, factor) for monomial, factor in self.terms if monomial and factor > 0]
        taken = [_product(monomial, -factor) for monomial, factor in self.terms if monomial and factor < 0]
        if not added and (number or not taken):
            added, number = [Int(number)], 0
        first = chain("+", added) if added else negative(taken.pop(0))
        total = chain("-", [first, *taken])
        return Binary("+" if number > 0 else "-", total, Int(abs(number))) if number else total


def _product(monomial: AtomMonomial, factor: int) -> Expr:
    return chain("*", monomial if factor == 1 else (Int(factor), *monomial))


def constant_polynomial(value: int) -> AtomPolynomial:
    """Return the constant polynomial with this value."""
    return _collected([((), value)])


def atom_polynomial(expr: Expr) -> AtomPolynomial:
    """Return a number without fractions as a polynomial; any part but a sum, difference or product is an atom.

    A product that would have very many terms is an atom, too.
    """
    return _poly(expr, {})


def _poly(expr: Expr, done: dict[int, AtomPolynomial]) -> AtomPolynomial:
    """Return the expression as a polynomial. done: the polynomials of parts so far, by the parts' ``id``."""
    if id(expr) not in done:
        match expr:
            case Int(value=value):
                polynomial = constant_polynomial(value)
            case Negate(operand=operand):
                polynomial = _poly(operand, done) * -1
            case Binary(op="+", left=left, right=right):
                polynomial = _poly(left, done) + _poly(right, done)
            case Binary(op="-", left=left, right=right):
                polynomial = _poly(left, done) - _poly(right, done)
            case Binary(op="*", left=left, right=right):
                one, other = _poly(left, done), _poly(right, done)
                polynomial = AtomPolynomial((((expr,), 1),))  # unless the product has few terms
                if len(one.terms) * len(other.terms) <= _MOST_PAIRS:
                    multiplied = one * other
                    polynomial = multiplied if len(multiplied.terms) <= _MOST_TERMS else polynomial
            case _:
                polynomial = AtomPolynomial((((expr,), 1),))
        done[id(expr)] = polynomial
    return done[id(expr)]


def _collected(terms: list[tuple[AtomMonomial, int]]) -> AtomPolynomial:
    total: dict[AtomMonomial, int] = {}
    for monomial, coefficient in terms:
        monomial = tuple(sorted(monomial, key=str))
        total[monomial] = total.get(monomial, 0) + coefficient
    kept = [(monomial, coefficient) for monomial, coefficient in total.items() if coefficient]
    return AtomPolynomial(tuple(sorted(kept, key=lambda term: tuple(map(str, term[0])))))


def linear_dependence(expr: Expr, name: str) -> tuple[Expr, Expr] | None:
    """Return (factor, rest) such that the number is ``factor * name + rest`` and neither contains the name.

    Returns None if the number is not linear in the name.
    """
    parts = atom_polynomial(expr).split(name)
    return parts and (parts[0].expression(), substitute(expr, {name: Int(0)}))


@dataclass(frozen=True)
class InequalityReader:
    """A translator of conditions into inequalities. known: bounds on all names in the conditions."""

    known: Bounds
    functions: Functions

    def conditions(self, expr: Expr) -> tuple[tuple[AtomPolynomial, ...], tuple[Expr, ...]]:
        """Split a condition into polynomials and other conditions.

        The condition is true exactly where all the polynomials are >= 0 and all the other conditions are true.
        """
        polys: list[AtomPolynomial] = []
        others: list[Expr] = []
        for part in conjuncts(lower(self.functions.expand(expr))):
            if isinstance(part, Compare) and "!=" not in part.ops:
                for op, left, right in part.links:
                    more = atom_polynomial(right) - atom_polynomial(left)
                    less = more * -1
                    sides = {
                        "<=": [more],
                        "<": [more - 1],
                        ">=": [less],
                        ">": [less - 1],
                        "==": [more, less],
                    }[op]
                    polys += [plain for side in sides for plain in self.plain(side)]
            elif part != TRUE:
                others.append(part)
        return tuple(polys), tuple(others)

    def plain(self, inequality: AtomPolynomial) -> list[AtomPolynomial]:
        """Return polynomials that are all >= 0 exactly where ``inequality`` is.

        They contain no floors, minima, maxima and absolute values, as far as these can be removed.
        """
        for monomial, coefficient in inequality.terms:
            if len(monomial) != 1 or sum(monomial[0] in other for other, _ in inequality.terms) > 1:
                continue
            atom = AtomPolynomial(((monomial, coefficient),))
            rest = inequality - atom
            match monomial[0]:
                case Binary(op="//", left=top, right=bottom) if abs(coefficient) == 1 <= self._least(bottom):
                    if coefficient == 1:  # floor(n/k) >= -r exactly if n >= -k*r
                        return self.plain(atom_polynomial(top) + atom_polynomial(bottom) * rest)
                    return self.plain(atom_polynomial(bottom) * (rest + 1) - atom_polynomial(top) - 1)
                case Call(name=name, arguments=several) if name == ("min" if coefficient > 0 else "max"):
                    sides = [rest + atom_polynomial(argument) * coefficient for argument in several]
                    return [plain for side in sides for plain in self.plain(side)]
                case Call(name="abs", arguments=(inner,)) if coefficient < 0:
                    sides = [rest + atom_polynomial(inner) * (sign * coefficient) for sign in (1, -1)]
                    return [plain for side in sides for plain in self.plain(side)]
        return [inequality]

    def _least(self, expr: Expr) -> int:
        bounds = known_bounds(expr, self.known, self.functions)
        return -INFINITY if bounds is None else bounds.low

    def least(self, asked: AtomPolynomial) -> int:
        """Return a lower bound on the polynomial's value, minus infinity if none is known."""
        return sum(self._least(AtomPolynomial((term,)).expression()) for term in asked.terms)

    def follows(self, goal: AtomPolynomial, given: tuple[AtomPolynomial, ...]) -> bool:
        """Tell whether the goal is surely >= 0 where all given polynomials are; False means that this is unknown."""
        if all(self._follows(part, given) for part in self.plain(goal)):
            return True
        for monomial, coefficient in goal.terms:
            match monomial:
                case (Call(name=name) as call,) if name == ("min" if coefficient < 0 else "max"):
                    # with one argument in place of the minimum or maximum, it never exceeds the goal
                    changes = (atom_polynomial(one) - atom_polynomial(call) for one in call.arguments)
                    if any(self.follows(goal + change * coefficient, given) for change in changes):
                        return True
        return False

    def _follows(self, goal: AtomPolynomial, given: tuple[AtomPolynomial, ...]) -> bool:
        if self.least(goal) >= 0:
            return True
        # the values are integers, so goal >= 0 if factor * above >= one + 1, which is > 0
        above = goal + 1
        for one in given:
            for factor in {1, *(abs(coefficient) for _, coefficient in one.terms)}:
                if self.least(above * factor - one - 1) >= 0:
                    return True
        return False
