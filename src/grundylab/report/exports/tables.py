"""CSV: a table's positions with their values, the catalogue's formulas, and any other lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grundylab.catalogue.records import Formula
from grundylab.report.cells import plain
from grundylab.report.listing import COLUMNS, line_of
from grundylab.solve.table import Table

_MORE = ("engine", "seed", "size", "checked", "latex", "proof")


def table_csv(table: Table, fixed: Mapping[str, int]) -> str:
    """A line a position, in order: its coordinates and its value, where the fixed coordinates have their values."""
    frame = table.to_frame()
    for name, number in fixed.items():
        frame = frame[frame[name] == number]
    columns = [*table.instance.ruleset.coordinate_names, table.kind]
    return frame.to_csv(columns=columns, index=False, lineterminator="\n")


def catalogue_csv(records: Iterable[Formula]) -> str:
    """A line a formula: what ``grundylab formulas`` lists, and who found it."""
    more = ([*line_of(record), *(getattr(record, name) for name in _MORE)] for record in records)
    return lines_csv([[*COLUMNS, *_MORE], *more])


def lines_csv(lines: Iterable[Sequence[Any]]) -> str:
    """Lines of cells, none of which a spreadsheet takes for a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([plain(cell) for cell in line] for line in lines)
    return text.getvalue()
