"""CSV tables for spreadsheets: the catalogue's formulas, claims and rows; a game's positions."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.files import write_text
from grundylab.findings.answers import answers, formula_answers
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.records import Finding, Formula, Row
from grundylab.findings.wording import (
    assignment_text,
    counterexample_words,
    extent_text,
    procedure_count_text,
)
from grundylab.language.syntax import TRUE
from grundylab.solve.table import Table

CsvColumn = str | Callable[[Any], Any]  # the name of a field, or a function of a record
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


def lines_csv(lines: Iterable[Sequence[Any]]) -> str:
    """Return lines of cells as CSV; cells that a spreadsheet would calculate are marked as text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_plain(cell) for cell in line] for line in lines)
    return text.getvalue()


def _plain(value: Any) -> Any:  # noqa: ANN401 - a cell
    """Put an apostrophe before text that a spreadsheet would take for a formula; return other values unchanged."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_CALCULATED) else value


# -- tables of a run ---------------------------------------------------------------------------------------------


def _where(record: Finding) -> str:
    return "" if record.where == TRUE else str(record.where)


def _engines(record: Formula) -> str:
    return ", ".join(record.finders)


def _row(row: Row) -> str:
    return assignment_text({**row.parameters, **row.row})


def _procedures(record: Finding) -> str:
    return procedure_count_text(record.procedures) if record.proved else ""


_VERDICT: dict[str, CsvColumn] = {"Verdict": "status", "Positions checked": "checked"}
_EVIDENCE: dict[str, CsvColumn] = {
    **_VERDICT, "Proved": extent_text, "By": _procedures, "Counterexample": counterexample_words, "Proof": "proof",
}  # fmt: skip
_TABLES: dict[str, dict[str, CsvColumn]] = {
    "formulas": {
        "Game": "ruleset", "Target": "target", "Formula": "formula", "Where": _where, "Engine": _engines, **_EVIDENCE,
    },
    "claims": {
        "Game": "ruleset", "Paper": "paper", "Place": "at", "Statement": "statement", "Where": _where, **_EVIDENCE,
    },
    "rows": {
        "Game": "ruleset", "Row": _row, "Target": "target", "Preperiod": "preperiod", "Period": "period", **_VERDICT,
        "Proof": "proof",
    },
}  # fmt: skip


def _cell(record: Finding | Row, column: CsvColumn) -> Any:  # noqa: ANN401 - a cell
    value = getattr(record, column) if isinstance(column, str) else column(record)
    return "" if value is None else value


def write_tables(catalogue: Catalogue, folder: Path) -> None:
    """Write the files formulas.csv (each formula once), claims.csv and rows.csv of a catalogue into the folder."""
    found: dict[str, Iterable[Finding | Row]] = {
        "formulas": [answer.record for answer in formula_answers(answers(catalogue))],
        "claims": catalogue.claims,
        "rows": catalogue.rows,
    }
    for name, columns in _TABLES.items():
        rows = [[_cell(record, column) for column in columns.values()] for record in found[name]]
        write_text(folder / f"{name}.csv", lines_csv([[*columns], *rows]))
