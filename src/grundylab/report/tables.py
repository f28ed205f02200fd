"""The catalogue as tables for spreadsheets (CSV) and browsers (HTML), for Snakemake's report."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from grundylab.catalogue.files import Catalogue
from grundylab.catalogue.records import Finding, Row
from grundylab.catalogue.words import by_many, counterexample_words, extent, numbers, written
from grundylab.files import write_text
from grundylab.report.cells import plain

Column = tuple[str, Callable[[Any], Any]]


def _key(name: str) -> Callable[[Finding | Row], Any]:
    return lambda record: value if (value := getattr(record, name)) is not None else ""


def _where(record: Finding) -> str:
    return "" if record.where == "True" else record.where


def _row(row: Row) -> str:
    return numbers({**row.parameters, **row.row})


def _extent(record: Finding) -> str:
    """For which parameters it is proved, if it is: of what is refuted or only holds elsewhere, too."""
    return written(extent(record)) if record.complete or record.proved else ""


def _by(record: Finding) -> str:
    return by_many(record.procedures) if record.proved else ""


_PROOF: Column = ("Proof", _key("proof"))
_VERDICT: tuple[Column, ...] = (("Verdict", _key("status")), ("Positions checked", _key("checked")))
_PROVED: tuple[Column, ...] = (("Proved", _extent), ("By", _by))
_TABLES = {
    "formulas": (
        ("Game", _key("ruleset")), ("Target", _key("target")), ("Formula", _key("formula")), ("Where", _where),
        ("Engine", _key("engine")), *_VERDICT, *_PROVED, ("Counterexample", counterexample_words), _PROOF,
    ),
    "claims": (
        ("Game", _key("ruleset")), ("Paper", _key("paper")), ("Place", _key("at")), ("Statement", _key("statement")),
        ("Where", _where), *_VERDICT, *_PROVED, ("Counterexample", counterexample_words), _PROOF,
    ),
    "rows": (
        ("Game", _key("ruleset")), ("Row", _row), ("Target", _key("target")), ("Preperiod", _key("preperiod")),
        ("Period", _key("period")), *_VERDICT, _PROOF,
    ),
}  # fmt: skip


def write_tables(catalogue: Catalogue, folder: Path) -> None:
    """``formulas``, ``claims`` and ``rows`` of a catalogue, each as CSV and as HTML (a page of its own)."""
    environment = Environment(
        loader=PackageLoader("grundylab", "report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    template = environment.get_template("table.html.j2")
    for name, columns in _TABLES.items():
        heads = [head for head, _ in columns]
        rows = [[value(record) for _, value in columns] for record in getattr(catalogue, name)]
        write_text(folder / f"{name}.csv", _csv([heads, *rows]))
        page = template.render(title=name.capitalize(), heads=heads, rows=rows, made=catalogue.made_line)
        write_text(folder / f"{name}.html", page)


def _csv(lines: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([plain(cell) for cell in line] for line in lines)
    return text.getvalue()
