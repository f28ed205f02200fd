"""Grids as SVG, drawn as the papers draw them: cells in a frame, P-positions white on grey, numbers along two edges.

The page's script (assets/pictures-shapes.js) draws the same. Lengths are in units of a twentieth of a cell's side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from grundylab.report.colours import HEADER, N_POSITION, P_POSITION, SCALE, is_dark, shade
from grundylab.report.grid import Grid, stretches
from grundylab.solve.table import NO_POSITION

CELL = 20
_COLUMNS = 34  # so many columns have numbers of the usual size; with more, numbers grow with the grid
NUMBERED = 20  # columns; in narrower cells numbers cannot be read
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_NAMED = 12  # so many P-positions are named in a description

# What a grid looks like where no style sheet of the page's says so.
STYLE = (
    f".n{{fill:{N_POSITION}}}.p{{fill:{P_POSITION}}}.head{{fill:{HEADER}}}"
    ".lines{fill:none;stroke:#000;stroke-opacity:.55;stroke-width:.8}"
    ".cells path:not(.lines){shape-rendering:crispEdges}"
    "text{font-family:'DejaVu Sans',Verdana,sans-serif;fill:#000;text-anchor:middle}"
    ".axes{font-style:italic;text-anchor:start}"
)
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _Layout:
    """The height of letters, and where the first cell's corner is."""

    letter: float
    left: int
    top: int
    head: int  # the height of the row of numbers above the cells


def grid_svg(grid: Grid, numbers: bool = False, standalone: bool = False, numbered: int = NUMBERED) -> str:
    """The grid: P-positions, or its Grundy numbers.

    standalone: as a file of its own, which brings its style along. numbered: up to so many columns cells have their
    Grundy numbers written in them.
    """
    layout = _layout(grid)
    rows, columns = grid.values.shape
    width, height = layout.left + columns * CELL + 1, layout.top + rows * CELL + 1
    cells = _numbers(grid, numbered) if numbers else _outcomes(grid)
    described = escape(description(grid, numbers), quote=True)
    parts = [
        f'<svg class="grid" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{described}"' + (' xmlns="http://www.w3.org/2000/svg">' if standalone else ">")
    ]
    if standalone:
        parts.append(f'<style>{STYLE}</style><rect width="{width}" height="{height}" fill="#fff"/>')
    parts += _axes(grid, layout)
    parts.append(f'<g class="cells" transform="translate({layout.left} {layout.top})">')
    parts += [*cells, f'<path class="lines" d="{lines(grid.values != NO_POSITION)}"/></g></svg>']
    return "".join(parts)


def side_by_side(pictures: Sequence[str]) -> str:
    """Several SVG files as one, beside one another."""
    parts, across, down = [], 0, 0
    for picture in pictures:
        width, height = (int(size) for size in _SIZE.search(picture).groups())  # type: ignore[union-attr]
        parts.append(picture.replace("<svg ", f'<svg x="{across}" ', 1))
        across, down = across + width + 2 * CELL, max(down, height)
    size = f'width="{across - 2 * CELL}" height="{down}" viewBox="0 0 {across - 2 * CELL} {down}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def description(grid: Grid, numbers: bool) -> str:
    """The picture in words."""
    across = f"{grid.column_name} from {grid.columns[0]} to {grid.columns[-1]} across"
    down = f", {grid.row_name} from {grid.rows[0]} to {grid.rows[-1]} down" if grid.row_name else ""
    if numbers:
        largest = int(grid.values.max(initial=0))
        return f"Grundy numbers of {grid.subject}: {across}{down}. They are from 0 to {largest}."
    places = np.argwhere(grid.values == 0)
    named = ", ".join(_place(grid, row, column) for row, column in places[:_NAMED])
    more = ", …" if len(places) > _NAMED else ""
    counted = f"{len(places)} of {grid.positions} positions are P-positions"
    listed = f": {named}{more}" if named else ""
    return f"P-positions of {grid.subject}: {across}{down}. {counted}{listed}."


def _place(grid: Grid, row: int, column: int) -> str:
    if grid.row_name is None:
        return str(grid.columns[column])
    if grid.column_name == "+":  # lines of one row
        return str(grid.rows[row] + grid.columns[column])
    return f"({grid.row_name}={grid.rows[row]}, {grid.column_name}={grid.columns[column]})"


