"""The search for periods that go on for ever, of rows and of the Grundy numbers of one heap.

A row has the P-positions of a game with two unbounded piles, the other coordinates fixed: row[m] is the second pile of
the P-position whose first pile is m. The fixed values of the other coordinates are the row's *layer*
(``games/layers.py``). What is found here is only a hint: the kernel (``kernel/periods``) computes everything again, by
other code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import lcm
from typing import Any

import numba as nb
import numpy as np

from grundylab.errors import EvaluationError, GrundylabError, NoSweep
from grundylab.games.heap_games import NotBounded, heap_coordinate, move_shape
from grundylab.games.instance import make_instance
from grundylab.games.layers import LayeredGame, LayerValues, layered_game
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.progression import NotLinear, Progression, condition_reader
from grundylab.language.syntax import TRUE
from grundylab.prove.core.evidence import Evidence, HeapEvidence, Rows
from grundylab.prove.core.evidence import Layer as LayerFound
from grundylab.prove.core.periods.heap import needed
from grundylab.prove.core.periods.recurrence import Recurrence, RecurrenceState
from grundylab.solve import solve
from grundylab.solve.periodicity import find_period
from grundylab.solve.row_solver import RowTables as Solved
from grundylab.solve.row_solver import solve_rows
from grundylab.statement import Statement

SIZES = (64, 256, 1024, 4096, 16384)  # bounds of the tables that are searched
LENGTHS = (256, 4096, 65536)  # lengths of the rows that are searched
ANY = lcm(*range(1, 65))
SETTLING = 8  # how many beginnings of a period are tried, from the first one that the table allows
SHAPES = 32  # how many heap sizes are tried as the one from which the moves keep their form
MULTIPLES = 12  # how many multiples of a row's period are tried, since the conditions of moves may need one


def period_evidence(statement: Statement) -> Evidence | None:
    """Return evidence of a period from which the statement follows for all sizes; None if none is found.

    The condition must fix every parameter. In a game with several coordinates it must also fix all but two of them, or
    all but one if the target is Grundy numbers.
    """
    parameters = fixed_values(statement.where, statement.game.parameter_names)
    if statement.target == ALWAYS or not statement.plain or len(parameters) < len(statement.game.parameters):
        return None
    try:
        if len(statement.game.coordinates) == 1:
            return find_heap_evidence(specialise(statement.game, parameters))
        fixed = fixed_values(statement.where, statement.game.coordinate_names)
        axes = tuple(name for name in statement.game.coordinate_names if name not in fixed)
        game = layered_game(statement.game, parameters, axes, statement.target)
        layer = game.top(fixed)
        for length in LENGTHS:
            with suppress(NotFound):
                return row_evidence(game, find_recurrences(solve_rows(game, layer, length)))
    except (GrundylabError, NotFound):
        pass
    return None


def row_evidence(game: LayeredGame, recurrences: Iterable[Recurrence]) -> Rows:
    """Return the recurrences of a game's rows as evidence for the kernel."""
    layers = (
        LayerFound(
            layer=one.layer, first=one.first, period=one.period, gap=one.state.gap, beyond=one.state.beyond
        )
        for one in recurrences
    )
    return Rows(axes=game.axes, target=game.target, layers=tuple(layers))


def find_heap_evidence(game: Ruleset, largest: int = SIZES[-1]) -> HeapEvidence | None:
    """Return evidence of a period of a heap's Grundy numbers, from the smallest table that shows one.

    None if no table shows one. largest: the bound of the largest table that is tried; above 16384 it is tried only if a
    sweep (a fast solver) can solve it. Raises NotBounded for other kinds of games.
    """
    heap_coordinate(game)
    # remainders by small numbers do not change in steps of ANY, whatever the period is
    plain_from = move_shape(game, ANY, ANY).plain_from
    for size in (*SIZES, *((largest,) if largest > SIZES[-1] else ())):
        instance = make_instance(game, {}, dict.fromkeys(game.bounds, size))
        try:  # a sweep needs no compilation for the single game
            values = solve(instance, "grundy", "sweep").values
        except NoSweep:
            if size > SIZES[-1]:
                return None
            values = solve(instance, "grundy").values
        least, period = instance.box[0].low, find_period(values)
        if period is None or period.saltus != 0:
            continue
        begin, most = max(least + period.preperiod, plain_from), least + len(values) - period.period
        for first in range(begin, begin + SETTLING):
            until = _until(game, first, period.period, most)
            if until is not None:
                return HeapEvidence(first=first, period=period.period, until=until)
    return None


