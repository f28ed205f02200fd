"""Runs: where a condition holds, as intervals along one axis; in each row of positions they are numbered from 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array

FEWEST_ROWS = 2  # with fewer there is nothing to find a rule from


@dataclass(frozen=True)
class Runs:
    """The runs of all rows; one row is the positions that differ in the axis only.

    rows: what tells the rows apart, coordinates and then parameters. row: for each of these its value at each run, an
    int64 array (runs,). number, start, end: (runs,). ended: whether the run ends before the row does; where not, its
    true end is unknown.
    """

    axis: str
    rows: tuple[str, ...]
    row: Mapping[str, Array]
    number: Array
    start: Array
    end: Array
    ended: Array

    def __len__(self) -> int:
        """The number of runs, over all rows."""
        return len(self.number)

    def at(self, chosen: Array) -> Runs:
        """Only these runs, with their numbers."""
        row = {name: column[chosen] for name, column in self.row.items()}
        parts = (self.number[chosen], self.start[chosen], self.end[chosen], self.ended[chosen])
        return Runs(self.axis, self.rows, row, *parts)


def find_runs(samples: Samples, axis: str, holds: bool = True) -> Runs | None:
    """The runs of positions where the condition holds (or: does not) along the axis, row by row.

    None if some row has a hole, where a run could begin or end unseen, or if there are too few rows or runs.
    """
    rows = tuple(name for name in samples.names if name != axis)
    order = np.lexsort((samples.columns[axis], *(samples.columns[name] for name in reversed(rows))))
    x = samples.columns[axis][order]
    others = {name: samples.columns[name][order] for name in rows}
    inside = samples.values[order] == holds
    fresh = np.ones(len(x), dtype=bool)  # the first position of a row
    if len(x) > 1:
        fresh[1:] = np.any(
            [column[1:] != column[:-1] for column in others.values()] or [x[1:] < x[:-1]], axis=0
        )
    if np.any(np.diff(x)[~fresh[1:]] != 1) or np.count_nonzero(fresh) < (FEWEST_ROWS if rows else 1):
        return None
    before = np.concatenate([[False], inside[:-1]]) & ~fresh
    last = np.concatenate([fresh[1:], [True]])
    after = np.concatenate([inside[1:], [False]]) & ~last
    starts, ends = np.flatnonzero(inside & ~before), np.flatnonzero(inside & ~after)
    if len(starts) < FEWEST_ROWS:
        return None
    row_number = np.cumsum(fresh)[starts]
    first_of_row = np.searchsorted(row_number, row_number)
    number = np.arange(len(starts)) - first_of_row
    row = {name: column[starts] for name, column in others.items()}
    return Runs(axis, rows, row, number, x[starts], x[ends], ~last[ends])
