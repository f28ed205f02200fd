"""Terms beside a bank's, which it reaches late by their cost: sums of few monomials, and functions of multiples.

What a game's positions are divided by is often a line or a conic, ``x * x - x * y - y * y < 0``; and the inverse of a
sum of consecutive numbers is a function of a multiple, ``(isqrt(8 * x + 1) - 1) // 2``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, combinations_with_replacement, product
from math import comb, gcd

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.bank import UNARY, of_one
from grundylab.discover.base import Array
from grundylab.discover.cost import cost, of
from grundylab.discover.polynomials import sum_of
from grundylab.discover.work import DISPATCH, Work
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Binary, Call, Expr, Int, Name, chain, negative

COEFFICIENTS = (1, 2, 3, 4)
MOST = 25_000  # sums; with more variables they are of fewer monomials
TOGETHER = 3  # monomials
LARGEST = 1 << 15  # value of a variable: sums of products then have 64 bits

SUBSETS_OF = 5  # variables of which any number is put together; of more only two

FUNCTION = 5  # what a built-in function of a cell counts as work
MULTIPLES, MORE = range(1, 9), range(-2, 5)  # of a term that a function is taken of, and what is added

Weighted = tuple[tuple[int, int], ...]  # (coefficient, number of a monomial)


@dataclass(frozen=True)
class Forms:
    """All sums of two or three different monomials of degree 1 and 2, the cheapest first."""

    samples: Samples

    @cached_property
    def _monomials(self) -> tuple[Expr, ...]:
        columns = self.samples.columns
        names = [Name(n) for n in self.samples.variables if np.abs(columns[n]).max() <= LARGEST]
        return (*names, *(Binary("*", a, b) for a, b in combinations_with_replacement(names, 2)))

    @cached_property
    def _sums(self) -> list[Weighted]:
        count = len(self._monomials)
        found: list[Weighted] = []
        for together in range(2, TOGETHER + 1):
            each = len(COEFFICIENTS) * (2 * len(COEFFICIENTS)) ** (together - 1)
            if len(found) + comb(count, together) * each > MOST:
                break
            found += (
                tuple(zip(by, which, strict=True))
                for which in combinations(range(count), together)
                for by in _coefficients(together)
            )
        return sorted(found, key=self._cost)

    def _cost(self, weighted: Weighted) -> int:
        return sum(self._prices[n] + (1 if abs(by) == 1 else 3) for by, n in weighted) - 1

    @cached_property
    def _prices(self) -> list[int]:
        return [cost(monomial) for monomial in self._monomials]

    def __len__(self) -> int:
        return len(self._sums)

    @cached_property
    def costs(self) -> Array:
        """Of each."""
        return np.array([self._cost(weighted) for weighted in self._sums], dtype=np.int64)

    @cached_property
    def values(self) -> Array:
        """int64 (sums, positions)."""
        columns = self.samples.columns
        rows = [evaluate_arrays(monomial, columns) for monomial in self._monomials]
        table = np.array(rows, dtype=np.int64).reshape(len(rows), len(self.samples))
        weights = np.zeros((len(self._sums), len(rows)), dtype=np.int64)
        for row, weighted in enumerate(self._sums):
            for by, n in weighted:
                weights[row, n] = by
        return weights @ table

    def expr(self, number: int) -> Expr:
        """The sum as a tree, what is added first."""
        weighted = sorted(self._sums[number], key=lambda part: part[0] < 0)
        parts = [(by < 0, self._scaled(abs(by), n)) for by, n in weighted]
        first = negative(parts[0][1]) if parts[0][0] else parts[0][1]
        return reduce(lambda left, part: Binary("-" if part[0] else "+", left, part[1]), parts[1:], first)

    def _scaled(self, by: int, n: int) -> Expr:
        return self._monomials[n] if by == 1 else Binary("*", Int(by), self._monomials[n])


def _coefficients(together: int) -> Iterator[tuple[int, ...]]:
    """Without a common divisor; the first is positive, since a sum and its negative divide positions alike."""
    signed = [sign * by for by in COEFFICIENTS for sign in (1, -1)]
    for by in product(COEFFICIENTS, *[signed] * (together - 1)):
        if gcd(*by) == 1:
            yield by


def neighbours(samples: Samples) -> tuple[tuple[Expr, int], ...]:
    """One more and one less than a variable; of a parameter it costs less: what is at most m is less than m + 1."""
    columns = samples.columns
    names = [n for n in samples.variables if np.abs(columns[n]).max() <= LARGEST]
    return tuple(
        (Binary(op, Name(n), Int(1)), 1 if n in samples.parameters else 2) for n in names for op in "+-"
    )


def together(samples: Samples) -> tuple[tuple[Expr, int], ...]:
    """Sums, differences, nim-sums, the least and the greatest of each few variables, and how many these are.

    Also what is next to a variable.
    """
    columns = samples.columns
    names = [Name(n) for n in samples.variables if np.abs(columns[n]).max() <= LARGEST]
    found = list(neighbours(samples))
    for count in range(2, len(names) + 1 if len(names) <= SUBSETS_OF else 3):
        for few in combinations(names, count):
            trees: list[Expr] = [chain("^", few), Call("min", few), Call("max", few)]
            for signs in product((1, -1), repeat=count - 1):
                trees.append(sum_of(tuple(zip((1, *signs), few, strict=True))))
            found += ((tree, count) for tree in trees)
    return tuple(found)


@dataclass(frozen=True)
class Calls:
    """Each built-in function of one number, of a multiple of a variable or of a sum of two, and a constant.

    values: int64 (terms, positions); costs: of each.
    """

    inner: tuple[Expr, ...]
    calls: tuple[tuple[str, int], ...]  # the function, and of which term
    values: Array
    costs: Array

    def expr(self, number: int) -> Expr:
        """A term as a tree."""
        name, argument = self.calls[number]
        return Call(name, (self.inner[argument],))


def calls(samples: Samples, work: Work) -> Calls:
    """All of them that have a value at all positions."""
    names = [Name(name) for name in samples.variables if np.abs(samples.columns[name]).max() <= LARGEST]
    plain: list[Expr] = [*names, *(Binary("+", a, b) for a, b in combinations(names, 2))]
    inner = tuple(_scaled(*each) for each in product(plain, MULTIPLES, MORE))
    table = np.array([evaluate_arrays(tree, samples.columns) for tree in inner], dtype=np.int64)
    table = table.reshape(len(inner), len(samples))
    work.spend(len(inner) * (DISPATCH * 5 + FUNCTION * len(UNARY) * len(samples)))
    found, rows = list[tuple[str, int]](), list[Array]()
    for name in UNARY:
        values, defined = of_one(name, table)
        found += [(name, int(n)) for n in np.flatnonzero(defined)]
        rows.append(values[defined])
    costs = [cost(tree) for tree in inner]
    return Calls(
        inner, tuple(found), np.concatenate(rows), np.array([of(name) + costs[n] for name, n in found])
    )


def _scaled(term: Expr, by: int, more: int) -> Expr:
    scaled = term if by == 1 else Binary("*", Int(by), term)
    return scaled if not more else Binary("+" if more > 0 else "-", scaled, Int(abs(more)))
