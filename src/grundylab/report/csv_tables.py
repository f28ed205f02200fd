"""CSV tables for spreadsheets: the catalogue's formulas and claims; a game's positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grundylab.findings.catalogue import Catalogue
from grundylab.solve.table import Table

_CALCULATED = ("=", "+", "-", "@", "\t", "\r")


def table_csv(table: Table, fixed: Mapping[str, int]) -> str:
    """Return the table as CSV, one line per position with its coordinates and its value.

    fixed: values of coordinates; only positions with these values are listed.
    """
    frame = table.to_frame()
    for name, number in fixed.items():
        frame = frame[frame[name] == number]
    columns = [*table.instance.ruleset.coordinate_names, table.kind]
    return frame.to_csv(columns=columns, index=False, lineterminator="\n")


def catalogue_csv(catalogue: Catalogue) -> str:
    """Return the catalogue as CSV, one line per finding, with the columns of ``catalogue.parquet``."""
    return catalogue.to_frame().map(_plain).to_csv(index=False, lineterminator="\n")


def _plain(value: Any) -> Any:  # noqa: ANN401 - a cell
    """Put an apostrophe before text that a spreadsheet would take for a formula; return other values unchanged."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_CALCULATED) else value
