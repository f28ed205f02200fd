"""``grundylab study``: reports everything that grundylab can derive about a game, without choices by the user."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, progress
from grundylab.errors import GrundylabError
from grundylab.findings.catalogue import record_to_json
from grundylab.games import load_ruleset, parse_ruleset
from grundylab.games.remarks import remarks
from grundylab.pipeline.default_tables import SECONDS
from grundylab.pipeline.picture_windows import study_windows
from grundylab.pipeline.single_game import PROOFS, default_study, steps_of
from grundylab.pipeline.steps import StudyState
from grundylab.report.account import account
from grundylab.report.site.build import write_site

INPUT = "-"


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Start here: solve the game, find formulas, test them on larger tables, and prove them where "
        "possible. All sizes are chosen automatically. Ctrl-C stops with the results so far.",
        "grundylab study nim",
        "grundylab study my-game.yaml --budget 300 --page my-page",
    )
    arguments.ruleset(parser, f", or {INPUT} for standard input")
    parser.add_argument(
        "--budget",
        type=arguments.positive,
        default=SECONDS,
        metavar="SECONDS",
        help=f"the approximate processor time, in seconds (default: {SECONDS:g})",
    )
    parser.add_argument(
        "--page", metavar="FOLDER", help="write a page of the game to this folder, to open in a browser"
    )


def run(options: argparse.Namespace) -> CommandResult:
    """Study the game and report the results; after Ctrl-C, report those that are known by then."""
    name = options.ruleset
    ruleset = parse_ruleset(sys.stdin.read(), "game") if name == INPUT else load_ruleset(name)
    study = default_study(ruleset, options.budget)
    steps = steps_of(study, PROOFS / study.name)
    states = steps.states(StudyState(study))
    state = next(states)
    try:
        with progress(
            options, f"{state.doing}; about {options.budget:g} s of processor time in all, Ctrl-C ends it"
        ) as done:
            while state.doing:
                state = next(states)
                done(0, state.doing)
    except KeyboardInterrupt:
        state = steps.judged(state)  # the results that are known by now are reported below
    catalogue = state.catalogue
    notes = remarks(study.ruleset)
    text = account(catalogue, state.doing, state.failed, notes)
    if options.page:
        try:
            windows = study_windows([study], None)
            write_site(catalogue, Path(), Path(options.page), windows, {study.name: study.ruleset})
        except GrundylabError:
            # for example, the ruleset was edited meanwhile: the results are reported nevertheless
            print(text, file=sys.stderr if options.json else sys.stdout)
            raise
        text += f"\n\nThe page: {Path(options.page) / 'index.html'}"
    record = {
        "interrupted": state.doing or None,
        "page": options.page,
        "failed": state.failed,
        "remarks": notes,
    }
    winning = {"winning": record_to_json(catalogue.winning[0]) if catalogue.winning else None}
    return CommandResult("ok", text, {**record, **record_to_json(catalogue, brief=True), **winning})
