"""That a formula describes a proved row everywhere: at infinitely many positions, in finitely many steps.

Of a row of P-positions it must be true at (m, r(m)), and false at every other (m, n), of those that fulfil ``where``.
Let r have the period p from ``settled`` on, and differ from m by at most w <= ``settled``. Then the quarter plane is
made of a square of positions, looked at one by one; of the lines (m + k*p, m + d + k*p) with |d| <= w; and, past those
on either side, of strips in which the formula must be false. Each line and strip is a progression in one or two
numbers, and the progression reader decides it, or says that it cannot; then a larger square, and more lines, are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from grundylab.errors import EvaluationError
from grundylab.games.layers import Layer, Layered
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.progression import NotLinear, Progression, condition_reader, number_reader
from grundylab.prove.recurrence import CertificateError, ProvedRow

SETTLING = 4  # periods after which a formula that is periodic should be seen to be
LARGEST = 4_000_000  # positions of a square

Places = Mapping[str, Progression]
Says = Callable[[Places], bool]


def check_row_formula(game: Layered, layer: Layer, row: ProvedRow, formula: Expr, where: Expr) -> None:
    """That the formula describes the target at all positions of the row with ``where``; else CertificateError."""
    least = max(map(abs, row.differences), default=0)
    for turn in range(SETTLING):
        width = least + turn * row.period
        settled = max(row.first, least) + turn * row.period
        reader = _Reader(game, layer, row, formula, where, width)
        try:
            count = reader.numbers(settled) if len(game.axes) == 1 else reader.positions(settled)
        except NotLinear:
            continue
        except EvaluationError as error:
            raise CertificateError(f"the formula, or its condition, has no value: {error.message}") from None
        if count == 0:
            raise CertificateError(f"no position of the row fulfils {where}")
        return
    raise CertificateError("the formula cannot be followed along the row")


class _Reader:
    def __init__(
        self, game: Layered, layer: Layer, row: ProvedRow, formula: Expr, where: Expr, width: int
    ) -> None:
        self._game, self._row, self._formula, self._where = game, row, formula, where
        self._fixed = dict(zip(game.names, layer, strict=False))
        self._functions = game.game.functions
        self._inside = condition_reader(where, self._functions)
        self._width = width

    # -- Grundy numbers: one axis ------------------------------------------------------------------

    def numbers(self, settled: int) -> int:
        """Check all; the number of places or progressions that fulfil the condition."""
        (axis,), row = self._game.axes, self._row
        m = np.arange(settled, dtype=np.int64)
        count = self._compare({axis: m}, np.array([row(int(place)) for place in m], dtype=np.int64))
        says = number_reader(self._formula, self._functions)
        for first in range(settled, settled + row.period):
            places = self._places({axis: Progression(first, row.period)})
            if not self._inside(places):
                continue
            count += 1
            if says(places) != Progression(row(first), row.period):
                raise CertificateError(f"the formula is wrong at {axis} = {first}, or later")
        return count

    # -- P-positions and level sets: two axes ------------------------------------------------------

    def positions(self, settled: int) -> int:
        """Check all; the number of positions or progressions that fulfil the condition."""
        first, second = self._game.axes
        side = settled + self._width + 1
        if side * side > LARGEST:
            raise CertificateError(f"a square of {side:,} by {side:,} positions is too much to look through")
        m, n = (place.reshape(-1) for place in np.mgrid[0:side, 0:side].astype(np.int64))
        count = self._compare({first: m, second: n}, np.array([self._row(i) for i in range(side)])[m] == n)
        says = condition_reader(self._formula, self._functions)
        for line, truth in self._lines(settled):
            count += self._follow(says, line, truth)
        for strip in self._strips(settled):
            count += self._strip(says, *strip)
        return count

    def _lines(self, settled: int) -> Iterator[tuple[tuple[Progression, Progression], bool]]:
        """Along the row, and with it, and whether the positions are the row's."""
        p = self._row.period
        for m in range(settled, settled + p):
            for n in range(m - self._width, m + self._width + 1):
                yield (Progression(m, p), Progression(n, p)), self._row(m) == n

    def _strips(self, settled: int) -> Iterator[tuple[Progression, Progression, bool]]:
        """All positions further from the diagonal, but those of the square; and whether the second number is free."""
        p, w = self._row.period, self._width
        for m in range(settled):
            yield Progression(m), Progression(settled + w + 1, 0, 1), True
        for n in range(settled):
            yield Progression(settled + w + 1, 0, 1), Progression(n), False
        for m in range(settled, settled + p):
            yield Progression(m, p), Progression(m + w + 1, p, 1), True
            yield Progression(m + w + 1, p, 1), Progression(m, p), False

    def _strip(self, says: Says, m: Progression, n: Progression, second: bool) -> int:
        """The strip as a whole, or else by the remainders of its free number."""
        try:
            return self._follow(says, (m, n), False)
        except NotLinear:
            p, count = self._row.period, 0
            for rest in range(p):
                free = n if second else m
                part = Progression(free.start + rest, free.step, p)
                count += self._follow(says, (m, part) if second else (part, n), False)
            return count

    def _follow(self, says: Says, place: tuple[Progression, Progression], truth: bool) -> int:
        places = self._places(dict(zip(self._game.axes, place, strict=True)))
        if not self._inside(places):
            return 0
        if says(places) != truth:
            at = ", ".join(f"{name} = {number.start}" for name, number in places.items())
            raise CertificateError(f"the formula is wrong at {at}, or later")
        return 1

    # -- both --------------------------------------------------------------------------------------

    def _places(self, axes: Places) -> Places:
        return {**{name: Progression(value) for name, value in self._fixed.items()}, **axes}

    def _compare(self, axes: Mapping[str, np.ndarray], truth: np.ndarray) -> int:
        """Compare the formula with the row at positions one by one; how many fulfil the condition."""
        columns = {name: np.full(len(truth), value, dtype=np.int64) for name, value in self._fixed.items()}
        columns |= axes
        inside = evaluate_arrays(self._where, columns, self._functions)
        there = {name: column[inside] for name, column in columns.items()}
        wrong = np.flatnonzero(evaluate_arrays(self._formula, there, self._functions) != truth[inside])
        if len(wrong):
            at = ", ".join(f"{name} = {column[wrong[0]]}" for name, column in there.items())
            raise CertificateError(f"the formula is wrong at {at}")
        return int(np.count_nonzero(inside))
