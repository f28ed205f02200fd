"""The catalogue as tables for spreadsheets (CSV) and browsers (HTML), for Snakemake's report."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from grundylab.catalogue.proved import by_many, extent, procedures, proofs_of, written
from grundylab.catalogue.records import counterexample_words
from grundylab.files import write_text
from grundylab.report.cells import plain
from grundylab.solve.made import made_line

Record = Mapping[str, Any]
Column = tuple[str, Callable[[Record], Any]]


def _key(name: str) -> Callable[[Record], Any]:
    return lambda record: record[name] if record[name] is not None else ""


def _where(record: Record) -> str:
    return "" if record["where"] == "True" else str(record["where"])


def _proof(record: Record) -> str:
    return record.get("proof") or ""


def _row(record: Record) -> str:
    return ", ".join(f"{name}={value}" for name, value in {**record["parameters"], **record["row"]}.items())


def _extent(record: Record) -> str:
    """For which parameters it is proved, if it is: of what is refuted or only holds elsewhere, too."""
    return written(extent(record)) if record.get("complete") or proofs_of(record) else ""


def _by(record: Record) -> str:
    return by_many(procedures(record)) if proofs_of(record) else ""


_VERDICT: tuple[Column, ...] = (("Verdict", _key("status")), ("Positions checked", _key("checked")))
_PROVED: tuple[Column, ...] = (("Proved", _extent), ("By", _by))
_TABLES: Mapping[str, tuple[Column, ...]] = {
    "formulas": (
        ("Game", _key("ruleset")), ("Target", _key("target")), ("Formula", _key("formula")), ("Where", _where),
        ("Engine", _key("engine")), *_VERDICT, *_PROVED, ("Counterexample", counterexample_words), ("Proof", _proof),
    ),
    "claims": (
        ("Game", _key("ruleset")), ("Paper", _key("paper")), ("Place", _key("at")), ("Statement", _key("statement")),
        ("Where", _where), *_VERDICT, *_PROVED, ("Counterexample", counterexample_words), ("Proof", _proof),
    ),
    "rows": (
        ("Game", _key("ruleset")), ("Row", _row), ("Target", _key("target")), ("Preperiod", _key("preperiod")),
        ("Period", _key("period")), *_VERDICT, ("Proof", _proof),
    ),
}  # fmt: skip


def write_tables(catalogue: Record, folder: Path) -> None:
    """``formulas``, ``claims`` and ``rows`` of a catalogue, each as CSV and as HTML (a page of its own)."""
    environment = Environment(
        loader=PackageLoader("grundylab", "report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    template = environment.get_template("table.html.j2")
    for name, columns in _TABLES.items():
        heads = [head for head, _ in columns]
        rows = [[value(record) for _, value in columns] for record in catalogue[name]]
        write_text(folder / f"{name}.csv", _csv([heads, *rows]))
        page = template.render(title=name.capitalize(), heads=heads, rows=rows, made=made_line(catalogue))
        write_text(folder / f"{name}.html", page)


def _csv(lines: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([plain(cell) for cell in line] for line in lines)
    return text.getvalue()
