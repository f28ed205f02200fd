"""A slice of a table with at most two free coordinates, to be drawn in a terminal or as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
import numpy.typing as npt

from grundylab.errors import InstanceError
from grundylab.games.model import Values
from grundylab.report.colours import N_POSITION, colour, top_of
from grundylab.report.window import View, Window, whole_window
from grundylab.solve.table import NO_POSITION, Table


@dataclass(frozen=True)
class Grid:
    """values: int32 (rows, columns), NO_POSITION where there is none; rows run over the coordinate ``row_name``.

    Without a ``row_name`` there is one row; ``fixed`` are the coordinates that are held fixed. title: what is drawn.
    """

    title: str
    kind: Values
    fixed: Mapping[str, int]
    row_name: str | None
    column_name: str
    rows: range
    columns: range
    values: npt.NDArray[np.int32]

    @property
    def positions(self) -> int:
        """How many cells are positions."""
        return int(np.count_nonzero(self.values != NO_POSITION))

    @cached_property
    def top(self) -> int:
        """The end of the scale of colours of its values."""
        return top_of(int(self.values.max(initial=0)))

    def colour(self, value: int) -> str:
        """The colour of the cell of a position with this value."""
        return N_POSITION if self.kind == "outcome" and value else colour(value, self.top)

    @property
    def subject(self) -> str:
        """The title with what is held fixed."""
        return ", ".join([self.title, *(f"{name}={value}" for name, value in self.fixed.items())])


def slice_table(table: Table, fixed: Mapping[str, int], axes: tuple[str, ...] = ()) -> Grid:
    """The slice where the fixed coordinates have their values; InstanceError unless one or two are left free.

    axes: the free coordinates, down and across; if none are given, in the order of the ruleset.
    """
    window = whole_window(table)
    for name, value in fixed.items():
        if name not in window.sides:
            raise InstanceError(
                f"--fix: {table.instance.ruleset.name} has no coordinate '{name}'; "
                f"coordinates: {', '.join(window.names)}"
            )
        side = window.sides[name]
        if value not in side:
            ends = f"{side.start}..{side.stop - 1}"
            raise InstanceError(f"--fix: {name}={value} is outside the table: {name} is in {ends}")
    if not table.positions:
        raise InstanceError(f"{table.instance} has no positions to show")
    free = tuple(name for name in window.names if name not in fixed)
    if len(free) not in (1, 2):
        advice = "leave one or two free" if not free else f"hold all but two fixed, as in --fix {free[-1]}=1"
        raise InstanceError(f"{len(free)} free coordinates ({', '.join(free) or 'none'}): {advice}")
    if axes and sorted(axes) != sorted(free):
        raise InstanceError(f"--axes {','.join(axes)}: the free coordinates are {', '.join(free)}")
    shown = axes or free
    return slice_window(window, View(shown[0] if len(shown) == 2 else None, shown[-1], fixed))


def slice_window(window: Window, view: View) -> Grid:
    """What the view shows of the window."""
    sides = window.sides
    order = [name for name in window.names if name not in view.fixed]
    places = tuple(
        slice(None) if name in order else view.fixed[name] - side.start for name, side in sides.items()
    )
    values = np.atleast_2d(window.values[places])
    if view.down is not None and order[0] != view.down:
        values = values.T
    rows = sides[view.down] if view.down is not None else range(1)
    return Grid(
        str(window.instance),
        window.kind,
        view.fixed,
        view.down,
        view.across,
        rows,
        sides[view.across],
        values,
    )


def first_cells(grid: Grid, rows: int, columns: int) -> Grid:
    """The grid's upper left corner of at most so many rows and columns."""
    return Grid(
        grid.title, grid.kind, grid.fixed, grid.row_name, grid.column_name, grid.rows[:rows],
        grid.columns[:columns], grid.values[:rows, :columns],
    )  # fmt: skip


def stretches(line: Sequence[bool] | npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(start, length) of each stretch of true values."""
    found, place = [], 0
    for value, group in groupby(line):
        length = len(list(group))
        if value:
            found.append((place, length))
        place += length
    return found


def wrapped(grid: Grid, width: int) -> Grid:
    """One long row as lines of ``width`` cells: the place of a cell is the number of its row plus its column's."""
    assert grid.row_name is None
    flat = grid.values.reshape(-1)
    if len(flat) <= width:
        return grid
    lines = -(-len(flat) // width)
    values = np.full(lines * width, NO_POSITION, dtype=np.int32)
    values[: len(flat)] = flat
    start = grid.columns.start
    rows = range(start, start + lines * width, width)
    return Grid(
        grid.title, grid.kind, grid.fixed, grid.column_name, "+", rows, range(width),
        values.reshape(lines, width),
    )  # fmt: skip
