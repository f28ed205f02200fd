"""A slice of a table with at most two free coordinates, as text or as a picture drawn like the papers' figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from grundylab.errors import InstanceError
from grundylab.files import whole
from grundylab.solving.table import NO_POSITION, Table

_P, _N, _NOTHING = "●", "·", " "


@dataclass(frozen=True)
class Grid:
    """values: int32 (rows, columns), NO_POSITION where there is none; rows run over the first free coordinate.

    With one free coordinate there is one row, and the coordinate runs over the columns.
    """

    table: Table
    fixed: Mapping[str, int]
    row_name: str | None
    column_name: str
    rows: range
    columns: range
    values: npt.NDArray[np.int32]


def slice_table(table: Table, fixed: Mapping[str, int]) -> Grid:
    """The slice where the fixed coordinates have their values; InstanceError unless one or two are left free."""
    ruleset = table.instance.ruleset
    names, box = (
        ruleset.coordinate_names,
        dict(zip(ruleset.coordinate_names, table.instance.box, strict=True)),
    )
    for name, value in fixed.items():
        if name not in box:
            raise InstanceError(
                f"--fix: {ruleset.name} has no coordinate '{name}'; coordinates: {', '.join(names)}"
            )
        if value not in box[name]:
            raise InstanceError(
                f"--fix: {name}={value} is outside the table: {name} is in {box[name].low}..{box[name].high}"
            )
    if not table.positions:
        raise InstanceError(f"{table.instance} has no positions to show")
    free = [name for name in names if name not in fixed]
    if len(free) not in (1, 2):
        advice = "leave one or two free" if not free else f"hold all but two fixed, as in --fix {free[-1]}=1"
        raise InstanceError(f"{len(free)} free coordinates ({', '.join(free) or 'none'}): {advice}")
    index = tuple(slice(None) if name in free else fixed[name] - box[name].low for name in names)
    values = np.atleast_2d(table.values[index])
    spans = [range(box[name].low, box[name].high + 1) for name in free]
    if len(free) == 1:
        return Grid(table, fixed, None, free[0], range(1), spans[0], values)
    return Grid(table, fixed, free[0], free[1], spans[0], spans[1], values)


def to_text(grid: Grid) -> str:
    """The grid for a terminal: P-positions as ● and N-positions as ·, or Grundy numbers."""
    outcome = grid.table.kind == "outcome"
    rows = [[_cell(int(value), outcome) for value in row] for row in grid.values]
    head = [str(column) for column in grid.columns]
    width = max(len(text) for row in [head, *rows] for text in row)
    labels = [str(row) for row in grid.rows] if grid.row_name else [""]
    margin = max(len(text) for text in [*labels, grid.row_name or ""])
    title = f"{grid.table.instance}" + "".join(f", {name}={value}" for name, value in grid.fixed.items())
    corner = f"{grid.row_name} ↓ " if grid.row_name else ""
    lines = [
        f"{title}: {corner}{grid.column_name} →",
        " ".join([" " * margin, *(text.rjust(width) for text in head)]),
    ]
    for label, row in zip(labels, rows, strict=True):
        lines.append(" ".join([label.rjust(margin), *(text.rjust(width) for text in row)]).rstrip())
    if outcome:
        lines.append(f"{_P} P-position, {_N} N-position")
    return "\n".join(lines)


def _cell(value: int, outcome: bool) -> str:
    if value == NO_POSITION:
        return _NOTHING
    if outcome:
        return _P if value == 0 else _N
    return str(value)


def write_png(grid: Grid, path: Path) -> None:
    """The grid as the papers draw it: P-positions white on grey (or Grundy numbers in shades), axes labelled."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # slow to import, and no screen is needed
    from matplotlib.figure import Figure

    rows, columns = grid.values.shape
    figure = Figure(figsize=(1 + 0.2 * columns, 1 + 0.2 * rows), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    shown = np.ma.masked_equal(grid.values, NO_POSITION)
    extent = (grid.columns[0] - 0.5, grid.columns[-1] + 0.5, grid.rows[-1] + 0.5, grid.rows[0] - 0.5)
    if grid.table.kind == "outcome":
        axes.imshow(shown == 0, cmap="gray", vmin=-2, vmax=1, extent=extent)
    else:
        axes.imshow(shown, cmap="viridis", extent=extent)
    axes.set_xlabel(grid.column_name)
    if grid.row_name:
        axes.set_ylabel(grid.row_name)
    else:
        axes.set_yticks([])
    axes.set_xticks(np.arange(grid.columns[0], grid.columns[-1] + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(grid.rows[0], grid.rows[-1] + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="0.75", linewidth=0.4)
    axes.tick_params(which="minor", length=0)
    axes.set_title(
        ", ".join([str(grid.table.instance), *(f"{n}={v}" for n, v in grid.fixed.items())]), fontsize=9
    )
    with whole(path) as temporary:
        figure.savefig(temporary, format="png", metadata={"Software": None})
