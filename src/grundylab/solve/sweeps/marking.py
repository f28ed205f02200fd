"""Outcomes by marking: every P-position marks all positions from which a move leads to it.

Where every move takes from the coordinates (see ``drops``) all options of a position come before it in lexicographic
order. So a position that is not marked when its turn comes has no P-position among its options, and is one itself.
What is looked at are the pairs of a P-position and a position before it, and runs of such positions along a line as
one; as P-positions are few, that is much less than all pairs of a position and an option.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import NoSweep
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.solve.sweeps.drops import Drops, drops_for
from grundylab.solve.table import Table

_BITS = 1 << 22  # of a slab of lines: between two slabs Ctrl-C is heard, and steps are counted


@dataclass(frozen=True)
class Marking:
    """How an instance is marked. axis: the place of the coordinate that lines run along."""

    drops: Drops
    axis: int

    @property
    def instance(self) -> Instance:
        """The instance."""
        return self.drops.instance

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.instance.cells // max(1, self.instance.shape[self.axis])

    @property
    def bytes(self) -> int:
        """What the marks take."""
        return 8 * self.lines * self.words

    @property
    def words(self) -> int:
        """The number of 64-bit words of a line."""
        return (self.instance.shape[self.axis] + 63) // 64


def marking_for(instance: Instance, kind: Values) -> Marking:
    """How the instance is marked. Raises NoSweep, with the reason, if it is not."""
    if kind != "outcome":
        raise NoSweep("only outcomes are found by marking")
    shape = instance.shape
    widest = max(range(len(shape)), key=lambda place: (shape[place], place))
    return Marking(drops_for(instance), widest)


def solve_marking(instance: Instance, kind: Values) -> Table:
    """As ``solve_reference``. Raises NoSweep if the instance is not marked, or if that would take longer than to
    look at all options."""
    values = np.ones(instance.cells, dtype=np.int32)
    for cells in marked(marking_for(instance, kind)):
        values[cells] = 0
    return Table(instance, kind, values.reshape(instance.shape))


def marked(marking: Marking) -> Iterator[npt.NDArray[np.int64]]:
    """The cells of the P-positions, those of some lines at a time. Raises as ``solve_marking``."""
    from grundylab.solve.kernels import load_module
    from grundylab.solve.sweeps.marksource import marking_source

    instance, shape = marking.instance, marking.instance.shape
    if not instance.cells:
        return
    ruleset, width = instance.ruleset, shape[marking.axis]
    module: Any = load_module(marking_source(marking.drops, ruleset.coordinate_names[marking.axis]))
    constants = tuple(instance.constants.values())
    lows = np.array([side.low for side in instance.box], dtype=np.int64)
    highs = np.array([side.high for side in instance.box], dtype=np.int64)
    strides = np.zeros(len(shape), dtype=np.int64)
    stride = 1
    for place in reversed(range(len(shape))):
        if place != marking.axis:
            strides[place], stride = stride, stride * shape[place]
    ends = [(span.low, span.high) for drop in marking.drops.moves for _, span in drop.variables]
    spans = np.array(ends, dtype=np.int64).reshape(-1, 2)
    others = tuple(side for place, side in enumerate(shape) if place != marking.axis)
    marks = np.zeros((marking.lines, marking.words), dtype=np.uint64)
    slab, steps = max(1, _BITS // width), 0
    for first in range(0, marking.lines, slab):
        last = min(first + slab, marking.lines)
        steps += module.sweep(marks, first, last, constants, lows, highs, strides, spans)
        if steps > instance.moves:
            raise NoSweep(f"{instance}: its P-positions are many, and so are the positions before them")
        bits = np.unpackbits(marks[first:last].view(np.uint8), axis=1, count=width, bitorder="little")
        lines, places = np.nonzero(bits == 0)
        offsets = list(np.unravel_index(lines + first, others)) if others else []
        offsets.insert(marking.axis, places)
        yield np.ravel_multi_index(offsets, shape)
