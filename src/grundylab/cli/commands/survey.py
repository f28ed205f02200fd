"""``grundylab survey``: finds out for which games of a template, and for which parameters, a statement is true."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, check_writable, progress
from grundylab.errors import GrundylabError
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.survey_rows import SURVEY_STATUSES, SurveyGame, SurveyRow, slots_text, status_counts
from grundylab.findings.wording import words_text
from grundylab.pipeline.survey_stages import estimated_work, run_survey, survey_results
from grundylab.pipeline.surveys import SurveyPaths, load_survey

_SHOWN = 40  # the most theorems that the text lists


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "A survey is a ruleset with slots, which describes many games. Small tables of each game are solved; "
        "if they do not refute a statement, the prover finds the parameters for which it is true. 'make "
        "surveys' does the same in jobs.",
        "grundylab survey pass-guards --dry-run",
        "grundylab survey my-survey.yaml --out my-results",
        "grundylab survey pass-guards --game 17 > game.yaml",
    )
    parser.add_argument("survey", metavar="SURVEY", help="a survey's name, or its file")
    arguments.as_json(parser)
    arguments.flag(parser, "--dry-run", "print the number of games and jobs, and an estimate of the time")
    parser.add_argument(
        "--game",
        type=int,
        metavar="NUMBER",
        help="print one of its games as a ruleset, which all other commands accept",
    )
    arguments.out(parser, "where the results go (default: results/surveys/SURVEY)", "FOLDER")


def run(options: argparse.Namespace) -> CommandResult:
    """Run the survey; with ``--dry-run`` report the work it would take, with ``--game`` print one of its games."""
    survey = load_survey(options.survey)
    if options.game is not None:
        if not 0 <= options.game < survey.count:
            raise GrundylabError(
                f"{survey.name} has the games 0 to {survey.count - 1}; there is no game {options.game}"
            )
        game = survey.game(options.game)
        text = survey.ruleset_text(game)
        record = {"game": options.game, "slots": dict(game.filled), "file": text}
        return CommandResult("ok", text.rstrip("\n"), record)
    survey.check()
    if options.dry_run:
        with progress(options, "looking at some of the games"):
            work = estimated_work(survey)
        return CommandResult("ok", work.text, record_to_json(work))
    folder = Path(options.out or Path("results") / "surveys" / survey.name)
    places = SurveyPaths(folder, survey.jobs)
    if options.out:
        table, page = Path(places.table), Path(places.page)
        check_writable(options.force, table, page if options.force else page.parent)
    with progress(options, f"surveying {survey.count:,} games", 2 * survey.count) as done:
        for count in run_survey(survey, folder):
            done(count)
    games, rows = survey_results(survey, folder)
    none = [game for game in games if game.none is not None]
    counts = {status: sum(row["status"] == status for row in rows) for status in SURVEY_STATUSES}
    record = {"games": survey.count, "no_game": len(none), "counts": counts}
    record |= {"table": places.table, "page": places.page}
    return CommandResult("ok", _text(rows, none, places), record)


def _text(rows: list[SurveyRow], none: list[SurveyGame], places: SurveyPaths) -> str:
    theorems = [row for row in rows if row["status"] == "proved"]
    lines = []
    for row in theorems[:_SHOWN]:
        slots = slots_text(row["filled"])
        if row["period"] is not None:
            lines.append(f"{slots}: period {row['period']} after {row['preperiod']}")
        else:
            by = f"found by {row['claim']} ({row['engine']})" if row["engine"] else row["claim"]
            lines.append(f"{slots}: {by}: {row['target']}: {row['formula']}, {words_text(row['extent'])}")
    if len(theorems) > _SHOWN:
        lines.append(f"… and {len(theorems) - _SHOWN:,} more")
    lines.append(status_counts((row["status"] for row in rows), len(none)))
    if none:
        lines.append(f"The first that is not a game: {slots_text(none[0].filled)}: {none[0].none}")
    return "\n".join([*lines, f"The table: {places.table}", f"The page: {places.page}"])
