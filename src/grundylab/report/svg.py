"""Grids as SVG, drawn as the papers draw them: cells in a frame, P-positions white on grey, numbers along two edges.

The page's script (assets/pictures.js) draws the same, so that a page without scripts shows its first pictures. Lengths
are in units of a twentieth of a cell's side; inside the group of cells, in cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import groupby

import numpy as np
import numpy.typing as npt

from grundylab.report.grid import HEADER, N_POSITION, P_POSITION, SCALE, Grid, is_dark, shade
from grundylab.solve.table import NO_POSITION

CELL = 20
_COLUMNS = 34  # so many columns have numbers of the usual size; with more, numbers grow with the grid
NUMBERED = 20  # columns; in narrower cells numbers cannot be read
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_NAMED = 12  # so many P-positions are named in a description

# What a grid looks like where no style sheet of the page's says so.
STYLE = (
    f".n{{fill:{N_POSITION}}}.p{{fill:{P_POSITION}}}.head{{fill:{HEADER}}}"
    ".cells path{stroke:#595959;stroke-width:.04}"
    "text{font-family:'DejaVu Sans',Verdana,sans-serif;fill:#000;text-anchor:middle}"
    ".axes{font-style:italic;text-anchor:start}"
)
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def grid_svg(grid: Grid, numbers: bool = False, standalone: bool = False, numbered: int = NUMBERED) -> str:
    """The grid: P-positions, or its Grundy numbers.

    standalone: as a file of its own, which brings its style along. numbered: up to so many columns cells have their
    Grundy numbers written in them.
    """
    rows, columns = grid.values.shape
    letter = round(11 * max(1.0, columns / _COLUMNS), 1)
    digits = len(str(grid.rows[-1])) if grid.row_name else 0
    left, head = round(digits * 0.62 * letter + letter) if digits else 1, round(1.7 * letter)
    width, height = left + columns * CELL + 1, 2 * head + rows * CELL + 1
    cells = _numbers(grid) if numbers else _outcomes(grid)
    described = escape(description(grid, numbers), quote=True)
    parts = [
        f'<svg class="grid" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{described}"' + (' xmlns="http://www.w3.org/2000/svg">' if standalone else ">")
    ]
    if standalone:
        parts.append(f'<style>{STYLE}</style><rect width="{width}" height="{height}" fill="#fff"/>')
    corner = f"translate({left} {2 * head})"
    parts += [
        *_axes(grid, letter, left, head),
        f'<g class="cells" transform="{corner} scale({CELL})">',
        *cells,
        "</g>",
    ]
    if numbers and columns <= numbered:
        parts += _written(grid, corner)
    return "".join([*parts, "</svg>"])


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
    if grid.column_name == "+":  # lines of one row
        across, down = f"{grid.row_name} from {grid.rows[0]} to {grid.rows[0] + grid.positions - 1}", ""
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
    if grid.column_name == "+":
        return str(grid.rows[row] + grid.columns[column])
    return f"({grid.row_name}={grid.rows[row]}, {grid.column_name}={grid.columns[column]})"


def _axes(grid: Grid, letter: float, left: int, head: int) -> list[str]:
    """The names of the axes, and the numbers along them on a lighter ground.

    letter: their height. left, head: how wide and high that ground is.
    """
    (rows, columns), top = grid.values.shape, 2 * head
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
    return next((step for step in _STEPS if room <= step * CELL), _STEPS[-1])


def _outcomes(grid: Grid) -> list[str]:
    return [
        f'<path class="n" d="{squares(grid.values > 0)}"/>',
        f'<path class="p" d="{squares(grid.values == 0)}"/>',
    ]


def _numbers(grid: Grid) -> list[str]:
    """The cells by colour, P-positions as such."""
    places = shade(grid.values.astype(np.int64), grid.top)
    parts = [f'<path class="p" d="{squares(grid.values == 0)}"/>']
    return parts + [
        f'<path fill="{SCALE[number]}" d="{squares(places == number)}"/>'
        for number in range(len(SCALE))
        if (places == number).any()
    ]


def _written(grid: Grid, corner: str) -> list[str]:
    """The Grundy numbers in their cells. corner: where the first cell's is."""
    letter = 11 if grid.values.max(initial=0) < 100 else 8
    texts = [f'<g class="numbers" font-size="{letter}" transform="{corner}">']
    for (row, column), value in np.ndenumerate(grid.values):
        if value != NO_POSITION:
            light = value > 0 and is_dark(grid.colour(int(value)))
            fill = ' style="fill:#fff"' if light else ' style="fill:#000"' if value else ""
            x, y = column * CELL + CELL // 2, row * CELL + CELL / 2 + 0.35 * letter
            texts.append(f'<text x="{x}" y="{y:.1f}"{fill}>{value}</text>')
    return [*texts, "</g>"]


def squares(mask: npt.NDArray[np.bool_]) -> str:
    """The cells of the mask as a path: those side by side as one rectangle, and the edges between them."""
    path = ""
    for row, cells in enumerate(mask.tolist()):
        column = 0
        for inside, run in groupby(cells):
            width = len(list(run))
            if inside:
                path += (
                    f"M{column} {row}h{width}v1h-{width}z{('m1 0v1' + 'm1-1v1' * (width - 2)) * (width > 1)}"
                )
            column += width
    return path
