"""A slice of a table in LaTeX with nothing but its own picture environment: squares as in the papers, or numbers."""

from __future__ import annotations

import numpy as np

from grundylab.errors import InstanceError
from grundylab.language.layout import to_latex
from grundylab.language.syntax import Name
from grundylab.report.exports.tex import escape
from grundylab.report.grid import Grid, stretches
from grundylab.solve.table import NO_POSITION

_MOST_ACROSS, _MOST_DOWN = 25, 40  # numbers of a table that a page has room for
_LARGEST_CELL, _WIDTH = 4.0, 110.0  # mm
_LABELLED = 5  # every so many-th row and column has its number


def squares(grid: Grid) -> list[str]:
    """P-positions as white squares on grey, as the papers draw them; rows run downwards.

    The lines need the package ``color``.
    """
    rows, columns = grid.values.shape
    cell = min(_LARGEST_CELL, _WIDTH / columns)
    lines = [
        rf"\setlength{{\unitlength}}{{{cell:.3f}mm}}%",
        rf"\begin{{picture}}({columns + 2},{rows + 2})(-2,{-rows})",
    ]
    grey, white = r"\color[gray]{0.75}", r"\color{white}"
    for row in range(rows):
        for start, length in stretches(grid.values[row] != NO_POSITION):
            lines.append(_bar(start, row, length, grey))
    for row, column in zip(*map(np.ndarray.tolist, np.nonzero(grid.values == 0)), strict=True):
        lines.append(_bar(column, row, 1, white, inset=0.06))
    lines.append(rf"\put(0,{-rows}){{\framebox({columns},{rows}){{}}}}")
    lines += [
        rf"\put({place + 0.5:g},0.4){{\makebox(0,0)[b]{{\scriptsize {number}}}}}"
        for place, number in enumerate(grid.columns)
        if number % _LABELLED == 0
    ]
    lines.append(rf"\put({columns / 2:g},1.4){{\makebox(0,0)[b]{{{_name(grid.column_name)}}}}}")
    if grid.row_name:
        lines += [
            rf"\put(-0.4,{-place - 0.5:g}){{\makebox(0,0)[r]{{\scriptsize {number}}}}}"
            for place, number in enumerate(grid.rows)
            if number % _LABELLED == 0
        ]
        lines.append(rf"\put(-1.6,{-rows / 2:g}){{\makebox(0,0)[r]{{{_name(grid.row_name)}}}}}")
    return [*lines, r"\end{picture}"]


def _bar(column: int, row: int, length: int, colour: str, inset: float = 0.0) -> str:
    size = f"{length - 2 * inset:g}\\unitlength", f"{1 - 2 * inset:g}\\unitlength"
    place = f"{column + inset:g},{-row - 1 + inset:g}"
    return rf"\put({place}){{{colour}\rule{{{size[0]}}}{{{size[1]}}}}}"


def numbers(grid: Grid) -> list[str]:
    """The values in a ``tabular``. Raises InstanceError for a table that has no room on a page."""
    rows, columns = grid.values.shape
    if columns > _MOST_ACROSS or rows > _MOST_DOWN:
        raise InstanceError(
            f"a table of {rows} by {columns} Grundy numbers has no room on a page, which takes {_MOST_DOWN} by "
            f"{_MOST_ACROSS}; choose smaller bounds"
        )
    corner = (
        rf"{_name(grid.row_name)} $\backslash$ {_name(grid.column_name)}"
        if grid.row_name
        else _name(grid.column_name)
    )
    lines = [
        rf"\begin{{tabular}}{{r|{'r' * columns}}}",
        " & ".join([corner, *map(str, grid.columns)]) + r" \\ \hline",
    ]
    labels = [str(row) for row in grid.rows] if grid.row_name else [r"$\mathcal{G}$"]
    for label, values in zip(labels, grid.values.tolist(), strict=True):
        cells = ("" if value == NO_POSITION else str(value) for value in values)
        lines.append(" & ".join([label, *cells]) + r" \\")
    return [*lines, r"\end{tabular}"]


def caption(grid: Grid, what: str, parameters: dict[str, int]) -> str:
    """What is drawn, with the numbers that are fixed."""
    fixed = [f"${to_latex(Name(name))} = {value}$" for name, value in {**parameters, **grid.fixed}.items()]
    return escape(what) + (" with " + ", ".join(fixed) if fixed else "")


def _name(name: str | None) -> str:
    return f"${to_latex(Name(name))}$" if name else ""
