"""``grundylab formulas``: lists the formulas of every study that has results."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult
from grundylab.errors import ConfigError, Place
from grundylab.findings.answers import answers, formula_answers
from grundylab.findings.catalogue import (
    Catalogue,
    catalogue_of_folder,
    catalogues_of_studies,
    read_catalogue,
)
from grundylab.findings.columns import row
from grundylab.findings.wording import status_rank, status_tally
from grundylab.games import parse_target
from grundylab.records.finding import Finding
from grundylab.records.proofs import STATUSES
from grundylab.report.formula_lines import line_of, plain_text, table_text

_SORTS: dict[str, Callable[[Finding], Any]] = {
    "ruleset": lambda record: record.ruleset,
    "target": lambda record: record.target,
    "verdict": lambda record: status_rank(record.status),
    "size": lambda record: record.size,
    "checked": lambda record: -record.test.checked,
}


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "List the formulas of every study that has results, each with its verdict.",
        "grundylab formulas --status proved --sort size",
    )
    arguments.as_json(parser)
    arguments.set_completion(
        parser.add_argument("--ruleset", metavar="NAME", help="only those of this ruleset"),
        arguments.RULESETS,
    )
    parser.add_argument("--status", metavar="STATUS", help=f"only with this verdict: {', '.join(STATUSES)}")
    parser.add_argument("--engine", metavar="NAME", help="only what this engine found")
    parser.add_argument("--paper", metavar="NAME", help="only for games that this paper mentions")
    parser.add_argument("--target", help="only those of this target: p, grundy, or 'grundy == 2'")
    parser.add_argument(
        "--sort", choices=tuple(_SORTS), help="the order (default: by ruleset, then by verdict and size)"
    )
    arguments.flag(parser, "--full", "write long formulas in full, even in a terminal")
    arguments.results(parser)


def run(options: argparse.Namespace) -> CommandResult:
    """List the selected formulas of the catalogue, each once: in a terminal as a table, else as lines with tabs."""
    data = catalogue_of_folder(Path(options.results))
    every = formula_answers(answers(data))
    chosen = _select(data, every, options)
    for key in ("size", "verdict", "ruleset", *([options.sort] if options.sort else [])):
        chosen.sort(key=_SORTS[key])
    lines = list(map(line_of, chosen))
    if not lines:
        counts = status_tally(answer.status for answer in every)
        summary = ", ".join(f"{count} {status}" for status, count in counts.items())
        text = f"no such formulas among the {len(every)} of the catalogue: {summary}"
    elif sys.stdout.isatty() and not options.json:
        text = table_text(lines, shutil.get_terminal_size().columns, cut=not options.full)
    else:
        text = plain_text(lines)
    records = []
    for answer in chosen:
        same = [str(wording.formula) for wording in answer.others]
        more = {"engines": answer.engines, "studies": answer.studies, "same": same}
        records.append({**row(answer), **more})
    return CommandResult("done", text, {"formulas": records, "made": data.made})


def _select(data: Catalogue, formulas: Sequence[Finding], options: argparse.Namespace) -> list[Finding]:
    chosen = list(formulas)
    if options.paper is not None:
        games: dict[str, set[str]] = {}
        for claim in data.claims:
            if claim.source.paper:
                games.setdefault(claim.source.paper, set()).add(claim.ruleset)
        _check_name("paper", options.paper, {*games}, options)
        chosen = [answer for answer in chosen if answer.ruleset in games[options.paper]]
    if options.ruleset is not None:
        names = {answer.ruleset for answer in formulas}
        _check_name("ruleset", options.ruleset, names, options, _elsewhere(options))
        chosen = [answer for answer in chosen if answer.ruleset == options.ruleset]
    if options.engine is not None:
        _check_name("engine", options.engine, {name for a in formulas for name in a.engines}, options)
        chosen = [answer for answer in chosen if options.engine in answer.engines]
    if options.status is not None:
        chosen = [answer for answer in chosen if answer.status == options.status]
    if options.target is not None:
        target = parse_target(options.target)
        chosen = [answer for answer in chosen if answer.target == target]
    return chosen


def _elsewhere(options: argparse.Namespace) -> Iterator[str]:
    """Yield the folders of single studies that have formulas of the ruleset; those of another version are left out."""
    for file in catalogues_of_studies(Path(options.results)):
        with suppress(ConfigError):
            if any(formula.ruleset == options.ruleset for formula in read_catalogue(file).formulas):
                yield str(file.parent)


def _check_name(
    field: str, name: str, names: set[str], options: argparse.Namespace, elsewhere: Iterable[str] = ()
) -> None:
    if name not in names:
        if (folder := next(iter(elsewhere), None)) is not None:
            raise ConfigError(
                f"'{name}' is in the catalogue of a single study: give --results {folder}",
                Place(f"{options.results}/catalogue.json"),
            )
        choices = ", ".join(sorted(names)) or "none"
        raise ConfigError(
            f"the catalogue has no {field} '{name}'; it has {choices}",
            Place(f"{options.results}/catalogue.json"),
        )
