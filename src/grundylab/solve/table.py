"""Tables: the values of all positions of an instance as one dense array over its box.

There are also tables of the positions without values (``unsolved_table``), for statements that do not depend on play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError, RulesetError
from grundylab.games.instance import Instance, Position
from grundylab.games.model import Target, Values
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.intervals import Interval
from grundylab.language.syntax import TRUE, Expr
from grundylab.numeric import Array

if TYPE_CHECKING:
    import pandas as pd

GRUNDY_COLUMN, OUTCOME_COLUMN = "grundy", "outcome"  # columns of a frame of positions
ATTRIBUTE = "grundylab"  # the attribute of such a frame that describes its columns
NO_POSITION = -1  # in cells outside the position space
_SLAB = 1 << 20  # cells in one slab
_KEPT = 1 << 23  # cells; the slabs of smaller tables are kept, since one table serves many checks


@dataclass(frozen=True)
class TableSlab:
    """Consecutive positions of a table, in lexicographic order.

    coordinates: for each coordinate one array (rows,), int64 by default. values: int32 (rows,), Grundy numbers or
    outcomes, which are 0 for a P-position and 1 for an N-position.
    """

    coordinates: tuple[npt.NDArray[Any], ...]
    values: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Table:
    """The values of all positions of an instance.

    kind: whether values are Grundy numbers or outcomes. values: an int32 array over the instance's box, with
    NO_POSITION in cells that are no positions.
    """

    instance: Instance
    kind: Values
    values: npt.NDArray[np.int32]

    @property
    def positions(self) -> int:
        """The number of positions."""
        return int(np.count_nonzero(self.values != NO_POSITION))

    def __getitem__(self, position: Position) -> int:
        """Return the value of one position. Raises KeyError if there is no such position."""
        offsets = self._offsets(position)
        if offsets is None:
            raise KeyError(position)
        return int(self.values[offsets])

    def __contains__(self, position: Position) -> bool:
        """Tell whether there is such a position."""
        return self._offsets(position) is not None

    def _offsets(self, position: Position) -> Position | None:
        """Return the indices of the position in the array ``values``, or None if there is no such position."""
        offsets = tuple(value - side.low for value, side in zip(position, self.instance.box, strict=True))
        inside = all(0 <= offset < width for offset, width in zip(offsets, self.instance.shape, strict=True))
        return offsets if inside and self.values[offsets] != NO_POSITION else None

    @cached_property
    def by_position(self) -> dict[Position, int]:
        """The values of all positions as a dictionary; meant for small tables."""
        return {
            tuple(position): value
            for slab in self.slabs()
            for *position, value in np.stack([*slab.coordinates, slab.values], axis=1).tolist()
        }

    def slabs(
        self, cells: int | None = None, dtype: type[np.signedinteger[Any]] = np.int64
    ) -> Iterator[TableSlab]:
        """Yield the positions in lexicographic order, in slabs that each cover about ``cells`` cells of the box.

        dtype: the type of the arrays of coordinates.
        """
        if cells is None and dtype is np.int64 and self.values.size <= _KEPT:
            return iter(self._kept)
        return self._slabs(cells or _SLAB, dtype)

    @cached_property
    def _kept(self) -> tuple[TableSlab, ...]:
        return tuple(self._slabs(_SLAB, np.int64))

    def _slabs(self, cells: int, dtype: type[np.signedinteger[Any]]) -> Iterator[TableSlab]:
        flat = self.values.reshape(-1)
        for start in range(0, flat.size, cells):
            block = flat[start : start + cells]
            columns = _columns(self.instance, start, start + len(block), dtype)
            here = block != NO_POSITION
            if here.all():
                yield TableSlab(columns, block)
            elif here.any():
                yield TableSlab(tuple(column[here] for column in columns), block[here])

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with one row for each position, in lexicographic order.

        Its columns, with the types of a dataset, are the coordinates, parameters, bounds, ``grundy`` (NA if only
        outcomes were solved) and ``outcome`` ("P" or "N", a categorical). The frame's attribute ``grundylab`` names the
        ruleset, and lists which columns are coordinates, parameters and bounds.
        """
        import pandas as pd

        ruleset = self.instance.ruleset
        slabs = list(self.slabs(dtype=np.int32))
        columns = {
            name: np.concatenate([slab.coordinates[place] for slab in slabs] or [np.empty(0, np.int32)])
            for place, name in enumerate(ruleset.coordinate_names)
        }
        values = np.concatenate([slab.values for slab in slabs] or [np.empty(0, np.int32)])
        constants = {name: np.full(len(values), number) for name, number in self.instance.constants.items()}
        frame = pd.DataFrame({**columns, **constants})
        missing = pd.array([pd.NA] * len(values), dtype="Int32")
        frame[GRUNDY_COLUMN] = values if self.kind == "grundy" else missing
        outcomes = np.where(is_p_position(values), "P", "N")
        frame[OUTCOME_COLUMN] = pd.Categorical(outcomes, ["P", "N"])
        frame.attrs[ATTRIBUTE] = frame_attributes(self.instance)
        return frame

    def __repr__(self) -> str:
        return f"<Table of {self.instance}: {self.kind} of {self.positions:,} positions>"


