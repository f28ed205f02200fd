"""``grundylab formulas``: what the studies found, from the catalogue."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from grundylab.commands import Result, catalogue_of, understood
from grundylab.errors import ConfigError, Place
from grundylab.files import read_record
from grundylab.records import exceptions_text
from grundylab.relations import relation_text


def run(options: argparse.Namespace) -> Result:
    """List the catalogue's records, filtered."""
    path = catalogue_of(options.results)
    records = _records(read_record(path, ConfigError), path)
    known = sorted({record["ruleset"] for record in records})
    if options.ruleset and options.ruleset not in known:
        raise ConfigError(
            f"the catalogue has no ruleset '{options.ruleset}'; it has {', '.join(known)}", Place(str(path))
        )
    chosen = [
        record
        for record in records
        if options.ruleset in (None, record["ruleset"]) and options.status in (None, record["status"])
    ]
    with understood(path):
        text = "\n".join(map(_line, chosen))
    return Result("done", text or "no such formulas", {"formulas": chosen})


_NEEDED = {"ruleset": str, "target": str, "status": str, "engine": str, "checked": int, "formula": str}


def _records(data: dict[str, Any], path: Path) -> list[dict[str, Any]]:
    records = data.get("formulas")
    if not isinstance(records, list) or not all(
        isinstance(record, dict) and all(isinstance(record.get(k), kind) for k, kind in _NEEDED.items())
        for record in records
    ):
        raise ConfigError("not a catalogue of grundylab; delete it and run 'make run'", Place(str(path)))
    return records


def _line(record: dict[str, Any]) -> str:
    where = record.get("where", "True")
    told = [f"where {where}"] if where != "True" else []
    told += [relation_text(record.get("relation"))]
    if record.get("only_wrong_at"):
        told.append(f"holds except at {exceptions_text(record['only_wrong_at'])}, as far as checked")
    line = (
        f"{record['ruleset']:<26} {record['target']:<12} {record['status']:<9} {record['engine']:<7} "
        f"{record['checked']:>12,}  {record['formula']}"
    )
    return "  ".join([line, *(f"[{words}]" for words in told if words)])
