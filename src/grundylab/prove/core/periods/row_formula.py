"""A check in finitely many steps that a formula describes all positions along a proved row.

For a row r of P-positions the formula must be true at each (m, r(m)) and false at every other (m, n), among the
positions that fulfil ``where``. Let r have the period p from ``settled`` on, and let r(m) differ from m by at most
w <= ``settled``. The positions (m, n) are divided into three parts: a square, checked one by one; the lines
(m + k*p, m + d + k*p) with |d| <= w; and, further away on either side, strips in which the formula must be false. Each
line or strip is a progression in one or two numbers. The progression reader decides it, or reports that it cannot; then
a larger square, and other lines, are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from grundylab.errors import EvaluationError, WorkError
from grundylab.games.layers import LayeredGame, LayerValues
from grundylab.language import Functions, Kind
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import Meter
from grundylab.language.progression import (
    NotLinear,
    Progression,
    Progressions,
    condition_reader,
    number_reader,
)
from grundylab.language.syntax import Expr
from grundylab.prove.core.periods.recurrence import ProvedRow
from grundylab.prove.core.theorem import Refused

SETTLING = 4  # the most turns of a check, each of which looks one period further
LARGEST = 4_000_000  # the most positions of a square
STEPS = 30_000_000  # the most steps of evaluation along progressions: about a minute


def check_row_formula(
    game: LayeredGame, layer: LayerValues, row: ProvedRow, formula: Expr, where: Expr
) -> None:
    """Raise Refused unless the formula describes the target at all positions of the layer that fulfil ``where``."""
    fixed = dict(zip(game.names, layer, strict=False))
    reader = FormulaReader(formula, where, game.game.functions, fixed)
    least = max(map(abs, row.differences), default=0)

    def count(turn: int) -> int:
        more = turn * row.period
        if len(game.axes) == 1:
            settled = max(row.first, least) + more
            return reader.along(
                game.axes[0], 0, settled, row.period, lambda m: Progression(row(m), row.period)
            )
        return _Plane(game, row, reader, least + more).positions(max(row.first, least) + more)

    settle(where, count)


def check_side(side: int) -> None:
    """Raise Refused if a square of this side has too many positions to be checked one by one."""
    if side * side > LARGEST:
        raise Refused(f"a square of {side:,} by {side:,} positions is too large to be checked")


def settle(where: Expr, count: Callable[[int], int]) -> None:
    """Run the check ``count`` with turn 0, 1, …, until the progression reader can decide everything in a turn.

    count: a function that makes the check for the number of a turn, and returns how many of the positions and
    progressions checked fulfil ``where``. Raises Refused if none does, if the formula has no value somewhere, or if the
    reader decides in no turn.
    """
    for turn in range(SETTLING):
        try:
            positions = count(turn)
        except NotLinear:
            continue
        except EvaluationError as error:
            raise Refused(f"the formula, or its condition, has no value: {error.message}") from None
        if positions == 0:
            raise Refused(f"no position fulfils {where}")
        return
    raise Refused("the formula cannot be followed for all sizes")


class FormulaReader:
    """A checker of a formula, under the condition ``where``, at single positions and along progressions of positions.

    fixed: the values of the coordinates and parameters that have one value only.
    """

    def __init__(
        self, formula: Expr, where: Expr, functions: Functions, fixed: Mapping[str, int] | None = None
    ) -> None:
        self._formula, self._where, self._functions, self._fixed = formula, where, functions, fixed or {}
        meter = Meter(STEPS)
        self._inside = condition_reader(where, functions, meter)
        self._says: Callable[[Progressions], Progression]
        if formula.kind is Kind.CONDITION:
            says = condition_reader(formula, functions, meter)
            self._says = lambda places: Progression(int(says(places)))
        else:
            self._says = number_reader(formula, functions, meter)

    def along(
        self, axis: str, least: int, settled: int, period: int, truth: Callable[[int], Progression]
    ) -> int:
        """Check the formula for all values m >= least of the axis; return how many checks fulfil the condition.

        truth: a function that gives the right values at m, m + period, m + 2*period and so on, as a progression; only
        its first value is read for m below ``settled``. Raises Refused if the formula is wrong.
        """
        m = np.arange(least, settled, dtype=np.int64)
        values = np.array([truth(int(place)).start for place in m], dtype=np.int64)
        count = self.compare({axis: m}, values)
        for first in range(settled, settled + period):
            count += self.follow({axis: Progression(first, period)}, truth(first))
        return count

    def follow(self, axes: Progressions, truth: Progression) -> int:
        """Check the formula along progressions; return 1 if the condition is true there, 0 if it is false.

        axes: the progression of each coordinate along the row. truth: the right values. Raises Refused if the formula
        is wrong or takes too many steps.
        """
        places = {**{name: Progression(value) for name, value in self._fixed.items()}, **axes}
        try:
            if not self._inside(places):
                return 0
            says = self._says(places)
        except WorkError:
            raise Refused(f"the formula takes more than {STEPS:,} steps to follow for all sizes") from None
        if says != truth:
            at = ", ".join(f"{name} = {number.start}" for name, number in places.items())
            raise Refused(f"the formula is wrong at {at}, or later")
        return 1

    def compare(self, axes: Mapping[str, np.ndarray], truth: np.ndarray) -> int:
        """Check the formula at positions; return how many fulfil the condition. Raise Refused if it is wrong at one."""
        columns = {name: np.full(len(truth), value, dtype=np.int64) for name, value in self._fixed.items()}
        columns |= axes
        inside = evaluate_arrays(self._where, columns, self._functions)
        selected = {name: column[inside] for name, column in columns.items()}
        wrong = np.flatnonzero(evaluate_arrays(self._formula, selected, self._functions) != truth[inside])
        if len(wrong):
            at = ", ".join(f"{name} = {column[wrong[0]]}" for name, column in selected.items())
            raise Refused(f"the formula is wrong at {at}")
        return int(np.count_nonzero(inside))


class _Plane:
    """The check of a formula at all positions (m, n) of a layer, whose row r is of P-positions or of a level set.

    width: a number that |r(m) - m| never exceeds.
    """

    def __init__(self, game: LayeredGame, row: ProvedRow, reader: FormulaReader, width: int) -> None:
        self._axes, self._row, self._reader, self._width = game.axes, row, reader, width

    def positions(self, settled: int) -> int:
        """Check all positions; return how many positions and progressions fulfil the condition.

        The formula must be false in the strips.
        """
        first, second = self._axes
        side = settled + self._width + 1
        check_side(side)
        m, n = (place.reshape(-1) for place in np.mgrid[0:side, 0:side].astype(np.int64))
        row = np.array([self._row(i) for i in range(side)])
        count = self._reader.compare({first: m, second: n}, row[m] == n)
        p = self._row.period
        for i in range(settled, settled + p):  # the lines near the diagonal
            for j in range(i - self._width, i + self._width + 1):
                count += self._follow((Progression(i, p), Progression(j, p)), self._row(i) == j)
        # the strips outside the square and further from the diagonal than the lines: a progression for m, one for n,
        # and whether n takes all further values; otherwise m does
        far = Progression(side, 0, 1)
        strips = [(Progression(m), far, True) for m in range(settled)]
        strips += [(far, Progression(n), False) for n in range(settled)]
        for m in range(settled, settled + p):
            beyond = Progression(m + self._width + 1, p, 1)
            strips += [(Progression(m, p), beyond, True), (beyond, Progression(m, p), False)]
        for a, b, is_second in strips:
            try:
                count += self._follow((a, b), False)
            except NotLinear:
                # for each remainder by the period of the number that takes all values
                for rest in range(p):
                    free = b if is_second else a
                    part = Progression(free.start + rest, free.step, p)
                    count += self._follow((a, part) if is_second else (part, b), False)
        return count

    def _follow(self, place: tuple[Progression, Progression], truth: bool) -> int:
        return self._reader.follow(dict(zip(self._axes, place, strict=True)), Progression(int(truth)))
