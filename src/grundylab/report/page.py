"""The page: every formula found, every row and every claim, with its verdict, from the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from grundylab.errors import ConfigError
from grundylab.files import read_record, write_text
from grundylab.records import example_text, exceptions_text, percent
from grundylab.relations import relation_text

# What a reader should see first.
_ORDER = ("proved", "holds", "refuted", "undecided", "partial")


def write_page(catalogue: Path, output: Path) -> None:
    """Write the page of a catalogue.json; one file that needs no network."""
    data = read_record(catalogue, ConfigError)
    environment = Environment(
        loader=PackageLoader("grundylab", "report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["counterexample"] = example_text
    environment.filters["positions"] = exceptions_text
    environment.filters["percent"] = percent
    environment.filters["relation"] = relation_text
    environment.filters["count"] = lambda number: f"{number:,}"
    text = environment.get_template("page.html.j2").render(
        version=data["version"],
        formulas=sorted(data["formulas"], key=_rank),
        claims=data["claims"],
        rows=data["rows"],
        engines=[record for record in data["engines"] if record["notes"]],
        counts=_counts(data["formulas"]),
    )
    write_text(output, text)


def _rank(record: dict[str, Any]) -> tuple[Any, ...]:
    return (
        _ORDER.index(record["status"]),
        record["ruleset"],
        record["target"],
        record["size"],
        record["formula"],
    )


def _counts(records: list[dict[str, Any]]) -> dict[str, int]:
    found = [record["status"] for record in records]
    return {status: found.count(status) for status in _ORDER if status in found}
