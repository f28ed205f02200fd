"""Windows and grids: parts of tables to be drawn.

A window is a box of a table's positions; a grid is a slice of a window, along one or two coordinates, with the colours
of its cells. The edge of a table does not change the values in it, so a window of a large table is the table of a
smaller instance. P-positions are white, as in the papers; Grundy numbers above 0 have the colours of the map viridis,
which goes evenly from dark to light for all kinds of colour vision (Nuñez, Anderton & Renslow, *PLoS ONE* 13 (2018)).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from grundylab.errors import InstanceError
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.solve.table import NO_POSITION, Table

SHOWN, LINE = 24, 256  # the most cells shown at first: of each side, and of a grid that is a single row
IN_LINES = "+"  # the column name of a grid that is one row in lines: a cell's coordinate is row + column
LONGEST = 1024  # the most cells of a side of a picture's window: smaller cells would be indistinguishable
_NAMED = 12  # the most P-positions that a description lists
# the most cells of one window (33 by 33 by 33 by 2 are slightly fewer), and of all windows of a ruleset
_CELLS, _ALL_CELLS = 72_000, 480_000


# -- colours --------------------------------------------------------------------------------------------------

_Numbers = TypeVar("_Numbers", int, npt.NDArray[np.int64])
P_POSITION, N_POSITION, HEADER = "#ffffff", "#b3b3b3", "#e6e6e6"  # grey levels 1, 0.7 and 0.9

SCALE = (
    "#440154", "#471164", "#482071", "#472e7c", "#443b84", "#3f4889", "#3a548c", "#34608d",
    "#2f6c8e", "#2a768e", "#26818e", "#228b8d", "#1f958b", "#1fa088", "#24aa83", "#2fb47c",
    "#42be71", "#58c765", "#70cf57", "#8bd646", "#a8db34", "#c5e021", "#e2e418", "#fde725",
)  # fmt: skip


def scale_top(largest: int) -> int:
    """Return the Grundy number at the end of the colour scale, for values up to ``largest``.

    It is the least 2^n - 1 with n >= 1 that is at least ``largest``, so that larger tables seldom change the colours.
    """
    return max((1 << int(largest).bit_length()) - 1, 1)


def scale_index(value: _Numbers, top: int) -> _Numbers:
    """Return the index in SCALE of a Grundy number from 1 to top, or of each in an array; negative for values < 1."""
    return (value - 1) * (len(SCALE) - 1) // max(top - 1, 1)


def colour(value: int, top: int) -> str:
    """Return the colour of a Grundy number on a scale that ends with ``top``."""
    return P_POSITION if value == 0 else SCALE[scale_index(value, top)]


def is_dark(hexadecimal: str) -> bool:
    """Tell whether white letters are easier to read on this colour than black ones, by WCAG's relative luminance."""
    channels = [int(hexadecimal[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] < 0.179


# -- windows --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableWindow:
    """A box of a table: ``box`` has a range for each coordinate.

    values: int32, with an axis for each coordinate; NO_POSITION stands where the rules have no position.
    """

    instance: Instance
    kind: Values
    box: tuple[range, ...]
    values: npt.NDArray[np.int32]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates, in order."""
        return self.instance.ruleset.coordinate_names

    @property
    def sides(self) -> dict[str, range]:
        """The range of each coordinate, by its name."""
        return dict(zip(self.names, self.box, strict=True))

    @property
    def settings(self) -> str:
        """The parameters' values as text, such as ``m=8``; empty if there are no parameters."""
        return ", ".join(f"{name}={value}" for name, value in self.instance.parameters)


def whole_window(table: Table) -> TableWindow:
    """Return the window of the whole table."""
    box = tuple(range(side.low, side.high + 1) for side in table.instance.box)
    return TableWindow(table.instance, table.kind, box, table.values)


def crop(window: TableWindow, ranges: Mapping[str, range]) -> TableWindow:
    """Return the part of the window where the named coordinates are in these ranges.

    Raises InstanceError for an unknown coordinate, and for a range that is empty or leaves the window.
    """
    for name, part in ranges.items():
        if name not in window.sides:
            coordinates = ", ".join(window.names)
            raise InstanceError(
                f"{window.instance.ruleset.name} has no coordinate '{name}'; coordinates: {coordinates}"
            )
        side = window.sides[name]
        if not part or part[0] not in side or part[-1] not in side:
            last = f"{side[0]}..{side[-1]}" if side else "empty"
            raise InstanceError(f"{name} is {part.start}..{part.stop - 1}, but in the table it is {last}")
    box = tuple(ranges.get(name, side) for name, side in window.sides.items())
    places = tuple(
        slice(new.start - side.start, new.stop - side.start)
        for new, side in zip(box, window.box, strict=True)
    )
    return TableWindow(window.instance, window.kind, box, window.values[places])


def shrink_to_page(windows: Sequence[TableWindow]) -> tuple[TableWindow, ...]:
    """Return the windows, each trimmed to the same number of cells, so that all together fit on a page."""
    cells = _CELLS
    small = tuple(trim(window, cells) for window in windows)
    while cells > 1 and sum(window.values.size for window in small) > _ALL_CELLS:
        cells = cells * 3 // 4
        small = tuple(trim(window, cells) for window in small)
    return small


def trim(window: TableWindow, cells: int) -> TableWindow:
    """Return the window's low corner of at most ``cells`` cells: all sides longer than some length are cut to it.

    The length is the largest possible, and at most LONGEST; it is at least 1. Ends without positions are cut off, too.
    """
    longest = min(max(len(side) for side in window.box), LONGEST)
    while longest > 1 and prod(min(len(side), longest) for side in window.box) > cells:
        longest -= 1
    ranges = {name: side[:longest] for name, side in window.sides.items()}
    window = crop(window, ranges)
    occupied = window.values != NO_POSITION
    for axis, (name, side) in enumerate(window.sides.items()):
        others = tuple(other for other in range(len(window.box)) if other != axis)
        used = np.flatnonzero(occupied.any(axis=others))
        ranges[name] = side[: int(used[-1]) + 1] if used.size else side[:1]
    return crop(window, ranges)


@dataclass(frozen=True)
class View:
    """A choice of a slice: the coordinates that go down and across, and the values of all other coordinates.

    ``down`` is None for a slice of one row.
    """

    down: str | None
    across: str
    fixed: Mapping[str, int]


def usual_view(window: TableWindow) -> View:
    """Return the default view: the two longest sides, with typical values of the other coordinates.

    The earlier coordinate goes down and the later one across, unless the later one has less than a quarter of the
    other's length. A fixed coordinate with two values (a pass) has the greater one; others have the value after a
    quarter of their range.
    """
    sides = window.sides
    longest = sorted(sides, key=lambda name: -len(sides[name]))[:2]
    axes = [name for name in window.names if name in longest]
    if len(axes) == 2 and len(sides[axes[1]]) * 4 < len(sides[axes[0]]):
        axes.reverse()
    typical = {name: side[-1] if len(side) == 2 else side[len(side) // 4] for name, side in sides.items()}
    fixed = {name: value for name, value in typical.items() if name not in axes}
    return View(axes[0] if len(axes) == 2 else None, axes[-1], fixed)


# -- slices ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """A slice to draw.

    title: the instance, or other words for what is drawn. fixed: the values of the fixed coordinates. row_name,
    column_name: the coordinates that go down and across; ``row_name`` is None if there is one row. rows, columns: their
    values. values: int32 (rows, columns); NO_POSITION stands where there is no position.
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
        """The number of cells that are positions."""
        return int(np.count_nonzero(self.values != NO_POSITION))

    @cached_property
    def top(self) -> int:
        """The Grundy number at the end of the grid's colour scale."""
        return scale_top(int(self.values.max(initial=0)))

    def colour(self, value: int) -> str:
        """Return the colour of a cell whose position has this value."""
        return N_POSITION if self.kind == "outcome" and value else colour(value, self.top)

    @property
    def subject(self) -> str:
        """The title, followed by the fixed coordinates."""
        return ", ".join([self.title, *(f"{name}={value}" for name, value in self.fixed.items())])


def slice_table(table: Table, fixed: Mapping[str, int], axes: tuple[str, ...] = ()) -> Grid:
    """Return the table's slice in which the fixed coordinates have these values; one or two coordinates stay free.

    axes: the free coordinates, first the one that goes down; by default in the order of the ruleset. Raises
    InstanceError if the free coordinates are not one or two, if ``axes`` are other coordinates, or if the table is
    empty.
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


def slice_window(window: TableWindow, view: View) -> Grid:
    """Return the view's slice of the window."""
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
    """Return the upper left corner of the grid, with at most this many rows and columns."""
    shown = grid.values[:rows, :columns]
    return replace(grid, rows=grid.rows[:rows], columns=grid.columns[:columns], values=shown)


def first_view(grid: Grid) -> Grid:
    """Return the part of the grid that is shown at first: the upper left corner of SHOWN by SHOWN cells.

    Of a single row it is the first LINE cells, broken into lines of SHOWN cells.
    """
    if grid.row_name is None:
        return wrap_row(first_cells(grid, 1, LINE), SHOWN)
    return first_cells(grid, SHOWN, SHOWN)


def wrap_row(grid: Grid, width: int) -> Grid:
    """Return a grid of one row broken into lines of ``width`` cells.

    A cell's coordinate is then its row's number plus its column's. A row that fits into one line is returned unchanged.
    """
    count = grid.values.size
    if count <= width:
        return grid
    values = np.pad(grid.values[0], (0, -count % width), constant_values=NO_POSITION).reshape(-1, width)
    rows = range(grid.columns.start, grid.columns.start + values.size, width)
    return replace(
        grid, row_name=grid.column_name, column_name=IN_LINES, rows=rows, columns=range(width), values=values
    )


def description(grid: Grid) -> str:
    """Return the grid in words, for readers who cannot see it."""
    across = f"{grid.column_name} from {grid.columns[0]} to {grid.columns[-1]} across"
    down = f", {grid.row_name} from {grid.rows[0]} to {grid.rows[-1]} down" if grid.row_name else ""
    if grid.column_name == IN_LINES:
        across, down = f"{grid.row_name} from {grid.rows[0]} to {grid.rows[0] + grid.positions - 1}", ""
    if grid.kind == "grundy":
        largest = int(grid.values.max(initial=0))
        return f"Grundy numbers of {grid.subject}: {across}{down}. They range from 0 to {largest}."
    places = np.argwhere(grid.values == 0)
    named = []
    for row, column in places[:_NAMED]:
        if grid.row_name is None:
            named.append(str(grid.columns[column]))
        elif grid.column_name == IN_LINES:
            named.append(str(grid.rows[row] + grid.columns[column]))
        else:
            named.append(f"({grid.row_name}={grid.rows[row]}, {grid.column_name}={grid.columns[column]})")
    more = ", …" if len(places) > _NAMED else ""
    summary = f"{len(places)} of {grid.positions} positions are P-positions"
    examples = f": {', '.join(named)}{more}" if named else ""
    return f"P-positions of {grid.subject}: {across}{down}. {summary}{examples}."
