"""``grundylab results``: what the last run found that is in no claim on record, and what it did not, as Markdown."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from grundylab.cli import arguments
from grundylab.cli.common import Result, catalogue_of, understood
from grundylab.cli.outputs import RESULTS, check_free
from grundylab.errors import ConfigError, Place
from grundylab.files import read_record, write_text
from grundylab.report.results import results_record, results_text


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.as_json(parser)
    arguments.results(parser)
    arguments.out(parser, "write the document there")


def run(options: argparse.Namespace) -> Result:
    """Print the document, or write it to ``--out``."""
    if options.out:
        check_free(Path(options.out), RESULTS, options.force)
    path = catalogue_of(options.results)
    catalogue = read_record(path, ConfigError)
    with understood(path):
        if not _is_known(catalogue):
            raise ConfigError(
                "not a catalogue of this version; delete it and run 'make run'", Place(str(path))
            )
        text, found = results_text(catalogue), results_record(catalogue)
        counts = dict(Counter(finding["section"] for finding in found))
    if options.out:
        write_text(Path(options.out), text)
    record = {"counts": counts, "findings": found, "file": options.out, "made": catalogue.get("made")}
    return Result("ok", f"written to {options.out}" if options.out else text, record)


def _is_known(data: dict[str, Any]) -> bool:
    """Whether it is a catalogue, with what the document is made from."""
    if not {"studies", "formulas", "claims"} <= set(data):
        return False
    return all("settings" in study for study in data["studies"] if study.get("each"))
