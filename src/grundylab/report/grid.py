"""A slice of a table with at most two free coordinates, to be drawn in a terminal or as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

import numpy as np
import numpy.typing as npt

from grundylab.errors import InstanceError
from grundylab.games.model import Values
from grundylab.report.colours import N_POSITION, colour, top_of
from grundylab.report.window import View, Window, whole_window
from grundylab.solve.table import NO_POSITION, Table

SHOWN, LINE = 32, 256


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
    """The slice where the fixed coordinates have these values; InstanceError unless one or two are left free.

    axes: the free coordinates, down and across; if none are given, in the order of the ruleset.
    """
    window = whole_window(table)
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
    title, columns = str(window.instance), sides[view.across]
    return Grid(title, window.kind, view.fixed, view.down, view.across, rows, columns, values)


def first_cells(grid: Grid, rows: int, columns: int) -> Grid:
    """The grid's upper left corner of at most so many rows and columns."""
    shown = grid.values[:rows, :columns]
    return replace(grid, rows=grid.rows[:rows], columns=grid.columns[:columns], values=shown)


def beginning(grid: Grid) -> Grid:
    """What is seen first: SHOWN cells a side; of one row LINE cells, in lines of SHOWN."""
    if grid.row_name is None:
        return wrapped(first_cells(grid, 1, LINE), SHOWN)
    return first_cells(grid, SHOWN, SHOWN)


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
    count = grid.values.size
    if count <= width:
        return grid
    values = np.pad(grid.values[0], (0, -count % width), constant_values=NO_POSITION).reshape(-1, width)
    rows = range(grid.columns.start, grid.columns.start + values.size, width)
    return replace(
        grid, row_name=grid.column_name, column_name="+", rows=rows, columns=range(width), values=values
    )
