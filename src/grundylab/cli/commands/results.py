"""``grundylab results``: writes the findings of the last run that no claim states, and open questions, as Markdown."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, check_writable, document_result, results_catalogue
from grundylab.report.results_document import results_record, results_text


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "List the findings of the last run that are not in the papers, and the questions without an answer.",
        "grundylab results --out found.md",
    )
    arguments.as_json(parser)
    arguments.results(parser)
    arguments.out(parser, "write the document to this file")


def run(options: argparse.Namespace) -> CommandResult:
    """Print the document, or write it to ``--out``."""
    check_writable(options.force, options.out)
    catalogue = results_catalogue(options.results)
    text, parts = (
        results_text(catalogue, (Path(options.results) / "papers.md").is_file()),
        results_record(catalogue),
    )
    counts = dict(Counter(finding["section"] for finding in parts))
    return document_result(options, text, {"counts": counts, "findings": parts, "made": catalogue.made})
