"""The positions of an instance without their values: what a statement that plays no game is checked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError, RulesetError
from grundylab.games.instance import Instance
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.intervals import Interval
from grundylab.language.syntax import TRUE, Expr
from grundylab.solve.table import NO_POSITION, Table

Array = npt.NDArray[Any]
_SLAB = 1 << 20  # cells looked at together


def unsolved(instance: Instance) -> Table:
    """A table that has 0 at every position, terminal or not. No move is looked at. Raises as ``position_cells``."""
    values = np.full(instance.cells, NO_POSITION, dtype=np.int32)
    for cells in position_cells(instance):
        values[cells] = 0
    return Table(instance, "outcome", values.reshape(instance.shape))


def position_cells(instance: Instance) -> Iterator[npt.NDArray[np.int64]]:
    """The cells that are positions, in order, some at a time. As by the definition, a range is evaluated only where
    those before it are kept.

    Raises RulesetError where a range or the condition on positions has no value.
    """
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
            owner, number = spread(low, np.clip(high, low - 1, within.high).astype(np.int64) - low + 1)
            columns = {name: column[owner] for name, column in columns.items()} | {coordinate.name: number}
            cells = cells[owner] * side.width + number - side.low
        if ruleset.where != TRUE:
            cells = cells[_values(ruleset.where, columns, instance, len(cells))]
        yield cells


def spread(first: Array, counts: Array) -> tuple[Array, Array]:
    """Every number of the ranges that begin at ``first`` and have ``counts`` numbers: its range's place, and itself."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - (np.cumsum(counts) - counts - first)[owner]


def _values(expr: Expr, columns: dict[str, Array], instance: Instance, rows: int) -> Array:
    """Its values as an array (rows,)."""
    try:
        found = evaluate_arrays(expr, {**instance.constants, **columns}, instance.ruleset.functions)
    except EvaluationError as error:
        raise RulesetError(f"{instance}: position space: {error.message}") from None
    return np.broadcast_to(np.asarray(found), (rows,))
