"""Grids as text for a terminal, with or without colours."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, TextIO

from rich.color import Color, ColorSystem

from grundylab.report.grid import HEADER, Grid, is_dark
from grundylab.solve.table import NO_POSITION

_P, _N, _NOTHING = "●", "·", " "
_RESET = "\x1b[0m"


def wants_colour(
    choice: Literal["auto", "always", "never"], stream: TextIO, environment: Mapping[str, str] = os.environ
) -> bool:
    """Tell whether to write colours to the stream.

    choice: ``auto`` means yes if the stream is a terminal, TERM is not ``dumb`` and NO_COLOR (see no-color.org) is not
    set. environment: the environment variables.
    """
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def to_text(grid: Grid, coloured: bool = False, width: int | None = None) -> str:
    """Return the grid as lines of text: P-positions as ● and N-positions as ·, or Grundy numbers.

    width: the terminal's width in letters. A coloured grid that is wider than this gets narrow cells without numbers.
    """
    outcome = grid.kind == "outcome"
    signs = {NO_POSITION: _NOTHING, 0: _P if outcome else "0"}
    rows = [
        [signs.get(value, _N if outcome else str(value)) for value in row] for row in grid.values.tolist()
    ]
    head = [str(column) for column in grid.columns]
    cell = max(len(text) for row in [head, *rows] for text in row)
    labels = [str(row) for row in grid.rows] if grid.row_name else [""]
    margin = max(len(text) for text in [*labels, grid.row_name or ""])
    corner = f"{grid.row_name} ↓ " if grid.row_name else ""
    lines = [f"{grid.subject}: {corner}{grid.column_name} →"]
    narrow = coloured and width is not None and margin + (cell + 1) * len(head) + 1 > width
    if narrow and width is not None:
        # blanks on coloured grounds; the multiples of ten are written above
        cell = 2 if margin + 2 * len(head) <= width else 1
        above, wide = "", cell * len(head)
        for place, column in enumerate(grid.columns):
            if column % 10 == 0 and place * cell + len(str(column)) <= wide:
                above = f"{above:<{place * cell}}{column}"
        blanks = [[" " * cell] * len(head)] * len(labels)
        lines += _coloured_lines(grid, f"{above:<{wide}}", blanks, labels, margin, "")
    elif coloured:
        # each cell begins with a space, so that the coloured grounds touch
        texts = [[f" {text:>{cell}}" for text in row] for row in [head, *rows]]
        lines += _coloured_lines(grid, "".join(texts[0]), texts[1:], labels, margin, " ")
    else:
        lines.append(" ".join([" " * margin, *(text.rjust(cell) for text in head)]))
        for label, row in zip(labels, rows, strict=True):
            lines.append(" ".join([label.rjust(margin), *(text.rjust(cell) for text in row)]).rstrip())
    if outcome:
        marks = ("white:", "grey:") if narrow else (_P, _N)
        lines.append(f"{marks[0]} P-position, {marks[1]} N-position")
    return "\n".join(lines)


def _coloured_lines(
    grid: Grid, above: str, texts: list[list[str]], labels: list[str], margin: int, end: str
) -> list[str]:
    """Return lines with each cell's text on the cell's colour.

    above: the numbers along the upper edge. labels: the number at the left of each row. margin: the width of these
    labels; 0 leaves them out. end: a text at the end of each line.
    """
    edge = _colour_code(HEADER)
    lines = [f"{' ' * margin}{edge}{above}{end}{_RESET}"]
    for label, row, values in zip(labels, texts, grid.values, strict=True):
        cells = ""
        for text, value in zip(row, values.tolist(), strict=True):
            cells += (_RESET if value == NO_POSITION else _colour_code(grid.colour(value))) + text
        lines.append((f"{edge}{label:>{margin}}{_RESET}" if margin else "") + f"{cells}{end}{_RESET}")
    return lines


def _colour_code(ground: str) -> str:
    """Return the escape sequence for this background colour, in 256 colours, with black or white letters on it."""
    number = Color.parse(ground).downgrade(ColorSystem.EIGHT_BIT).number
    return f"\x1b[38;5;{231 if is_dark(ground) else 16};48;5;{number}m"
