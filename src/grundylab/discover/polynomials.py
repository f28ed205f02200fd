"""Polynomials with rational coefficients and integer values, fitted exactly to data, and written as short formulas.

A fit is exact linear algebra on columns of integers: it is solved at some of the points and checked at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations_with_replacement, product
from math import gcd, lcm, prod

import numpy as np

from grundylab.language import Expr
from grundylab.language.linear import AtomPolynomial
from grundylab.language.syntax import Binary, Int, Name, chain, negative
from grundylab.numeric import Array

LARGEST_DEGREE = 4
SUPPORT = 2  # points needed for each coefficient
PRIME = 2**31 - 1  # a product of two residues fits 64 bits
FITTED = 1  # points of the first fit, for each column
ROUNDS = 8  # most fits; for each further one, points where the last was wrong are added

Exponents = tuple[int, ...]
PolynomialTerms = Mapping[Exponents, int]  # the coefficient of each monomial, none of them 0
PointFunction = Callable[[Array], Array]  # numbers of points -> values there: integers, of dtype object


@dataclass(frozen=True)
class PolynomialVariable:
    """Variable of a polynomial: an expression, and its values at all points, (points,)."""

    expr: Expr
    values: Array

    def column(self, rows: Array) -> Array:
        """Return the values at these points, in the form that ``solve_linear`` needs."""
        return self.values[rows].astype(object)


def fit_polynomial(variables: Sequence[PolynomialVariable], values: Array, degree: int) -> Expr | None:
    """Return the polynomial of least degree, up to ``degree``, that has these values; None if there is none.

    To exclude coincidence there must be SUPPORT points for each possible coefficient. A polynomial with fractions as
    coefficients must have integer values at all integers, and it suffices to test the points whose coordinates are at
    most the degree. This is not needed if some variable is a remainder or a function's value instead of a name, since
    it does not take all integers.
    """
    names, numbers = [variable.expr for variable in variables], range(len(variables))
    exponents = list[Exponents]()  # of all monomials up to the degree, the lowest degree first
    for total in range(degree + 1):
        for chosen in combinations_with_replacement(numbers, total):
            exponents.append(tuple(map(chosen.count, numbers)))
        if SUPPORT * len(exponents) > len(values):
            return None
        coefficients = solve_linear([partial(_monomial, variables, e) for e in exponents], values)
        if coefficients is None:
            continue
        denominator = lcm(*(c.denominator for c in coefficients))
        terms = {e: int(c * denominator) for e, c in zip(exponents, coefficients, strict=True) if c}
        if denominator == 1:
            return _horner(terms, names)
        integral = not all(isinstance(name, Name) for name in names) or all(
            sum(c * prod(map(pow, point, powers)) for powers, c in terms.items()) % denominator == 0
            for point in product(range(1 + max(map(sum, terms))), repeat=len(names))
        )
        return Binary("//", _horner(terms, names), Int(denominator)) if integral else None
    return None


def polynomial_formula(polynomial: AtomPolynomial, names: Sequence[Expr]) -> Expr:
    """Return the formula of a polynomial, in the form that ``fit_polynomial`` returns.

    names: its first variables, in order; further variables follow.
    """
    atoms = list(dict.fromkeys([*names, *(atom for monomial, _ in polynomial.terms for atom in monomial)]))
    return _horner({tuple(map(monomial.count, atoms)): c for monomial, c in polynomial.terms}, atoms)


def _monomial(variables: Sequence[PolynomialVariable], exponents: Exponents, rows: Array) -> Array:
    column = np.ones(len(rows), dtype=object)
    for variable, exponent in zip(variables, exponents, strict=True):
        if exponent:
            column = column * variable.column(rows) ** exponent
    return column


def _horner(terms: PolynomialTerms, variables: Sequence[Expr]) -> Expr:
    """Return the polynomial in Horner's form, where each step factors out the variable that occurs in most terms."""
    if not terms:
        return Int(0)
    if all(c < 0 for c in terms.values()):
        return negative(_horner({e: -c for e, c in terms.items()}, variables))
    content = gcd(*terms.values())
    common = tuple(min(e[i] for e in terms) for i in range(len(variables)))
    factors = [v for v, power in zip(variables, common, strict=True) for _ in range(power)]
    rest = {tuple(a - b for a, b in zip(e, common, strict=True)): c // content for e, c in terms.items()}
    if len(rest) == 1:
        (last,) = rest.values()
        return product_of(content * last, factors)
    return product_of(content, [*factors, sum_of(_split(rest, variables))])


def _split(terms: PolynomialTerms, variables: Sequence[Expr]) -> list[tuple[int, Expr]]:
    """Return the parts of the polynomial as (sign, part).

    The first part is ``x*(…)`` for the variable x that is in the most terms, if it is in two or more. The terms without
    x are split likewise.
    """
    counts = [sum(e[i] > 0 for e in terms) for i in range(len(variables))]
    best = max(range(len(variables)), key=lambda i: counts[i], default=0)
    if not terms or counts[best] < 2:
        return [_signed({e: c}, variables) for e, c in _ordered(terms)]
    inside = {e: c for e, c in terms.items() if e[best]}
    outside = {e: c for e, c in terms.items() if not e[best]}
    return [_signed(inside, variables), *_split(outside, variables)]


def _ordered(terms: PolynomialTerms) -> list[tuple[Exponents, int]]:
    """Return the terms, highest degree first, the constant last."""
    return sorted(terms.items(), key=lambda term: (-sum(term[0]), [-e for e in term[0]]))


def _signed(terms: PolynomialTerms, variables: Sequence[Expr]) -> tuple[int, Expr]:
    """Return the sign of the leading term, and the polynomial times this sign as an expression."""
    lead = next(c for _, c in _ordered(terms))
    if lead < 0:
        return -1, _horner({e: -c for e, c in terms.items()}, variables)
    return 1, _horner(terms, variables)


def product_of(factor: int, parts: Sequence[Expr]) -> Expr:
    """Return ``factor * parts[0] * …``, without factors of 1, and with -1 written as a minus sign."""
    parts = [part for part in parts if part != Int(1)]
    if not parts or factor == 0:
        return Int(factor)
    if factor == -1:
        return negative(chain("*", parts))
    return chain("*", parts if factor == 1 else [Int(factor), *parts])


def sum_of(parts: Sequence[tuple[int, Expr]]) -> Expr:
    """Return the sum of the products ``factor * term`` without zeros; a positive factor comes first if there is one."""
    scaled = [(factor, product_of(abs(factor), [term])) for factor, term in parts if term != Int(0)]
    kept = [(factor, term) for factor, term in scaled if factor]
    first = next((i for i, (factor, _) in enumerate(kept) if factor > 0), None)
    if not kept:
        return Int(0)
    if first is None:
        return negative(sum_of([(1, term) for _, term in kept]))
    rest = kept[:first] + kept[first + 1 :]
    return reduce(lambda a, part: Binary("+" if part[0] > 0 else "-", a, part[1]), rest, kept[first][1])


def add_constant(term: Expr, constant: int) -> Expr:
    """Return ``term + constant``, with a minus sign for a negative constant."""
    if constant == 0:
        return term
    return Binary("+", term, Int(constant)) if constant > 0 else Binary("-", term, Int(-constant))


# -- exact linear algebra -----------------------------------------------------------------------------------


def solve_linear(columns: Sequence[PointFunction], values: Array) -> tuple[Fraction, ...] | None:
    """Return coefficients with ``sum(c * column) == values`` at every point; None if there are none.

    columns: functions that return a column's values at given points. values: integers (points,). A column that depends
    linearly on earlier ones gets the coefficient 0, so put the plainest first. None, too, if after ROUNDS rounds of
    added points no fit is right at all points.
    """
    count = FITTED * (len(columns) + 1)
    rows = np.unique(np.linspace(0, len(values) - 1, count).astype(np.intp))
    everywhere = np.arange(len(values))
    for _ in range(ROUNDS):
        table = np.stack([*(column(rows) for column in columns), values[rows].astype(object)], axis=1)
        if _echelon((table % PRIME).astype(np.int64), PRIME) is None:  # modulo a prime, which is fast
            return None
        pivots = _echelon(table)
        if pivots is None:
            return None
        coefficients = [Fraction(0)] * len(columns)
        for row, number in reversed([*enumerate(pivots)]):
            known = sum(table[row, other] * coefficients[other] for other in pivots[row + 1 :])
            coefficients[number] = Fraction(table[row, -1] - known) / table[row, number]
        denominator = lcm(*(c.denominator for c in coefficients))
        rest = -denominator * values.astype(object)
        for column, coefficient in zip(columns, coefficients, strict=True):
            if coefficient:
                rest = rest + int(coefficient * denominator) * column(everywhere)
        wrong = np.flatnonzero(rest != 0)
        if not len(wrong):
            return tuple(coefficients)
        rows = np.union1d(rows, wrong[:: max(1, len(wrong) // len(rows))])
    return None


def _echelon(table: Array, prime: int | None = None) -> list[int] | None:
    """Bring the table into echelon form in place and return its pivot columns.

    None if the last column, the right-hand side, does not depend linearly on the others.

    The elimination has no fractions: every entry is a minor, and the divisions are exact (Bareiss, *Sylvester's
    identity and multistep integer-preserving Gaussian elimination*, 1968). prime: compute modulo this prime.
    """
    pivots: list[int] = []
    divisor = 1
    for number in range(table.shape[1] - 1):
        done = len(pivots)
        candidates = done + np.flatnonzero(table[done:, number])
        if len(candidates):
            table[[done, candidates[0]]] = table[[candidates[0], done]]
            pivot, below = table[done, number], table[done + 1 :]
            minors = below * pivot - below[:, [number]] * table[done]
            below[...] = minors % prime if prime else minors // divisor
            pivots.append(number)
            divisor = pivot
    return None if table[len(pivots) :, -1].any() else pivots
