"""CSV: a table's positions with their values, and the catalogue's formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import astuple

import numpy as np

from grundylab.catalogue.records import Formula
from grundylab.report.cells import plain
from grundylab.report.listing import COLUMNS, line_of
from grundylab.solve.table import Table

_SLAB = 1 << 20  # cells that are written together
_MORE = ("engine", "seed", "size", "checked", "latex", "proof")


def table_csv(table: Table, fixed: Mapping[str, int]) -> str:
    """A line a position, in order: its coordinates and its value, where the fixed coordinates have their values."""
    names = table.instance.ruleset.coordinate_names
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n")
    write.writerow([*names, table.kind])
    for slab in table.slabs(_SLAB):
        here = np.ones(len(slab), dtype=bool)
        for name, number in fixed.items():
            here &= slab.coordinates[names.index(name)] == number
        columns = [column[here].tolist() for column in slab.coordinates]
        values = slab.values[here].tolist()
        shown = values if table.kind == "grundy" else ["N" if value else "P" for value in values]
        write.writerows(zip(*columns, shown, strict=True))
    return text.getvalue()


def catalogue_csv(records: Iterable[Formula]) -> str:
    """A line a formula: what ``grundylab formulas`` lists, and who found it."""
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n")
    write.writerow([*COLUMNS, *_MORE])
    for record in records:
        more = (getattr(record, name) for name in _MORE)
        write.writerow([plain(cell) for cell in (*astuple(line_of(record)), *more)])
    return text.getvalue()
