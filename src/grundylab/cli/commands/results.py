"""``grundylab results``: the findings of the last run that are no claim on record, and the gaps, as Markdown."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from grundylab.catalogue.files import plain
from grundylab.cli import arguments
from grundylab.cli.common import Result, catalogue_in, check_free, written
from grundylab.report.results import results_record, results_text


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.about(
        parser,
        "Write the findings of the last run that are in no paper, and the questions without an answer.",
        "grundylab results --out found.md",
    )
    arguments.as_json(parser)
    arguments.results(parser)
    arguments.out(parser, "write it to this file")


def run(options: argparse.Namespace) -> Result:
    """Print the document, or write it to ``--out``."""
    check_free(options.force, options.out)
    catalogue = catalogue_in(options.results)
    text, found = (
        results_text(catalogue, (Path(options.results) / "papers.md").is_file()),
        results_record(catalogue),
    )
    counts = dict(Counter(finding["section"] for finding in found))
    return written(options, text, {"counts": counts, "findings": found, "made": plain(catalogue.made)})
