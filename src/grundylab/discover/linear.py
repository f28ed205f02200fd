"""Exact linear algebra: rational coefficients with which columns of integers add up to another column.

Which columns are independent is found modulo a prime, the coefficients of those by fractions, and every point is
checked by integers, so an answer is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from grundylab.discover.base import Array

PRIME = 2**31 - 1  # a product of two residues fits 64 bits
FITTED = 3  # points looked at first, for each column
ROUNDS = 4  # of adding points that the first did not foretell

Column = Callable[[Array], Array]  # the values at the points with these numbers: integers, of dtype object


def solve(columns: Sequence[Column], values: Array) -> tuple[Fraction, ...] | None:
    """Coefficients with ``sum(c * column) == values`` at every point, or None if there are none.

    values: integers (points,). A column that depends on earlier ones gets 0, so put the plainest first. Fitted on a
    part of the points, and checked on all.
    """
    count = FITTED * (len(columns) + 1)
    rows = np.unique(np.linspace(0, len(values) - 1, count).astype(np.intp))
    for _ in range(ROUNDS):
        found = _fitted([column(rows) for column in columns], values[rows].astype(object))
        if found is None:
            return None
        wrong = np.flatnonzero(_residue(columns, values, found) != 0)
        if not len(wrong):
            return found
        rows = np.union1d(rows, wrong[:: max(1, len(wrong) // len(rows))])
    return None


def given(values: Array) -> Column:
    """A column of known values."""
    return lambda rows: values[rows].astype(object)


def _residue(columns: Sequence[Column], values: Array, coefficients: Sequence[Fraction]) -> Array:
    """How far off the sum is, times the common denominator."""
    denominator = lcm(*(c.denominator for c in coefficients))
    total, everywhere = -denominator * values.astype(object), np.arange(len(values))
    for column, coefficient in zip(columns, coefficients, strict=True):
        if coefficient:
            total = total + int(coefficient * denominator) * column(everywhere)
    return np.asarray(total)


def _fitted(columns: Sequence[Array], values: Array) -> tuple[Fraction, ...] | None:
    """The coefficients for these points, of which the independent ones decide; None if they contradict each other."""
    table = np.stack([(column % PRIME).astype(np.int64) for column in (*columns, values)], axis=1)
    places = np.arange(len(table))
    pivots: list[int] = []
    for number in range(len(columns)):
        done = len(pivots)
        candidates = np.flatnonzero(table[done:, number])
        if not len(candidates):
            continue
        chosen = done + int(candidates[0])
        for array in (table, places):
            array[[done, chosen]] = array[[chosen, done]]
        table[done] = table[done] * pow(int(table[done, number]), -1, PRIME) % PRIME
        below = table[done + 1 :]
        below -= below[:, [number]] * table[done] % PRIME
        below %= PRIME
        pivots.append(number)
    if table[len(pivots) :, -1].any():
        return None
    chosen_rows = places[: len(pivots)]
    sides = [[columns[number][row] for number in pivots] + [values[row]] for row in chosen_rows]
    solution = _square([[Fraction(int(entry)) for entry in side] for side in sides])
    found = dict(zip(pivots, solution, strict=True))
    return tuple(found.get(number, Fraction(0)) for number in range(len(columns)))


def _square(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of a regular system; the last entry of each row is its right-hand side."""
    rows = [list(row) for row in rows]
    for number in range(len(rows)):
        pivot = next(i for i in range(number, len(rows)) if rows[i][number])
        rows[number], rows[pivot] = rows[pivot], rows[number]
        scale = rows[number][number]
        rows[number] = [entry / scale for entry in rows[number]]
        for other in range(len(rows)):
            if other != number and (factor := rows[other][number]):
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[number], strict=True)]
    return [row[-1] for row in rows]