def frame_attributes(instance: Instance) -> dict[str, Any]:
    """Return the attribute ``grundylab`` of a frame of positions; it is the same for all instances of a ruleset."""
    ruleset = instance.ruleset
    return {
        "ruleset": ruleset.name,
        "hash": ruleset.hash,
        "coordinates": list(ruleset.coordinate_names),
        "parameters": list(ruleset.parameter_names),
        "bounds": list(ruleset.bounds),
    }


def _columns(
    instance: Instance, start: int, stop: int, dtype: type[np.signedinteger[Any]]
) -> tuple[npt.NDArray[Any], ...]:
    """Return the coordinates of the cells start..stop - 1 of the box, as one array for each coordinate."""
    columns, stride = [], 1
    for side in reversed(instance.box):
        if stride * side.width <= stop - start:  # the values repeat
            cycle = np.repeat(np.arange(side.low, side.high + 1, dtype=dtype), stride)
            first = start % len(cycle)
            column = np.tile(cycle, -(-(first + stop - start) // len(cycle)))[first : first + stop - start]
        else:
            values = np.arange(start // stride, (stop - 1) // stride + 1) % side.width + side.low
            skipped = start % stride
            column = np.repeat(values.astype(dtype), stride)[skipped : skipped + stop - start]
        columns.append(column)
        stride *= side.width
    return tuple(reversed(columns))


def target_values(values: npt.NDArray[Any], target: Target) -> npt.NDArray[Any]:
    """Return the value that a formula for the target must have at each position.

    values: the Grundy numbers of the positions; for the target ``p`` also their outcomes.
    """
    if target.name == "true":
        return np.ones(len(values), dtype=bool)
    if target.name == "p":
        return is_p_position(values)
    return values == target.value if target.name == "level" else values.astype(np.int64)


def is_p_position(values: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Tell for each value whether it belongs to a P-position: 0, for Grundy numbers as for outcomes."""
    return np.equal(values, 0)


def unsolved_table(instance: Instance) -> Table:
    """Return a table with 0 at every position, without evaluating any move.

    Raises RulesetError as ``position_cells`` does.
    """
    values = np.full(instance.cells, NO_POSITION, dtype=np.int32)
    for cells in position_cells(instance):
        values[cells] = 0
    return Table(instance, "outcome", values.reshape(instance.shape))


def position_cells(instance: Instance) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the numbers of the cells that are positions, in increasing order, a block at a time.

    As in the definition, a range is evaluated only where the coordinates before it are in their ranges. Raises
    RulesetError if a range or the condition on positions has no value.
    """
    if not instance.cells:
        return
    ruleset, (first, *_) = instance.ruleset, instance.box
    width = max(1, _SLAB * first.width // max(1, instance.cells))
    for start in range(first.low, first.high + 1, width):
        cells, columns = np.zeros(1, dtype=np.int64), dict[str, Array]()
        block = Interval(start, min(start + width - 1, first.high))
        for coordinate, side, within in zip(
            ruleset.coordinates, instance.box, (block, *instance.box[1:]), strict=True
        ):
            low, high = (_values(end, columns, instance, len(cells)) for end in coordinate.ends)
            low = np.clip(low, within.low, within.high + 1).astype(np.int64)
            counts = np.clip(high, low - 1, within.high).astype(np.int64) - low + 1
            owner = np.repeat(np.arange(len(counts)), counts)
            number = np.arange(len(owner)) - (np.cumsum(counts) - counts - low)[owner]
            columns = {name: column[owner] for name, column in columns.items()} | {coordinate.name: number}
            cells = cells[owner] * side.width + number - side.low
        if ruleset.where != TRUE:
            cells = cells[_values(ruleset.where, columns, instance, len(cells))]
        yield cells


def _values(expr: Expr, columns: dict[str, Array], instance: Instance, rows: int) -> Array:
    """Return the values of the expression as an array (rows,). Raises RulesetError if it has none somewhere."""
    try:
        values = evaluate_arrays(expr, {**instance.constants, **columns}, instance.ruleset.functions)
    except EvaluationError as error:
        raise RulesetError(f"{instance}: position space: {error.message}") from None
    return np.broadcast_to(np.asarray(values), (rows,))
