"""The P-positions alone: where these are few they can be kept where no table would fit.

Everything else is an N-position, so they tell all outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError, InstanceError
from grundylab.games.instance import Instance
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE
from grundylab.solve import SMALL, solve
from grundylab.solve.memory import PROGRAM, check_bytes, free_memory, p_bytes, size_text
from grundylab.solve.reference import check_kind
from grundylab.solve.table import NO_POSITION, Table

Array = npt.NDArray[Any]
_SLAB = 1 << 20  # rows
_EVERY = 1 << 20  # P-positions after which it is asked again whether they fit


@dataclass(frozen=True)
class PPositions:
    """cells: int64, in order, the cells of the P-positions in the instance's box, which are numbered in lexicographic
    order. positions: how many positions there are, of either kind.
    """

    instance: Instance
    cells: npt.NDArray[np.int64]
    positions: int

    def __len__(self) -> int:
        return len(self.cells)

    def slabs(self, rows: int = _SLAB) -> Iterator[tuple[npt.NDArray[np.int32], ...]]:
        """The P-positions in lexicographic order, some at a time: one array (rows,) a coordinate."""
        lows = [side.low for side in self.instance.box]
        for start in range(0, len(self.cells), rows):
            offsets = np.unravel_index(self.cells[start : start + rows], self.instance.shape)
            yield tuple((o + low).astype(np.int32) for o, low in zip(offsets, lows, strict=True))

    def table(self) -> Table:
        """The outcomes of all positions. Raises InstanceError if the table would not fit the memory."""
        instance = self.instance
        check_bytes(instance, instance.cells * 4)
        values = np.full(instance.cells, NO_POSITION, dtype=np.int32)
        for cells in position_cells(instance):
            values[cells] = 1
        if np.any(values[self.cells] == NO_POSITION):
            raise ValueError("a P-position is outside the space")
        values[self.cells] = 0
        return Table(instance, "outcome", values.reshape(instance.shape))


def solve_p_positions(instance: Instance, limit: int | None = None) -> PPositions:
    """All P-positions, by a sweep that needs no table where there is one.

    limit: bytes of memory that the process may take. Raises InstanceError where the limit or the memory does not do:
    before anything is done, or when the P-positions turn out to be too many.
    """
    check_kind(instance, "outcome")
    check_bytes(instance, p_bytes(instance), limit)
    if instance.moves > SMALL:
        from grundylab.solve.sweeps import NoSweep
        from grundylab.solve.work import check_work

        check_work(instance)
        for sweep in (_by_piles, _by_marking):
            try:
                return _collected(instance, sweep(instance), limit)
            except NoSweep:
                pass
    table = solve(instance, "outcome")
    return PPositions(instance, np.flatnonzero(table.values == 0), table.positions)


def _collected(instance: Instance, found: Iterator[Array], limit: int | None) -> PPositions:
    """limit: as above. found: cells in any order; every cell is a position."""
    parts: list[Array] = []
    count, asked = 0, _EVERY
    most = min(free_memory(), 2**62 if limit is None else limit - PROGRAM)
    for cells in found:
        parts.append(cells)
        count += len(cells)
        if count >= asked:
            needed = p_bytes(instance, count)
            if needed > most:
                raise InstanceError(
                    f"{instance}: it has more than {count:,} P-positions, which need more than the "
                    f"{size_text(most)} of memory that there are; choose smaller bounds"
                )
            asked = count + _EVERY
    every = np.concatenate([np.zeros(0, np.int64), *parts])
    parts.clear()
    every.sort()
    return PPositions(instance, every, instance.cells)


def _by_piles(instance: Instance) -> Iterator[Array]:
    from grundylab.solve.sweeps.nosweep import NoSweep
    from grundylab.solve.sweeps.piles import piles_for, swept

    sweep = piles_for(instance, "outcome")
    names = instance.ruleset.coordinate_names
    strides = _strides(instance)
    lows = {name: side.low for name, side in zip(names, instance.box, strict=True)}
    if len(sweep.layers) * prod(sweep.sizes) != instance.cells:
        raise NoSweep(f"{instance}: some cells are no positions")
    *outer, last = (strides[axis] for axis in sweep.game.axes)
    for layer, found in swept(sweep):
        fixed = zip(sweep.game.names, layer, strict=False)
        start = sum((value - lows[name]) * strides[name] for name, value in fixed)
        if sweep.sort == "lines":
            places = found.reshape(-1)
            rows = np.flatnonzero(places >= 0)
            yield start + _numbers(rows, sweep.sizes[:-1], outer) + places[rows].astype(np.int64) * last
        else:
            yield start + _numbers(np.flatnonzero(~found), sweep.sizes, [*outer, last])


def _by_marking(instance: Instance) -> Iterator[Array]:
    from grundylab.solve.sweeps.marking import marked, marking_for

    marking = marking_for(instance, "outcome")
    shape, strides = instance.shape, list(_strides(instance).values())
    axis = strides.pop(marking.axis)
    others = [side for place, side in enumerate(shape) if place != marking.axis]
    for first, free in marked(marking):
        lines, places = np.nonzero(free)
        yield _numbers(lines + first, others, strides) + places * axis


def _strides(instance: Instance) -> dict[str, int]:
    """By how many cells one more of each coordinate is further."""
    shape = instance.shape
    return {name: prod(shape[place + 1 :]) for place, name in enumerate(instance.ruleset.coordinate_names)}


def _numbers(rows: Array, sizes: Any, strides: list[int]) -> Array:  # noqa: ANN401 - a sequence
    """The rows, numbers of cells of the box of these sizes, as sums of multiples of the strides."""
    if not sizes:
        return np.zeros(len(rows), dtype=np.int64)
    offsets = np.unravel_index(rows, tuple(sizes))
    return np.asarray(
        sum((o * stride for o, stride in zip(offsets, strides, strict=True)), np.zeros(len(rows), np.int64))
    )


def position_cells(instance: Instance) -> Iterator[npt.NDArray[np.int64]]:
    """The cells that are positions, in order, some at a time."""
    first, *_ = instance.box
    ruleset = instance.ruleset
    width = max(1, _SLAB * first.width // max(1, instance.cells))
    for low in range(first.low, first.high + 1, width):
        columns = {ruleset.coordinate_names[0]: np.arange(low, min(low + width, first.high + 1))}
        cells = np.asarray(columns[ruleset.coordinate_names[0]] - first.low)
        for number, (coordinate, side) in enumerate(zip(ruleset.coordinates, instance.box, strict=True)):
            ends = [
                _value(end, columns, instance, len(cells))
                for end in (coordinate.range.low, coordinate.range.high)
            ]
            if number == 0:
                kept = (ends[0] <= columns[coordinate.name]) & (columns[coordinate.name] <= ends[1])
                cells, columns = cells[kept], {name: column[kept] for name, column in columns.items()}
                continue
            counts = np.maximum(ends[1] - ends[0] + 1, 0)
            start = np.repeat(np.cumsum(counts) - counts, counts)
            value = np.arange(len(start)) - start + np.repeat(ends[0], counts)
            columns = {name: np.repeat(column, counts) for name, column in columns.items()}
            columns[coordinate.name] = value
            cells = np.repeat(cells, counts) * side.width + value - side.low
        if ruleset.where != TRUE:
            cells = cells[_value(ruleset.where, columns, instance, len(cells))]
        yield cells


def _value(expr: Any, columns: dict[str, Array], instance: Instance, rows: int) -> Array:  # noqa: ANN401 - Expr
    """Its values as an array (rows,)."""
    try:
        found = evaluate_arrays(expr, {**instance.constants, **columns}, instance.ruleset.functions)
    except EvaluationError as error:
        raise InstanceError(f"{instance}: {error.message}") from None
    return np.broadcast_to(np.asarray(found), (rows,))
