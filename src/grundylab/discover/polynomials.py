"""Polynomials with rational coefficients and integer values: fitted exactly, and written as short formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations_with_replacement, product
from math import gcd, lcm, prod

import numpy as np

from grundylab.discover.base import Array
from grundylab.discover.linear import solve
from grundylab.language import Expr
from grundylab.language.syntax import Binary, Int, Name, chain, free_names, negative

LARGEST_DEGREE = 4
SUPPORT = 2  # points needed for each coefficient

Exponents = tuple[int, ...]


@dataclass(frozen=True)
class Variable:
    """What a polynomial is in: an expression and its values (points,)."""

    expr: Expr
    values: Array


@dataclass(frozen=True)
class Polynomial:
    """``sum(coefficient * monomial)`` over ``denominator``; the coefficients are integers, none of them 0."""

    variables: tuple[Expr, ...]
    coefficients: Mapping[Exponents, int]
    denominator: int = 1

    @property
    def whole(self) -> bool:
        """Whether every value at integers is an integer: it is if those on a grid as wide as the degree are.

        Of variables that are no free names (remainders, values of functions) only the points of the fit are known.
        """
        if not all(isinstance(variable, Name) for variable in self.variables):
            return True
        degree = max((sum(exponents) for exponents in self.coefficients), default=0)
        return self.denominator == 1 or all(
            self.numerator(point) % self.denominator == 0
            for point in product(range(degree + 1), repeat=len(self.variables))
        )

    def numerator(self, point: Sequence[int]) -> int:
        """The value times the denominator where the variables have these values."""
        return sum(
            coefficient * prod(x**e for x, e in zip(point, exponents, strict=True))
            for exponents, coefficient in self.coefficients.items()
        )

    def linear_in(self, name: str) -> tuple[Polynomial, Polynomial] | None:
        """(slope, value where the name is 0), or None if it is not linear in the name with an integer slope."""
        if self.denominator != 1 or any(name in free_names(v) for v in self.variables if v != Name(name)):
            return None
        if Name(name) not in self.variables:
            return Polynomial(self.variables, {}), self
        place = self.variables.index(Name(name))
        if any(exponents[place] > 1 for exponents in self.coefficients):
            return None
        slope = {(*e[:place], 0, *e[place + 1 :]): c for e, c in self.coefficients.items() if e[place]}
        rest = {e: c for e, c in self.coefficients.items() if not e[place]}
        return Polynomial(self.variables, slope), Polynomial(self.variables, rest)

    def minus(self, other: Polynomial) -> Polynomial:
        """The difference of two polynomials with integer coefficients."""
        variables = tuple(dict.fromkeys((*self.variables, *other.variables)))
        total: dict[Exponents, int] = {}
        for sign, part in ((1, self), (-1, other)):
            for exponents, coefficient in part.coefficients.items():
                powers = dict(zip(part.variables, exponents, strict=True))
                key = tuple(powers.get(v, 0) for v in variables)
                total[key] = total.get(key, 0) + sign * coefficient
        return Polynomial(variables, {e: c for e, c in total.items() if c})

    def expr(self) -> Expr:
        """The polynomial as a short formula: common factors outside, as in ``j*(m*(j + k) + 1)``."""
        numerator = _written(dict(self.coefficients), self.variables)
        return numerator if self.denominator == 1 else Binary("//", numerator, Int(self.denominator))


def fit(variables: Sequence[Variable], values: Array, degree: int) -> Polynomial | None:
    """The polynomial of least degree (up to ``degree``) with these values, or None.

    There must be SUPPORT points for each possible coefficient, so that it is no accident.
    """
    for total in range(degree + 1):
        exponents = list(_exponents(len(variables), total))
        if SUPPORT * len(exponents) > len(values):
            return None
        columns = [partial(_monomial, variables, e) for e in exponents]
        found = solve(columns, values)
        if found is not None:
            denominator = lcm(*(c.denominator for c in found))
            integers = {e: int(c * denominator) for e, c in zip(exponents, found, strict=True) if c}
            polynomial = Polynomial(tuple(v.expr for v in variables), integers, denominator)
            return polynomial if polynomial.whole else None
    return None


def _exponents(count: int, degree: int) -> Iterator[Exponents]:
    """Of all monomials up to the degree, the lowest first."""
    for total in range(degree + 1):
        for chosen in combinations_with_replacement(range(count), total):
            yield tuple(chosen.count(number) for number in range(count))


def _monomial(variables: Sequence[Variable], exponents: Exponents, rows: Array) -> Array:
    column = np.ones(len(rows), dtype=object)
    for variable, exponent in zip(variables, exponents, strict=True):
        if exponent:
            column = column * variable.values[rows].astype(object) ** exponent
    return column


def _written(terms: dict[Exponents, int], variables: tuple[Expr, ...]) -> Expr:
    """Horner's form, each time by the variable that is in most of the terms."""
    if not terms:
        return Int(0)
    if all(c < 0 for c in terms.values()):
        return negative(_written({e: -c for e, c in terms.items()}, variables))
    content = gcd(*terms.values())
    common = tuple(min(e[i] for e in terms) for i in range(len(variables)))
    factors = [v for v, power in zip(variables, common, strict=True) for _ in range(power)]
    rest = {tuple(a - b for a, b in zip(e, common, strict=True)): c // content for e, c in terms.items()}
    if len(rest) == 1:
        (last,) = rest.values()
        return product_of(content * last, factors)
    return product_of(content, [*factors, sum_of(_split(rest, variables))])


def _split(terms: dict[Exponents, int], variables: tuple[Expr, ...]) -> list[tuple[int, Expr]]:
    """(sign, part) of a sum: ``x*(…)`` for a variable that is in two of its terms, and so on with the others."""
    counts = [sum(e[i] > 0 for e in terms) for i in range(len(variables))]
    best = max(range(len(variables)), key=lambda i: counts[i], default=0)
    if not terms or counts[best] < 2:
        return [_signed({e: c}, variables) for e, c in _ordered(terms)]
    inside = {e: c for e, c in terms.items() if e[best]}
    outside = {e: c for e, c in terms.items() if not e[best]}
    return [_signed(inside, variables), *_split(outside, variables)]


def _ordered(terms: Mapping[Exponents, int]) -> list[tuple[Exponents, int]]:
    """Highest degree first, the constant last."""
    return sorted(terms.items(), key=lambda term: (-sum(term[0]), [-e for e in term[0]]))


def _signed(terms: dict[Exponents, int], variables: tuple[Expr, ...]) -> tuple[int, Expr]:
    """(sign, what is added with it)."""
    lead = next(c for _, c in _ordered(terms))
    if lead < 0:
        return -1, _written({e: -c for e, c in terms.items()}, variables)
    return 1, _written(terms, variables)


def product_of(factor: int, parts: Sequence[Expr]) -> Expr:
    """``factor * parts[0] * …``."""
    parts = [part for part in parts if part != Int(1)]
    if not parts or factor == 0:
        return Int(factor)
    if factor == -1:
        return negative(chain("*", parts))
    return chain("*", parts if factor == 1 else [Int(factor), *parts])


def sum_of(parts: Sequence[tuple[int, Expr]]) -> Expr:
    """``parts[0] + parts[1] - …`` of (sign, term), one with a plus sign first if there is one; zeros left out."""
    kept = [(sign, term) for sign, term in parts if term != Int(0)]
    first = next((i for i, (sign, _) in enumerate(kept) if sign > 0), None)
    if not kept:
        return Int(0)
    if first is None:
        return negative(sum_of([(1, term) for _, term in kept]))
    rest = kept[:first] + kept[first + 1 :]
    return reduce(lambda a, part: Binary("+" if part[0] > 0 else "-", a, part[1]), rest, kept[first][1])
