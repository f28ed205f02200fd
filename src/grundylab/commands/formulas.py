"""``grundylab formulas``: what the studies found, from the catalogue."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from grundylab.commands import Result
from grundylab.errors import ConfigError, Place
from grundylab.files import read_json


def run(options: argparse.Namespace) -> Result:
    """List the catalogue's records, filtered."""
    path = Path(options.results) / "catalogue.json"
    if not path.is_file():
        raise ConfigError("there is no catalogue yet; 'make run' makes it", Place(str(path)))
    records: list[dict[str, Any]] = read_json(path, ConfigError)["formulas"]
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
    return Result("done", "\n".join(map(_line, chosen)) or "no such formulas", {"formulas": chosen})


def _line(record: dict[str, Any]) -> str:
    return (
        f"{record['ruleset']:<26} {record['target']:<12} {record['status']:<9} {record['engine']:<7} "
        f"{record['checked']:>12,}  {record['formula']}"
    )