def _until(game: Ruleset, first: int, period: int, most: int) -> int | None:
    """Return the heap size up to which the table must show the period; None if that is more than ``most``.

    The period begins at the heap ``first``. The moves may change their form at larger heaps, since a small heap does
    not allow large takes; the table must reach beyond these changes.
    """
    until = first + 1
    for _ in range(SHAPES):
        if until > most:
            break
        try:
            wanted = needed(game, first, period, until)
        except NotBounded:
            until = min(2 * until, max(most, until + 1))
            continue
        if wanted <= until:
            return until
        until = wanted
    return None


# -- recurrences of the states of rows --------------------------------------------------------------------------------


class NotFound(Exception):
    """An error: no recurrence is found in the computed part of the rows."""


PeriodSearch = Mapping[LayerValues, Recurrence | NotFound]


def find_recurrences(rows: Solved) -> list[Recurrence]:
    """Return a recurrence of each layer, in the order of the rows. Raises NotFound if a layer has none."""
    return recurrences_of(look_for_recurrences(rows), rows.layers)


def look_for_recurrences(rows: Solved) -> PeriodSearch:
    """Return, for each layer, a recurrence, or the error that tells why none is found.

    If a layer to which a move leads has an error, it is the error of this layer, too.
    """
    recurrences: dict[LayerValues, Recurrence | NotFound] = {}
    for layer in rows.layers:
        try:
            below = recurrences_of(recurrences, [step.to for step in rows.game.descents(layer)])
            recurrences[layer] = _Search(rows, layer, below).result()
        except NotFound as missing:
            recurrences[layer] = missing
    return recurrences


def recurrences_of(search: PeriodSearch, layers: Iterable[LayerValues]) -> list[Recurrence]:
    """Return the recurrences of the layers; raise the NotFound of the first layer that has none."""
    recurrences = []
    for layer in layers:
        one = search[layer]
        if isinstance(one, NotFound):
            raise NotFound(*one.args)
        recurrences.append(one)
    return recurrences


class _Search:
    """The search for the earliest recurrence of one layer. below: recurrences of the layers that moves lead to."""

    def __init__(self, rows: Solved, layer: LayerValues, below: Sequence[Recurrence]) -> None:
        self._game, self._rows, self._layer = rows.game, rows, layer
        self._row = rows[layer]
        self._steps = rows.game.descents(layer)
        self._below = below

    def result(self) -> Recurrence:
        own = find_period(self._row - np.arange(len(self._row), dtype=np.int32))
        if own is None or own.saltus != 0:
            raise self._none("the numbers do not repeat")
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
                raise self._none(f"no state recurs after a period of {period:,}")
            before = set(self._row[:first].tolist())
            gap = next(n for n in range(first + 1) if n not in before)
            state = RecurrenceState(gap - first, tuple(sorted(n - first for n in before if n > gap)))
            return Recurrence(self._layer, first, period, state)
        raise self._none("a move's condition does not become periodic")

    def _none(self, why: str) -> NotFound:
        return NotFound(f"in the row {self._game.describe(self._layer)} {why}")

    def _settled(self, start: int, period: int) -> int | None:
        """Return a place from which on each move's condition recurs with the period; None if the row is too short."""
        for step in self._steps:
            if step.when == TRUE:
                continue
            condition = condition_reader(step.when, self._game.game.functions)
            m, to = start, self._rows[step.to]
            while m < start + period:
                if start + period > len(self._row):
                    return None
                places = Progression(m, period), Progression(int(to[m]), period)
                try:
                    condition(dict(zip(self._game.axes, places, strict=False)))
                except (NotLinear, EvaluationError):
                    start = m + 1
                m += 1
        return start


@nb.njit(cache=True, nogil=True)
def _first_again(row: Any, period: int, start: int) -> int:  # noqa: ANN401 - an int32 array
    """Return the least m >= start such that the states at m and m + period are equal; -1 if the row has none.

    The state at m is the set of all v - m where v is negative or one of row[0], …, row[m - 1]. The number of
    elements that are in only one of the two states is updated as m grows.
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
