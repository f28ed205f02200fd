"""Pictures of grids as PNG, SVG or PDF files, reproducible byte for byte.

SVG and PDF files contain their fonts. The HTML page draws its tables with a script (assets/pictures.js), and the module
``terminal`` draws them as text; all three draw a ``Grid``, which determines the colour of each cell.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from grundylab.errors import GrundylabError, Place
from grundylab.files import atomic_file
from grundylab.report.grid import HEADER, IN_LINES, Grid, is_dark
from grundylab.solve.table import NO_POSITION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FRAME = "#00000088"
FORMATS = ("png", "svg", "pdf")
_INCH = 25.4  # mm
_CELL = 4.6  # mm, the side of a cell if the options set no width
_MOST_WIDE = 240.0  # mm
_MOST_DOTS = 100_000_000
_DETAILED = 20_000  # a grid of at least so many cells is one raster image in the vector file, without frames
_NUMBERED = 20  # a grid of more columns or rows has no numbers in its cells
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
# The files do not depend on the date. Letters are outlines in SVG, and an embedded TrueType font in PDF.
_SETTINGS: Any = {"svg.hashsalt": "grundylab", "svg.fonttype": "path", "pdf.fonttype": 42, "font.size": 8}
_METADATA: Mapping[str, Mapping[str, Any]] = {
    "png": {"Software": "grundylab"},
    "svg": {"Date": None, "Creator": "grundylab"},
    "pdf": {"CreationDate": None, "Creator": "grundylab", "Producer": None},
}
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)])
_AROUND = (1, 2, 2, 2, 79)  # matplotlib's codes: move to, three lines, close
_DOTS = np.array([[255, 255, 255, 255], [128, 128, 128, 140], [0, 0, 0, 0]], np.uint8)


@dataclass(frozen=True)
class PictureOptions:
    """Options of a picture.

    width: the width of each grid in mm; None sets it by the number of columns. dpi: dots per inch of a PNG. title:
    whether the subject is written above each grid. numbered: Grundy numbers are written in the cells of grids with at
    most so many columns and rows.
    """

    width: float | None = None
    dpi: int = 200
    title: bool = True
    numbered: int = _NUMBERED


def format_of(path: Path) -> str:
    """Return the format of a file by its extension; raise GrundylabError if the format is not in FORMATS."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise GrundylabError(f"a picture's name ends in {endings}", Place(str(path)))
    return ending


def write_picture(grid: Grid, path: Path, look: PictureOptions | None = None) -> None:
    """Write a grid's picture to the file; raise GrundylabError at the file for a PNG of too many dots."""
    content = picture(grid, format_of(path), look, Place(str(path)))
    with atomic_file(path) as temporary:
        temporary.write_bytes(content)


def picture(
    grid: Grid,
    file_format: str,
    look: PictureOptions | None = None,
    place: Place | None = None,
    about: str = "",
) -> bytes:
    """Return the content of a picture file, of one of FORMATS, with the grid.

    P-positions are white on grey; in a grid of Grundy numbers each number has its colour. about: a description for the
    metadata of PNG and SVG. place: where an error is reported. Raises GrundylabError for a PNG of too many dots.
    """
    look = look or PictureOptions()
    width = look.width or min(16 + _CELL * grid.values.shape[1], _MOST_WIDE)
    side = max(width - 16, width / 2) / grid.values.shape[1]  # mm, of a cell
    size = (width / _INCH, (18 + side * grid.values.shape[0]) / _INCH)
    if file_format == "png" and size[0] * size[1] * look.dpi**2 > _MOST_DOTS:
        raise GrundylabError(
            f"the PNG would have more than {_MOST_DOTS:,} dots; lower the dpi or the width", place
        )

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        _draw(axes, grid, side, look.numbered)
        if look.title:
            axes.set_title(grid.subject, fontsize=8)

    return render_figure(draw, size, file_format, look.dpi, about)


def render_figure(
    draw: Callable[[Figure], None],
    size: tuple[float, float],
    file_format: str,
    dpi: int = 100,
    about: str = "",
) -> bytes:
    """Return the content of a picture file, of one of FORMATS, with the figure that ``draw`` draws.

    size: width and height in inches. about: a description for the metadata of PNG and SVG.
    """
    import matplotlib as mpl  # slow to import
    from matplotlib.figure import Figure

    metadata = {
        **_METADATA[file_format],
        **({"Description": about} if about and file_format != "pdf" else {}),
    }
    buffer = io.BytesIO()
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=size, dpi=dpi, layout="constrained")
        draw(figure)
        figure.savefig(buffer, format=file_format, metadata=metadata)
    return buffer.getvalue()


