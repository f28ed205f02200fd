"""The catalogue as tables for spreadsheets (CSV) and browsers (HTML), for Snakemake's report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from grundylab.catalogue.files import Catalogue
from grundylab.catalogue.records import Finding, Row
from grundylab.catalogue.words import by_many, counterexample_words, numbers, reach
from grundylab.files import write_text
from grundylab.report.exports.tables import lines_csv
from grundylab.report.templates import environment

Column = str | Callable[[Any], Any]  # a field, or what is made of a record


def _where(record: Finding) -> str:
    return "" if record.where == "True" else record.where


def _row(row: Row) -> str:
    return numbers({**row.parameters, **row.row})


def _by(record: Finding) -> str:
    return by_many(record.procedures) if record.proved else ""


_VERDICT: dict[str, Column] = {"Verdict": "status", "Positions checked": "checked"}
_KNOWN: dict[str, Column] = {
    **_VERDICT, "Proved": reach, "By": _by, "Counterexample": counterexample_words, "Proof": "proof",
}  # fmt: skip
_TABLES: dict[str, dict[str, Column]] = {
    "formulas": {
        "Game": "ruleset", "Target": "target", "Formula": "formula", "Where": _where, "Engine": "engine", **_KNOWN,
    },
    "claims": {
        "Game": "ruleset", "Paper": "paper", "Place": "at", "Statement": "statement", "Where": _where, **_KNOWN,
    },
    "rows": {
        "Game": "ruleset", "Row": _row, "Target": "target", "Preperiod": "preperiod", "Period": "period", **_VERDICT,
        "Proof": "proof",
    },
}  # fmt: skip


def _cell(record: Finding | Row, column: Column) -> Any:  # noqa: ANN401 - a cell
    value = getattr(record, column) if isinstance(column, str) else column(record)
    return "" if value is None else value


def write_tables(catalogue: Catalogue, folder: Path) -> None:
    """``formulas``, ``claims`` and ``rows`` of a catalogue, each as CSV and as HTML (a page of its own)."""
    template = environment().get_template("table.html.j2")
    for name, columns in _TABLES.items():
        rows = [[_cell(record, column) for column in columns.values()] for record in getattr(catalogue, name)]
        write_text(folder / f"{name}.csv", lines_csv([[*columns], *rows]))
        page = template.render(title=name.capitalize(), heads=[*columns], rows=rows, made=catalogue.made_line)
        write_text(folder / f"{name}.html", page)
