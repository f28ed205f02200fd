"""Useful terms that cost too much for a bank: sums of few monomials, functions of multiples, remainders by parameters.

Often a line or a conic divides the positions of a game, as in ``x * x - x * y - y * y < 0``. And to find n
from ``n * (n + 1) // 2`` takes a function of a multiple: ``(isqrt(8 * x + 1) - 1) // 2``.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, gcd

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.bank import UNARY, GivenTerms, builtin_values, values_of_terms
from grundylab.discover.cost import cost, sign_cost
from grundylab.discover.polynomials import add_constant, product_of, sum_of
from grundylab.discover.search_budget import DISPATCH, SearchBudget
from grundylab.errors import EvaluationError
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Binary, Call, Expr, Int, Name, chain
from grundylab.numeric import Array

COEFFICIENTS = (1, 2, 3, 4)
MOST = 25_000  # most sums; if there are many variables, sums have fewer monomials
TOGETHER = 3  # most monomials of a sum
LARGEST = 1 << 15  # greatest value of a variable, so that sums of products fit 64 bits
SUMMED = 10  # work of a cell of sums
SUBSETS_OF = 5  # number of variables up to which subsets of any size are combined; beyond it only pairs
REMAINDER = 3  # cost of a remainder by a parameter
FUNCTION = 5  # work of a built-in function of a cell
MULTIPLES, MORE = range(1, 9), range(-2, 5)  # a function's argument is a factor times a term, plus a summand


def _small(samples: Samples) -> list[Name]:
    """Return the variables whose values are at most LARGEST in magnitude, so that products are not too large."""
    columns = samples.columns
    return [Name(name) for name in samples.variables if np.abs(columns[name]).max() <= LARGEST]


def monomial_sums(samples: Samples, work: SearchBudget) -> GivenTerms:
    """Return the sums of two or three different monomials of degree 1 or 2, with small coefficients, cheapest first."""
    names = _small(samples)
    monomials = (*names, *(Binary("*", a, b) for a, b in combinations_with_replacement(names, 2)))
    table = values_of_terms(monomials, samples)
    weights, costs = _weighted(tuple(map(cost, monomials)))
    work.spend(SUMMED * len(costs) * len(samples))

    def expr(number: int) -> Expr:
        """Return the sum with this number as a formula, positive terms first."""
        parts = zip(map(int, weights[number]), monomials, strict=True)
        return sum_of(sorted(parts, key=lambda part: part[0] < 0))

    return GivenTerms(weights @ table, costs, expr)


@cache
def _weighted(prices: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the coefficients of the sums, int64 (sums, monomials), cheapest first, and the cost of each sum.

    The coefficients of a sum have no common divisor, and the first is positive, since a sum and its negative are
    equivalent. prices: the cost of each monomial.
    """
    signed = [sign * by for by in COEFFICIENTS for sign in (1, -1)]
    count, blocks = len(prices), [np.empty((0, len(prices)), dtype=np.int64)]
    for together in range(2, TOGETHER + 1):
        sums = len(COEFFICIENTS) * (2 * len(COEFFICIENTS)) ** (together - 1)
        if sum(map(len, blocks)) + comb(count, together) * sums > MOST:
            break
        every = product(COEFFICIENTS, *[signed] * (together - 1))
        by = np.array([coefficients for coefficients in every if gcd(*coefficients) == 1], dtype=np.int64)
        for which in combinations(range(count), together):
            blocks.append(np.zeros((len(by), count), dtype=np.int64))
            blocks[-1][:, which] = by
    weights = np.concatenate(blocks)
    paid = np.array(prices, dtype=np.int64) + np.where(np.abs(weights) > 1, 3, 1)
    costs = (paid * (weights != 0)).sum(axis=1) - 1
    order = np.argsort(costs, kind="stable")
    return weights[order], costs[order]