def dots_png(grid: Grid) -> bytes:
    """Return a PNG of one pixel per cell, which can be enlarged and shown on a background of any colour.

    P-positions are white, and cells without a position are transparent. N-positions are a translucent grey or, in a
    grid of Grundy numbers, have the colours of these.
    """
    from matplotlib.colors import to_rgba_array
    from matplotlib.image import imsave

    colours = _DOTS
    if grid.kind == "grundy":
        every = [grid.colour(value) for value in range(int(grid.values.max(initial=0)) + 1)]
        colours = np.vstack([np.rint(255 * to_rgba_array(every)).astype(np.uint8), _DOTS[NO_POSITION]])
    places = np.minimum(grid.values, len(colours) - 2)  # NO_POSITION is the last colour
    buffer = io.BytesIO()
    imsave(buffer, colours[places], format="png", metadata=dict(_METADATA["png"]))
    return buffer.getvalue()


def _draw(axes: Axes, grid: Grid, side: float, numbered: int) -> None:
    """Draw the grid's cells with frames, and the numbers along the edges.

    side: the side of a cell in mm. numbered: the most columns and rows with Grundy numbers in the cells.
    """
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    (rows, columns), outcomes = grid.values.shape, grid.kind == "outcome"
    shown = np.minimum(grid.values, 1) if outcomes else grid.values
    if shown.size < _DETAILED:
        for value in np.unique(shown[shown != NO_POSITION]):  # all cells with the same colour are one path
            corners = np.argwhere(shown == value)[:, None, ::-1] + _SQUARE
            codes = np.tile(_AROUND, len(corners))
            frames: Any = {"edgecolor": _FRAME, "linewidth": min(0.4, side / 8), "clip_on": False}
            path = Outline(corners.reshape(-1, 2), codes)
            axes.add_patch(PathPatch(path, facecolor=grid.colour(int(value)), **frames))
    else:
        scale = ListedColormap([grid.colour(value) for value in range(2 if outcomes else grid.top + 1)])
        ends = np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5
        cells = np.ma.masked_equal(shown, NO_POSITION)
        axes.pcolormesh(
            *ends, cells, rasterized=True, cmap=scale, vmin=-0.5, vmax=scale.N - 0.5, clip_on=False
        )
    size = min(7.0, max(4.0, side * 1.5))  # of the numbers, in points
    left, top_edge = _edges(axes, grid, side, size)
    axes.set_xlim(-0.5 - left, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5 - top_edge)
    axes.set_aspect("equal")
    axes.set(xticks=[], yticks=[], facecolor="none")
    axes.xaxis.set_label_position("top")
    in_lines = grid.column_name == IN_LINES
    across = f"{grid.row_name} = row + column" if in_lines else f"{grid.column_name} \N{RIGHTWARDS ARROW}"
    axes.set_xlabel(across, fontstyle="italic")
    if grid.row_name and not in_lines:
        axes.set_ylabel(f"{grid.row_name} \N{DOWNWARDS ARROW}", fontstyle="italic", rotation=0, ha="right")
    for spine in axes.spines.values():
        spine.set_visible(False)
    if not outcomes and columns <= numbered and rows <= numbered:
        _write_numbers(axes, grid, size)


def _edges(axes: Axes, grid: Grid, side: float, size: float) -> tuple[float, float]:
    """Draw the numbers along the upper and the left edge.

    Returns the width of the left edge and the height of the upper one, in cells. side: the side of a cell in mm. size:
    the size of the numbers in points.
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
    for place, number in _edge_labels(grid.columns, (len(str(grid.columns[-1])) + 0.6) * digit):
        axes.text(place, -0.5 - above / 2, str(number), **style)
    if grid.row_name:
        for place, number in _edge_labels(grid.rows, line):
            axes.text(-0.5 - left / 2, place, str(number), **style)
    return left, above


def _edge_labels(numbers: range, room: float) -> list[tuple[int, int]]:
    """Return the numbers to write along an edge, as (index of the cell, number), if each needs ``room`` cells.

    They are the multiples of the smallest step in _STEPS that leaves enough room.
    """
    step = next((step for step in _STEPS if room <= step), _STEPS[-1])
    return [(place, number) for place, number in enumerate(numbers) if number % step == 0]


def _write_numbers(axes: Axes, grid: Grid, size: float) -> None:
    """Write the Grundy numbers in their cells. size: the size of the numbers in points."""
    for (row, column), value in np.ndenumerate(grid.values):
        if value != NO_POSITION:
            shade = grid.colour(int(value))
            axes.text(
                column, row, str(value), ha="center", va="center_baseline", fontsize=size,
                color="white" if is_dark(shade) else "black",
            )  # fmt: skip
