"""Grids as PNG, SVG or PDF for papers: vectors, with the fonts in the file, and the same bytes every time.

Pictures of pages and notebooks are ``svg``'s: a page restyles and redraws them, which it cannot do with matplotlib's;
and nothing else here writes PDF or PNG. Both, and ``terminal``, draw a ``Grid``, which knows the colour of a cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from grundylab.errors import GrundylabError, Place
from grundylab.files import whole
from grundylab.report.grid import HEADER, Grid, is_dark
from grundylab.report.svg import CELL, NUMBERED, tick_step
from grundylab.solve.table import NO_POSITION

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FRAME = "#00000088"
FORMATS = ("png", "svg", "pdf")
_INCH = 25.4  # mm
_CELL = 4.6  # mm, the side of a cell where no width is asked for
_MOST_WIDE = 240.0  # mm
_MOST_DOTS = 100_000_000
_DETAILED = 20_000  # cells; from there on they are one image in the vector file, and have no frames
# Nothing in the file may depend on the day; letters are outlines in SVG, and embedded (TrueType) in PDF.
_SETTINGS: Any = {"svg.hashsalt": "grundylab", "svg.fonttype": "path", "pdf.fonttype": 42, "font.size": 8}
_METADATA: Mapping[str, Mapping[str, Any]] = {
    "png": {"Software": "grundylab"},
    "svg": {"Date": None, "Creator": "grundylab"},
    "pdf": {"CreationDate": None, "Creator": "grundylab", "Producer": None},
}


@dataclass(frozen=True)
class Look:
    """width: of the picture, in mm (by the number of cells if None). dpi: dots an inch of a PNG."""

    width: float | None = None
    dpi: int = 200
    title: bool = True


def format_of(path: Path) -> str:
    """The format that the file's ending names; GrundylabError if it is none of FORMATS."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        known = ", ".join(f".{known}" for known in FORMATS)
        raise GrundylabError(f"a picture's name ends in {known}", Place(str(path)))
    return ending


def write_picture(grid: Grid, path: Path, look: Look | None = None, file_format: str | None = None) -> None:
    """Draw the grid: P-positions white on grey, or Grundy numbers in colours; axes labelled, numbers along them."""
    import matplotlib as mpl  # slow to import
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # no screen is needed
    from matplotlib.figure import Figure

    look, kind = look or Look(), file_format or format_of(path)
    rows, columns = grid.values.shape
    width = look.width or min(16 + _CELL * columns, _MOST_WIDE)
    side = max(width - 16, width / 2) / columns  # mm, of a cell
    size = (width / _INCH, (18 + side * rows) / _INCH)
    if kind == "png" and size[0] * size[1] * look.dpi**2 > _MOST_DOTS:
        raise GrundylabError(f"a PNG of more than {_MOST_DOTS:,} dots; ask for fewer", Place(str(path)))
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=size, dpi=look.dpi, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _draw(axes, grid, side)
        if look.title:
            axes.set_title(grid.subject, fontsize=8)
        with whole(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=dict(_METADATA[kind]))


def _draw(axes: Axes, grid: Grid, side: float) -> None:
    """The cells with their frames, and what is along the edges; side: of a cell, in mm."""
    from matplotlib.colors import ListedColormap

    (rows, columns), outcomes = grid.values.shape, grid.kind == "outcome"
    shown = np.ma.masked_equal(np.minimum(grid.values, 1) if outcomes else grid.values, NO_POSITION)
    scale = [grid.colour(value) for value in range(2 if outcomes else grid.top + 1)]
    colours: Any = {"cmap": ListedColormap(scale), "vmin": -0.5, "vmax": len(scale) - 0.5}
    corners = np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5
    if grid.values.size < _DETAILED:
        axes.pcolor(*corners, shown, edgecolors=_FRAME, linewidth=min(0.4, side / 8), **colours)
    else:
        axes.pcolormesh(*corners, shown, rasterized=True, **colours)
    size = min(7.0, max(4.0, side * 1.5))  # of the numbers, in points
    left, top_edge = _edges(axes, grid, side, size)
    axes.set_xlim(-0.5 - left, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5 - top_edge)
    axes.set_aspect("equal")
    axes.set(xticks=[], yticks=[], facecolor="none")
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(f"{grid.column_name} \N{RIGHTWARDS ARROW}", fontstyle="italic")
    if grid.row_name:
        axes.set_ylabel(f"{grid.row_name} \N{DOWNWARDS ARROW}", fontstyle="italic", rotation=0, ha="right")
    for spine in axes.spines.values():
        spine.set_visible(False)
    for collection in axes.collections:
        collection.set_clip_on(False)
    if not outcomes and columns <= NUMBERED and rows <= NUMBERED:
        _write_numbers(axes, grid, size)


def _edges(axes: Axes, grid: Grid, side: float, size: float) -> tuple[float, float]:
    """Numbers above and on the left, as many as there is room for, in lighter cells; how wide and high these are.

    side: of a cell, in mm; size: of the numbers, in points. The result is in cells.
    """
    from matplotlib.patches import Rectangle

    digit, line = 0.22 * size / side, 0.5 * size / side  # in cells
    above = max(1.0, 1.2 * line)
    left = max(1.0, (len(str(grid.rows[-1])) + 1) * digit) if grid.row_name else 0.0
    rows, columns = grid.values.shape
    frame: Any = {"facecolor": HEADER, "edgecolor": _FRAME, "linewidth": min(0.4, side / 8), "clip_on": False}
    framed = side > 2
    if framed:
        axes.add_patch(Rectangle((-0.5, -0.5 - above), columns, above, **frame))
        axes.add_patch(Rectangle((-0.5 - left, -0.5), left, rows, **frame))
    style: Any = {"ha": "center", "va": "center_baseline", "fontsize": size}
    for place, number in _marked(grid.columns, (len(str(grid.columns[-1])) + 0.6) * digit):
        axes.text(place, -0.5 - above / 2, str(number), **style)
    if grid.row_name:
        for place, number in _marked(grid.rows, line):
            axes.text(-0.5 - left / 2, place, str(number), **style)
    return left, above


def _marked(numbers: range, room: float) -> list[tuple[int, int]]:
    """(place, number) of those that are written along an edge, where one needs so many cells."""
    step = tick_step(room * CELL)
    return [(place, number) for place, number in enumerate(numbers) if number % step == 0]


def _write_numbers(axes: Axes, grid: Grid, size: float) -> None:
    """The Grundy numbers in their cells; size: in points."""
    for (row, column), value in np.ndenumerate(grid.values):
        if value != NO_POSITION:
            shade = grid.colour(int(value))
            axes.text(
                column, row, str(value), ha="center", va="center_baseline", fontsize=size,
                color="white" if is_dark(shade) else "black",
            )  # fmt: skip