def _layout(grid: Grid) -> _Layout:
    letter = round(11 * max(1.0, len(grid.columns) / _COLUMNS), 1)
    digits = len(str(grid.rows[-1])) if grid.row_name else 0
    left = round(digits * 0.62 * letter + letter) if digits else 1
    head = round(1.7 * letter)
    return _Layout(letter, left, round(1.7 * letter) + head, head)


def _axes(grid: Grid, layout: _Layout) -> list[str]:
    """The names of the axes, and the numbers along them on a lighter ground."""
    rows, columns = grid.values.shape
    letter, left, top, head = layout.letter, layout.left, layout.top, layout.head
    if grid.column_name == "+":
        names = f"{grid.row_name} = row + column"
    else:
        names = f"{grid.row_name} ↓  {grid.column_name} →" if grid.row_name else f"{grid.column_name} →"
    ground = f"M{left} {top - head}h{columns * CELL}v{head}h-{columns * CELL}z"
    if grid.row_name:
        ground += f"M0 {top}h{left}v{rows * CELL}h-{left}z"
    step = tick_step(len(str(grid.columns[-1])) * 0.62 * letter + 0.4 * letter)
    texts = [
        f'<text x="{left + i * CELL + CELL // 2}" y="{top - 0.5 * head + 0.35 * letter:.1f}">{number}</text>'
        for i, number in enumerate(grid.columns)
        if number % step == 0
    ]
    if grid.row_name:
        step = 1 if grid.column_name == "+" else tick_step(1.1 * letter)
        texts += [
            f'<text x="{left / 2:.1f}" y="{top + i * CELL + CELL / 2 + 0.35 * letter:.1f}">{number}</text>'
            for i, number in enumerate(grid.rows)
            if number % step == 0
        ]
    return [
        f'<path class="head" d="{ground}"/><g font-size="{letter}">'
        f'<text class="axes" x="1" y="{1.1 * letter:.1f}" font-size="{1.2 * letter:.1f}">{escape(names)}</text>',
        *texts,
        "</g>",
    ]


def tick_step(room: float) -> int:
    """Every how many cells there is a number, if one needs so much room."""
    return next((step for step in STEPS if room <= step * CELL), STEPS[-1])


def _outcomes(grid: Grid) -> list[str]:
    return [
        f'<path class="n" d="{runs(grid.values > 0)}"/>',
        f'<path class="p" d="{runs(grid.values == 0)}"/>',
    ]


def _numbers(grid: Grid, numbered: int) -> list[str]:
    """The cells by colour, P-positions as such; and the numbers in them if there is room."""
    places = shade(grid.values.astype(np.int64), grid.top)
    parts = [f'<path class="p" d="{runs(grid.values == 0)}"/>']
    parts += [
        f'<path fill="{SCALE[number]}" d="{runs(places == number)}"/>'
        for number in range(len(SCALE))
        if (places == number).any()
    ]
    if len(grid.columns) <= numbered:
        parts += _written(grid)
    return parts


def _written(grid: Grid) -> list[str]:
    """The Grundy numbers in their cells."""
    letter = 11 if grid.values.max(initial=0) < 100 else 8
    texts = [f'<g class="numbers" font-size="{letter}">']
    for (row, column), value in np.ndenumerate(grid.values):
        if value != NO_POSITION:
            light = value > 0 and is_dark(grid.colour(int(value)))
            fill = ' style="fill:#fff"' if light else ' style="fill:#000"' if value else ""
            x, y = column * CELL + CELL // 2, row * CELL + CELL / 2 + 0.35 * letter
            texts.append(f'<text x="{x}" y="{y:.1f}"{fill}>{value}</text>')
    return [*texts, "</g>"]


def runs(mask: Mask) -> str:
    """The cells of the mask as a path, those beside one another as one rectangle."""
    parts = []
    for row, line in enumerate(mask):
        for start, length in stretches(line):
            parts.append(f"M{start * CELL} {row * CELL}h{length * CELL}v{CELL}h-{length * CELL}z")
    return "".join(parts)


def lines(there: Mask) -> str:
    """The frames of all cells that are there as a path."""
    parts = []
    padded = np.pad(there, 1)
    for row, line in enumerate(padded[:-1, 1:-1] | padded[1:, 1:-1]):
        parts += [f"M{start * CELL} {row * CELL}h{length * CELL}" for start, length in stretches(line)]
    for column, line in enumerate((padded[1:-1, :-1] | padded[1:-1, 1:]).T):
        parts += [f"M{column * CELL} {start * CELL}v{length * CELL}" for start, length in stretches(line)]
    return "".join(parts)
