"""Numbers that are the minimum or the maximum of a few quotients of linear forms, as in ``min(x // 2 + y, 3 * x)``.

No quotient in such a minimum lies below the number anywhere. So for each direction (the coefficients and the divisor)
a single constant need be tried: the least with which the quotient lies nowhere below. The number is the minimum of the
quotients if at each position one of them equals it. In a maximum, the constant is the greatest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import gcd

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.polynomials import product_of, sum_of
from grundylab.discover.ranking import error_mask
from grundylab.discover.search_budget import SearchBudget
from grundylab.language.syntax import Binary, Call, Expr, Int, Name
from grundylab.numeric import Array

DIVISORS = range(1, 5)
MOST, STEEPEST = 1_500, 12  # most directions, and the greatest coefficient
PIECES = 3  # most quotients of a minimum or maximum
SAMPLE, ROUNDS = 400, 6  # positions of the first sample, and rounds of counterexamples
LARGEST = 1 << 40  # greatest number in a sample, so that forms fit 64 bits
SPENT = 6  # work of a cell of the table of all forms


@dataclass(frozen=True)
class Directions:
    """The directions that are tried: for each, the coefficients of the variables, and the divisor."""

    coefficients: Array
    divisors: Array


def envelope_formulas(samples: Samples, work: SearchBudget) -> list[Expr]:
    """Return a minimum and a maximum of at most PIECES quotients that are exact, if there are any.

    A minimum may be cut off at the target's least value. Empty for a condition.
    """
    columns = (samples.values, *(samples.columns[name] for name in samples.variables))
    if samples.values.dtype == bool or any(np.abs(column).max() > LARGEST for column in columns):
        return []
    directions = _directions(len(samples.variables))
    formulas = []
    for name in ("min", "max") if len(directions.divisors) else ():
        rows = sampling.draw_rows(samples, SAMPLE)
        for _ in range(ROUNDS):
            work.spend(SPENT * len(rows) * len(directions.divisors))
            formula = _covering(samples.at(rows), directions, name)
            if formula is None:
                break
            wrong = error_mask(formula, samples)
            if wrong is None or not wrong.any():
                formulas.append(formula)
                break
            rows = sampling.with_counterexamples(rows, wrong, samples, SAMPLE // 4)
    return formulas


@cache
def _directions(count: int) -> Directions:
    """Return all directions with coefficients up to a number that depends on the count of variables."""
    reach = max(n for n in range(STEEPEST + 1) if n == 0 or len(DIVISORS) * (2 * n + 1) ** count <= MOST)
    coefficients = product(range(-reach, reach + 1), repeat=count if reach else 0)
    directions = [(c, by) for c in coefficients for by in DIVISORS if reach and gcd(*c, by) == 1]
    directions.sort(key=lambda pair: (sum(map(abs, pair[0])) + pair[1], [-c for c in pair[0]]))
    return Directions(np.array([c for c, _ in directions]), np.array([by for _, by in directions]))


def _covering(samples: Samples, directions: Directions, name: str) -> Expr | None:
    """Return the minimum or maximum of the quotients that together equal the target at all positions of the sample.

    The quotient that equals it most often comes first, then the one that equals it most often elsewhere, and so on.
    """
    target, lower = samples.values, name == "min"
    columns = np.stack([samples.columns[variable] for variable in samples.variables])
    forms, by = directions.coefficients @ columns, directions.divisors[:, None]
    cut = target == target.min() if lower else np.zeros(len(target), dtype=bool)
    if cut.all():
        return None
    room = by * target - forms if lower else by * (target + 1) - 1 - forms
    constants = room[:, ~cut].max(axis=1) if lower else room.min(axis=1)
    values = (forms + constants[:, None]) // by
    equal, left, chosen = (values == target) & ~cut, ~cut, list[int]()
    while left.any():
        best = int(np.argmax(equal[:, left].sum(axis=1)))
        if len(chosen) == PIECES or not equal[best, left].any():
            return None
        chosen.append(best)
        left = left & ~equal[best]
    names = tuple(map(Name, samples.variables))
    pieces = [
        _quotient(directions.coefficients[n].tolist(), names, int(constants[n]), int(by[n, 0]))
        for n in sorted(chosen)
    ]
    whole = Call(name, tuple(pieces)) if len(pieces) > 1 else pieces[0]
    below = values[chosen].min(axis=0) if lower else target
    return whole if np.array_equal(below, target) else Call("max", (whole, Int(int(target.min()))))


def _quotient(coefficients: Sequence[int], names: Sequence[Expr], constant: int, by: int) -> Expr:
    """Return the formula of (linear form + constant) // by, with what is a multiple of ``by`` outside."""
    if by == 1:
        return sum_of([*zip(coefficients, names, strict=True), (constant, Int(1))])
    common = gcd(*coefficients)
    outside = [c // by if common == 1 else 0 for c in coefficients]  # but 3 * (x - y) // 2 is plainest so
    inside = [(c - by * whole) // common for c, whole in zip(coefficients, outside, strict=True)]
    form = product_of(common, [sum_of([*zip(inside, names, strict=True)])])
    quotient = Binary("//", sum_of([(1, form), (constant % by, Int(1))]), Int(by))
    return sum_of([*zip(outside, names, strict=True), (1, quotient), (constant // by, Int(1))])
