"""``grundylab papers``: writes every statement of the papers, with the verdict of the last run, as Markdown."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial

from grundylab.cli import arguments
from grundylab.cli.common import (
    CommandResult,
    check_writable,
    document_result,
    results_catalogue,
    select_papers,
)
from grundylab.files import find_folder
from grundylab.findings.hand_calculation import hand_calculation
from grundylab.findings.provenance import changed_file
from grundylab.findings.wording import Words, status_tally
from grundylab.games import Ruleset, load_ruleset
from grundylab.games.load import FOLDER
from grundylab.records.finding import Finding
from grundylab.report.papers_document import GameSource, papers_text, unaccounted


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "List every numbered statement of the papers, with the verdict of the last run and corrections of "
        "false statements.",
        "grundylab papers --paper restricted-nim-with-a-pass",
    )
    arguments.as_json(parser)
    parser.add_argument("--paper", metavar="NAME", help="only this paper")
    arguments.results(parser)
    arguments.out(parser, "write the document to this file")


def run(options: argparse.Namespace) -> CommandResult:
    """Print the document, or write it to ``--out``."""
    check_writable(options.force, options.out)
    data = results_catalogue(options.results)
    papers = select_papers(() if options.paper is None else (options.paper,))
    rulesets = {path.stem: load_ruleset(path) for path in sorted(find_folder(FOLDER).glob("*.yaml"))}
    edited = set()  # since their claims were judged
    for name, ruleset in rulesets.items():
        judged = [claim for claim in data.claims if claim.ruleset == name]
        if judged and changed_file(data, judged, ruleset) is not None:
            edited.add(name)
    unchanged = {name: ruleset for name, ruleset in rulesets.items() if name not in edited}
    claims = list(data.claims)
    sources = ((ruleset.name, ruleset.source) for ruleset in rulesets.values() if ruleset.source)
    games: list[GameSource] = [(name, source.paper, source.at) for name, source in sources if source.paper]
    if options.paper is not None:
        claims = [claim for claim in claims if claim.source.paper == options.paper]
        games = [game for game in games if game[1] == options.paper]
    edited &= {claim.ruleset for claim in claims}
    text = papers_text(papers, claims, games, partial(_by_hand, unchanged), data.made_line, sorted(edited))
    counts = {
        "claims": status_tally(claim.status for claim in claims),
        "by two procedures": sum(len(claim.procedures) > 1 for claim in claims),
        "edited": sorted(edited),
        "unaccounted": [list(spot) for spot in unaccounted(papers, claims, games)],
    }
    return document_result(options, text, {**counts, "made": data.made})


def _by_hand(unchanged: Mapping[str, Ruleset], record: Finding) -> Words:
    """Return in words why a claim is false at its counterexample; empty if its ruleset is not among ``unchanged``."""
    ruleset = unchanged.get(record.ruleset)
    if ruleset is None or record.counterexample is None:
        return ()
    return hand_calculation(ruleset, ruleset.claim(record.source.claim), record.counterexample)
