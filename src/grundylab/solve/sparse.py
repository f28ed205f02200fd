"""The P-positions alone: where these are few they can be kept where no table would fit.

Everything else is an N-position, so they tell all outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import InstanceError
from grundylab.games.instance import Instance
from grundylab.solve.memory import PROGRAM, check_bytes, free_memory, p_bytes, size_text
from grundylab.solve.reference import check_kind
from grundylab.solve.solving import SMALL, solve
from grundylab.solve.space import unsolved
from grundylab.solve.sweeps import NoSweep
from grundylab.solve.sweeps.marking import marked, marking_for
from grundylab.solve.sweeps.piles import piles_for, swept
from grundylab.solve.table import NO_POSITION, Table
from grundylab.solve.work import check_work

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
        table = unsolved(instance)
        values = table.values.reshape(-1)
        if np.any(values[self.cells] == NO_POSITION):
            raise ValueError("a P-position is outside the space")
        values[values == 0] = 1
        values[self.cells] = 0
        return table


def solve_p_positions(instance: Instance, limit: int | None = None) -> PPositions:
    """All P-positions, by a sweep that needs no table where there is one.

    limit: bytes of memory that the process may take. Raises InstanceError where the limit or the memory does not do:
    before anything is done, or when the P-positions turn out to be too many.
    """
    check_kind(instance, "outcome")
    check_bytes(instance, p_bytes(instance), limit)
    if instance.moves > SMALL:
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
    sweep = piles_for(instance, "outcome")
    names = instance.ruleset.coordinate_names
    lows = {name: side.low for name, side in zip(names, instance.box, strict=True)}
    if sweep.lines * sweep.sizes[-1] != instance.cells:
        raise NoSweep(f"{instance}: some cells are no positions")
    for layer, found in swept(sweep):
        fixed = zip(sweep.game.names, layer, strict=False)
        offsets: dict[str, Any] = {name: value - lows[name] for name, value in fixed}
        if sweep.sort == "lines":
            places = np.atleast_1d(found)
            lines = np.nonzero(places >= 0)
            along = (*lines[: found.ndim], places[lines])
        else:
            along = np.nonzero(~found)
        offsets |= zip(sweep.game.axes, along, strict=True)
        yield np.ravel_multi_index([offsets[name] for name in names], instance.shape)


def _by_marking(instance: Instance) -> Iterator[Array]:
    return marked(marking_for(instance, "outcome"))