def neighbours(samples: Samples) -> tuple[tuple[Expr, int], ...]:
    """Return each variable plus 1 and minus 1, with its cost.

    The terms cost less for a parameter, since "at most m" and "less than m + 1" are equally common in rules.
    """
    return tuple(
        (Binary(op, name, Int(1)), 1 if name.id in samples.parameters else 2)
        for name in _small(samples)
        for op in "+-"
    )


def remainders(samples: Samples) -> tuple[tuple[Expr, int], ...]:
    """Return remainders modulo a parameter, a parameter plus 1, or the sum of two parameters, each with its cost.

    The dividends are each coordinate, each coordinate minus 1, and the sum and the minimum of all coordinates. Such
    remainders occur in games where the parameter is the greatest number that may be taken from a pile.
    """
    names = _small(samples)
    parameters = [name for name in names if name.id in samples.parameters]
    piles = [name for name in names if name.id not in samples.parameters]
    terms: list[Expr] = [*piles, *(Binary("-", pile, Int(1)) for pile in piles)]
    if len(piles) > 1:
        terms += [chain("+", piles), Call("min", tuple(piles))]
    divisors: list[Expr] = [Binary("+", name, Int(1)) for name in parameters]
    divisors += [*parameters, *(Binary("+", a, b) for a, b in combinations(parameters, 2))]
    trees = [Binary("%", term, by) for term in terms for by in divisors]
    return tuple((tree, REMAINDER) for tree in trees if has_values(tree, samples))


def has_values(tree: Expr, samples: Samples) -> bool:
    """Tell whether the term has a value at all positions."""
    try:
        evaluate_arrays(tree, samples.columns)
    except EvaluationError:
        return False
    return True


def combined_terms(samples: Samples) -> tuple[tuple[Expr, int], ...]:
    """Return sums, differences, nim-sums, minima and maxima of variables; the cost is the number of variables.

    The terms of ``neighbours`` and ``remainders`` are included, with costs of their own.
    """
    names, terms = _small(samples), [*neighbours(samples), *remainders(samples)]
    for count in range(2, len(names) + 1 if len(names) <= SUBSETS_OF else 3):
        for few in combinations(names, count):
            trees: list[Expr] = [chain("^", few), Call("min", few), Call("max", few)]
            for signs in product((1, -1), repeat=count - 1):
                trees.append(sum_of(tuple(zip((1, *signs), few, strict=True))))
            terms += ((tree, count) for tree in trees)
    return tuple(terms)


def function_calls(samples: Samples, work: SearchBudget) -> GivenTerms:
    """Return calls of built-in functions of one number that have a value at all positions.

    The argument is a multiple of a variable, or of the sum of two variables, plus a constant.
    """
    names = _small(samples)
    plain: list[Expr] = [*names, *(Binary("+", a, b) for a, b in combinations(names, 2))]
    ways = np.array([*product(range(len(plain)), MULTIPLES, MORE)], dtype=np.int64).reshape(-1, 3)
    work.spend(len(ways) * (DISPATCH + FUNCTION * len(UNARY) * len(samples)))
    arguments = values_of_terms(plain, samples)[ways[:, 0]] * ways[:, 1:2] + ways[:, 2:]
    paid = np.array([cost(tree) for tree in plain], dtype=np.int64)[ways[:, 0]]
    paid += 2 * (ways[:, 1] != 1) + 2 * (ways[:, 2] != 0)
    calls, values, costs = list[tuple[str, int]](), list[Array](), list[Array]()
    for name in UNARY:
        called, defined = builtin_values(name, arguments)
        calls += [(name, int(n)) for n in np.flatnonzero(defined)]
        values.append(called[defined])
        costs.append(paid[defined] + sign_cost(name))

    def expr(number: int) -> Expr:
        name, argument = calls[number]
        term, by, more = map(int, ways[argument])
        return Call(name, (add_constant(product_of(by, [plain[term]]), more),))

    return GivenTerms(np.concatenate(values), np.concatenate(costs), expr)
