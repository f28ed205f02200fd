"""``grundylab papers``: every statement of the papers, with the verdict of the last run, as Markdown."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from grundylab.catalogue.files import plain
from grundylab.catalogue.records import ClaimRecord
from grundylab.catalogue.words import tally
from grundylab.cli import arguments
from grundylab.cli.common import Result, asked_papers, catalogue_in, written
from grundylab.cli.outputs import PAPERS, check_free
from grundylab.errors import ConfigError
from grundylab.files import here_or_shipped, read_record
from grundylab.games import load_ruleset
from grundylab.games.load import FOLDER
from grundylab.report.papers import Game, papers_text, unaccounted


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.about(
        parser,
        "Write every numbered statement of the papers, with the verdict of the last run, and what is "
        "true where a statement is not.",
        "grundylab papers --paper restricted-nim-with-a-pass",
    )
    arguments.as_json(parser)
    parser.add_argument("--paper", metavar="NAME", help="only this paper")
    arguments.results(parser)
    arguments.out(parser, "write it to this file")


def run(options: argparse.Namespace) -> Result:
    """Print the document, or write it to ``--out``."""
    if options.out:
        check_free(Path(options.out), PAPERS, options.force)
    data = catalogue_in(options.results)
    papers = asked_papers(() if options.paper is None else (options.paper,))
    claims, games = list(data.claims), _games(here_or_shipped(FOLDER))
    if options.paper is not None:
        claims = [claim for claim in claims if claim.paper == options.paper]
        games = [game for game in games if game[1] == options.paper]
    timings = Path(options.results) / "timings"
    text = papers_text(papers, claims, games, _seconds(timings, claims), data.made_line)
    counted = {
        "claims": tally(claim.status for claim in claims),
        "by two procedures": sum(len(claim.procedures) > 1 for claim in claims),
        "unaccounted": [list(spot) for spot in unaccounted(papers, claims, games)],
    }
    return written(options, text, {**counted, "made": plain(data.made)})


def _games(folder: Path) -> list[Game]:
    rulesets = [load_ruleset(path) for path in sorted(folder.glob("*.yaml"))]
    return [(game.name, game.source.paper, game.source.at) for game in rulesets if game.source]


def _seconds(folder: Path, claims: Iterable[ClaimRecord]) -> dict[tuple[str, str], float]:
    """How long each claim's verdict and proof took in the last run."""
    found: dict[tuple[str, str], float] = {}
    for claim in claims:
        for stage in ("verify", "prove"):
            path = folder / f"{claim.study}.{stage}.json"
            if path.is_file():
                taken = read_record(path, ConfigError)["seconds"].get(claim.claim, 0.0)
                key = (claim.ruleset, claim.claim)
                found[key] = found.get(key, 0.0) + taken
    return found
