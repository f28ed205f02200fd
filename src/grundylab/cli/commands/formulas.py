"""``grundylab formulas``: what the studies found, from the catalogue."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from grundylab.catalogue.records import STATUSES, rank, tally
from grundylab.cli import arguments
from grundylab.cli.common import Result, catalogue_of, understood
from grundylab.cli.shells import RULESETS
from grundylab.errors import ConfigError, Place
from grundylab.files import read_record
from grundylab.report.listing import line_of, plain_text, table_text

Record = dict[str, Any]

_SORTS: dict[str, Callable[[Record], Any]] = {
    "ruleset": lambda record: record["ruleset"],
    "target": lambda record: record["target"],
    "verdict": lambda record: rank(record["status"]),
    "size": lambda record: record.get("size", 0),
    "checked": lambda record: -record["checked"],
}


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.as_json(parser)
    arguments.completed(
        parser.add_argument("--ruleset", metavar="NAME", help="of this ruleset only"), RULESETS
    )
    parser.add_argument("--status", metavar="STATUS", help=f"only with this verdict: {', '.join(STATUSES)}")
    parser.add_argument("--engine", metavar="NAME", help="only what this engine found")
    parser.add_argument(
        "--paper", metavar="NAME", help="only of games that this paper states something about"
    )
    parser.add_argument("--target", help="p, grundy, or 'grundy == v'")
    parser.add_argument("--sort", choices=tuple(_SORTS), help="default: by ruleset, then by verdict and size")
    parser.add_argument("--full", action="store_true", help="cut no long formula (in a terminal)")
    arguments.results(parser)


def run(options: argparse.Namespace) -> Result:
    """List the catalogue's records, filtered: a table in a terminal, else a line each, with tabs."""
    path = catalogue_of(options.results)
    data = read_record(path, ConfigError)
    records = _records(data, path)
    with understood(path):
        chosen = _sorted(_chosen(records, data, options, path), options.sort)
    with understood(path):
        lines = [line_of(record) for record in chosen]
    if not lines:
        counts = tally(record["status"] for record in records)
        there = ", ".join(f"{count} {status}" for status, count in counts.items())
        text = f"no such formulas among the {len(records)} of the catalogue: {there}"
    elif sys.stdout.isatty() and not options.json:
        text = table_text(lines, shutil.get_terminal_size().columns, cut=not options.full)
    else:
        text = plain_text(lines)
    return Result("done", text, {"formulas": chosen, "made": data.get("made")})


def _sorted(records: Sequence[Record], by: str | None) -> list[Record]:
    found = sorted(records, key=_SORTS["size"])
    for key in ("verdict", "ruleset", *([by] if by else [])):
        found.sort(key=_SORTS[key])
    return found


def _chosen(records: Sequence[Record], data: Any, options: argparse.Namespace, path: Path) -> list[Record]:  # noqa: ANN401
    found = list(records)
    if options.paper is not None:
        claims = [claim for claim in data.get("claims", []) if claim.get("paper")]
        _known("paper", options.paper, {claim["paper"] for claim in claims}, path)
        games = {claim["ruleset"] for claim in claims if claim["paper"] == options.paper}
        found = [record for record in found if record["ruleset"] in games]
    for key, name in (("ruleset", options.ruleset), ("engine", options.engine)):
        if name is not None:
            _known(key, name, {record[key] for record in records}, path)
            found = [record for record in found if record[key] == name]
    for key, value in (("status", options.status), ("target", options.target)):
        found = [record for record in found if value in (None, record[key])]
    return found


def _known(what: str, name: str, names: set[str], path: Path) -> None:
    if name not in names:
        there = ", ".join(sorted(names)) or "none"
        raise ConfigError(f"the catalogue has no {what} '{name}'; it has {there}", Place(str(path)))


_NEEDED = {"ruleset": str, "target": str, "status": str, "engine": str, "checked": int, "formula": str}


def _records(data: Record, path: Path) -> list[Record]:
    records = data.get("formulas")
    if not isinstance(records, list) or not all(
        isinstance(record, dict) and all(isinstance(record.get(k), kind) for k, kind in _NEEDED.items())
        for record in records
    ):
        raise ConfigError("not a catalogue of grundylab; delete it and run 'make run'", Place(str(path)))
    return records
