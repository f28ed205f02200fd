"""Finds where the states of rows recur: the evidence that ``prove/recurrence.py`` checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import lcm
from typing import Any

import numba as nb
import numpy as np

from grundylab.errors import EvaluationError
from grundylab.games.layers import Descent, Layer
from grundylab.language.progression import NotLinear, Progression, Progressions, condition_reader
from grundylab.language.syntax import TRUE
from grundylab.prove.recurrence import Recurrence, State
from grundylab.solve.periodicity import find_period
from grundylab.solve.rows import Row, Rows

MULTIPLES = 12  # of a row's own period, tried for what the conditions of its moves ask


class NotFound(Exception):
    """No recurrence as far as the rows go."""


def find_recurrences(rows: Rows) -> list[Recurrence]:
    """A recurrence of every layer, in the order of the rows. Raises NotFound."""
    return recurrences_below(rows.layers, look_for_recurrences(rows))


def look_for_recurrences(rows: Rows) -> dict[Layer, Recurrence | NotFound]:
    """A recurrence of each layer, or why it has none: for want of one below it, what is said there."""
    found: dict[Layer, Recurrence | NotFound] = {}
    for layer in rows.layers:
        try:
            below = [found[step.to] for step in rows.game.descents(layer)]
            found[layer] = _Search(rows, layer, _all_found(below)).result()
        except NotFound as missing:
            found[layer] = missing
    return found


def recurrences_below(
    layers: Iterable[Layer], found: Mapping[Layer, Recurrence | NotFound]
) -> list[Recurrence]:
    """Those of the layers. Raises NotFound for the first that has none."""
    return _all_found(found[layer] for layer in layers)


def _all_found(several: Iterable[Recurrence | NotFound]) -> list[Recurrence]:
    recurrences = []
    for one in several:
        if isinstance(one, NotFound):
            raise NotFound(*one.args)
        recurrences.append(one)
    return recurrences


class _Search:
    """The earliest recurrence of one layer, given those below it."""

    def __init__(self, rows: Rows, layer: Layer, below: Sequence[Recurrence]) -> None:
        self._game, self._rows, self._layer = rows.game, rows, layer
        self._row = rows[layer]
        self._steps = rows.game.descents(layer)
        self._below = below

    def result(self) -> Recurrence:
        own = find_period(self._row - np.arange(len(self._row), dtype=np.int32))
        if own is None or own.saltus != 0:
            raise self._none("its numbers do not repeat")
        shared = lcm(own.period, *(below.period for below in self._below))
        start = max((below.first for below in self._below), default=0)
        if self._game.game.play == "misere" and self._game.ends_at_origin(self._layer):
            start = max(start, 1)
        for multiple in range(1, MULTIPLES + 1):
            period = multiple * shared
            begin = self._settled(start, period)
            if begin is None:
                continue
            first = int(_first_again(self._row, period, begin))
            if first < 0:
                raise self._none(f"no state comes again after {period:,}")
            return Recurrence(self._layer, first, period, _state(self._row, first))
        raise self._none("a condition of its moves does not settle")

    def _none(self, why: str) -> NotFound:
        return NotFound(f"in the row {self._game.describe(self._layer)} {why}")

    def _settled(self, start: int, period: int) -> int | None:
        """From where on each move's condition is the same a period later; None if that is not seen."""
        for step in self._steps:
            if step.when == TRUE:
                continue
            condition = condition_reader(step.when, self._game.game.functions)
            while True:
                late = [
                    m
                    for m in range(start, start + period)
                    if m < len(self._row) and not self._same(condition, step, m, period)
                ]
                if start + period > len(self._row):
                    return None
                if not late:
                    break
                start = late[-1] + 1
        return start

    def _same(self, condition: Callable[[Progressions], bool], step: Descent, m: int, period: int) -> bool:
        places = [Progression(number, period) for number in (m, int(self._rows[step.to][m]))]
        try:
            condition(dict(zip(self._game.axes, places, strict=False)))
        except (NotLinear, EvaluationError):
            return False
        return True


def _state(row: Row, first: int) -> State:
    there = set(row[:first].tolist())
    gap = next(n for n in range(first + 1) if n not in there)
    return State(gap - first, tuple(sorted(n - first for n in there if n > gap)))


@nb.njit(cache=True, nogil=True)
def _first_again(row: Any, period: int, start: int) -> int:  # noqa: ANN401 - an int32 array
    """The least m >= start at which the state is the same as at m + period; -1 if there is none in the row.

    Compared are U(m) + period and U(m + period), where U counts the negative numbers in; what is in one and not in
    the other is kept count of while m grows.
    """
    size = max(row.max() + 1, len(row)) + period + 1
    one, other = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    one[:period] = True
    for m in range(min(period, len(row))):
        other[row[m]] = True
    different = 0
    for n in range(size):
        different += one[n] != other[n]
    for m in range(len(row) - period):
        if different == 0 and m >= start:
            return m
        low, high = row[m] + period, row[m + period]
        one[low] = True
        different += -1 if other[low] else 1
        other[high] = True
        different += -1 if one[high] else 1
    return -1
