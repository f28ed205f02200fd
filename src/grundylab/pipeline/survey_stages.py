"""The stages of a survey, in jobs of several games each: small tables, then proofs of what these do not refute.

A stage is a function from files and parameters to files. Claims are judged and proved, and formulas are searched for,
by the same functions as in a study, one question after another.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median

import numpy as np

from grundylab.check.equal_games import rules_key, table_key
from grundylab.check.judging import judge
from grundylab.discover.base import ParameterValues
from grundylab.discover.fingerprints import scattered
from grundylab.discover.repairs import condition_on
from grundylab.errors import GrundylabError, NoSweep, RulesetError
from grundylab.files import write_json
from grundylab.findings.answers import answer_order
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.results import Results
from grundylab.findings.survey_rows import (
    SurveyGame,
    SurveyPattern,
    SurveyRow,
    duplicates,
    status_of,
    survey_rows,
    write_survey,
)
from grundylab.findings.verdicts import verified_claim
from grundylab.games import Instance
from grundylab.games.model import Values
from grundylab.language.plain import evaluate
from grundylab.pipeline.run_folder import remove_leftovers
from grundylab.pipeline.stage_files import read_stage
from grundylab.pipeline.steps import ASK, Steps, StudyState
from grundylab.pipeline.study import Plain
from grundylab.pipeline.surveys import NoGame, Survey, SurveyPaths, part_of, survey_of
from grundylab.prove.outcome import Disagreement
from grundylab.prove.prover import for_which
from grundylab.records.finding import SplitName
from grundylab.records.proofs import RIGHT
from grundylab.report.site.survey_page import write_survey_page
from grundylab.solve import Table, solve
from grundylab.solve.origin import result_header
from grundylab.solve.sweeps import sweep_for
from grundylab.solve.sweeps.piles import PileSweep

LEFT_OUT = 3  # one game in this many is held back when a pattern of the survey is learnt


# -- small tables ------------------------------------------------------------------------------------------------------


def survey_tables_stage(part: Plain, job: int, games: str) -> str:
    """Write the games of one job with what their small tables decide; return the numbers of games and questions."""
    survey = survey_of(part)
    decided = [game_after_tables(survey, number) for number in survey.part(job)]
    _write_games(games, part, decided)
    left = sum(len(game.left) for game in decided)
    return f"{len(decided):,} games, {left:,} questions left by their small tables"


def game_after_tables(survey: Survey, number: int) -> SurveyGame:
    """Return a game with its claims, each refuted by its small tables for every parameter setting, or left."""
    try:
        game = survey.game(number)
    except NoGame as error:
        slots = survey.slots_of(number)
        return SurveyGame(game=number, slots=slots, filled=slots, none=error.message)
    answered = SurveyGame(game=number, slots=game.slots, filled=game.filled)
    claims = game.ruleset.claims
    try:
        study = survey.study(game)
        tables = [_solved(instance, study.values) for instance in study.test]
    except RulesetError as error:  # these values make no game: for example, a move lowers nothing
        return replace(answered, none=error.message)
    findings, left = [], []
    for claim in claims:
        # a fault in a ruleset that is looked up affects every game, and ends the survey
        verdict = judge(claim, tables)
        wrong = [check.instance.label for check in verdict.informative if not check.holds]
        # the prover may find out for which parameter settings a claim is true
        if not wrong or (len(wrong) < len(verdict.informative) and for_which(game.ruleset, claim)):
            left.append(claim.id)
        several = len(wrong) > 1 and claim.id not in left
        reason = f"wrong for each of {'; '.join(wrong)}" if several else verdict.reason
        findings.append(replace(verified_claim(game.ruleset, claim, verdict), reason=reason))
    return replace(
        answered,
        findings=tuple(findings),
        left=tuple(left),
        rules=rules_key(game.ruleset, claims, survey.spec.rows is not None),
        values=table_key(tables),
        all=table_key(tables, claims),
    )


def _solved(instance: Instance, values: Values) -> Table:
    """Return the solved table of an instance. The sweep of piles is preferred: its compiled code serves all games."""
    try:
        swept = isinstance(sweep_for(instance, values), PileSweep)
    except NoSweep:
        swept = False
    return solve(instance, values, "sweep" if swept else "auto")


# -- proofs ------------------------------------------------------------------------------------------------------------


def survey_proofs_stage(part: Plain, job: int, tables: Sequence[str], games: str, proofs: str) -> str:
    """Write the games of one job with the prover's answers, and the proofs to a folder; return the answers in words.

    tables: the files of all jobs for small tables, which show which games are equivalent. The games that are left are
    dealt out to the jobs in turn, since games that are hard to prove are often neighbours.
    """
    survey = survey_of(part)
    folder = Path(proofs)
    folder.mkdir(parents=True, exist_ok=True)
    mine = _open_games(survey, _read_games(tables))[job :: len(tables)]
    answered = [game_after_proofs(survey, game, folder) for game in mine]
    _write_games(games, part, answered)
    return "\n".join(
        f"{game.game}: {cells['claim']}: {cells.get('status') or cells['reason']}"
        for game in answered
        for cells in game.answers()
    )


def _open_games(survey: Survey, games: Sequence[SurveyGame]) -> list[SurveyGame]:
    """Return the games about which the prover or a search is asked; of equivalent games only the first."""
    again = duplicates(games, survey.spec.rows is not None)
    more = survey.spec.rows is not None or survey.spec.discover is not None
    return [game for game in games if game.none is None and game.game not in again and (more or game.left)]


def game_after_proofs(survey: Survey, answered: SurveyGame, folder: Path) -> SurveyGame:
    """Return the game with the prover's answers about its claims, and with the periods that the survey asks for.

    If all claims are refuted and the survey has ``discover:``, formulas are searched for as well, and the best one that
    is right in the larger tables is added. The proofs are written to the folder of the game's number in ``folder``.
    """
    game = survey.game(answered.game)
    study, folder = survey.study(game), folder / str(answered.game)
    left = tuple(finding for finding in answered.findings if finding.source.claim in answered.left)
    steps = Steps(study, lambda _: (), folder)
    state = steps.after(StudyState(study, results=Results(findings=left)), ASK)
    answers = {finding.source.claim: finding for finding in state.results.findings}
    findings = tuple(answers.get(finding.source.claim, finding) for finding in answered.findings)
    answered = replace(answered, findings=findings)
    if study.rows is not None:
        try:
            study.rows.check(game.ruleset)
            answered = replace(answered, rows=steps.after(StudyState(study), "rows").results.rows)
        except Disagreement:
            raise  # two procedures contradict each other: nothing that follows could be trusted
        except GrundylabError as error:
            answered = replace(answered, no_rows=error.message)
    if survey.spec.discover is None or any(status_of(finding) != "refuted" for finding in answered.findings):
        return answered
    search = survey.discovery_study(game)

    def read(split: SplitName) -> list[Table]:
        return [solve(instance, search.values) for instance in search.instances(split)]

    steps = Steps(search, read, folder)
    state = steps.after(StudyState(search), "fit", "verify", "prove")
    right = [finding for finding in state.formulas if finding.status in RIGHT or finding.proved]
    best = sorted(right, key=answer_order)[:1]
    none_up_to = max((run.none_up_to for run in steps.asked), default=0)
    return replace(answered, findings=(*answered.findings, *best), none_up_to=none_up_to)


# -- the table and the page --------------------------------------------------------------------------------------------


def survey_stage(part: Plain, tables: Sequence[str], proved: Sequence[str], table: str, page: str) -> str:
    """Write the survey's rows as Parquet, and its page; return the number of proved rows in words."""
    survey, made = survey_of(part), result_header(part["files"], 0, part["version"])
    games, rows = _results(survey, tables, proved)
    write_survey(rows, sum(game.none is not None for game in games), made, Path(table))
    spec, conjectures = survey.spec, list(patterns(rows))
    folder = Path(page).parent
    write_survey_page(spec.title, spec.description, survey.texts, games, rows, conjectures, made, folder)
    return f"{sum(row['status'] == 'proved' for row in rows):,} proved of {len(rows):,}"


def _results(
    survey: Survey, tables: Sequence[str], proofs: Sequence[str]
) -> tuple[list[SurveyGame], list[SurveyRow]]:
    """Return the games with the results of all stages, and the rows of the survey's table."""
    games = {game.game: game for game in (*_read_games(tables), *_read_games(proofs))}
    return list(games.values()), survey_rows(list(games.values()), survey.spec.rows is not None)


def patterns(rows: Sequence[SurveyRow]) -> Iterator[SurveyPattern]:
    """Yield conjectures: conditions on the numbers in slots that are true for exactly the games with a proved claim.

    Each is learnt from two thirds of the games, and yielded only if it is right for the remaining third. A game counts
    with the result of the equivalent game that has the answer. Games that are undecided, or proved for some parameters
    only, are left out.
    """
    first = {(row["game"], row["claim"]): row for row in rows}
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], dict[ParameterValues, bool]] = {}
    for row in rows:
        own = row if row["same_as"] is None else first.get((row["same_as"], row["claim"]), row)
        numbers = tuple((name, int(text)) for name, text in row["filled"].items() if text.isdecimal())
        others = tuple((name, text) for name, text in row["slots"].items() if name not in dict(numbers))
        if own["status"] == "refuted" or (own["status"] == "proved" and own["condition"] == "True"):
            groups.setdefault((row["claim"], others), {})[numbers] = own["status"] == "proved"
    for (claim, others), outcomes in groups.items():
        settings = list(outcomes)
        order = [settings[place] for place in scattered(np.arange(len(settings)))]
        left_out = {setting: outcomes[setting] for setting in order[: len(order) // LEFT_OUT]}
        learnt = {setting: outcome for setting, outcome in outcomes.items() if setting not in left_out}
        same = len({tuple(name for name, _ in setting) for setting in outcomes}) == 1
        condition = condition_on(learnt) if learnt and same else None
        tried = left_out.items()
        if condition is not None and all(evaluate(condition, dict(case)) == true for case, true in tried):
            yield SurveyPattern(
                claim=claim, fixed=dict(others), condition=condition, learnt=len(learnt), tried=len(left_out)
            )


def run_survey(survey: Survey, folder: Path) -> Iterator[int]:
    """Run all jobs of a survey in this process; yield after each the number of its games.

    Temporary files that killed processes have left in the folder are removed first.
    """
    part, places = part_of(survey), SurveyPaths(folder, survey.jobs)
    remove_leftovers(folder, [Path(places.tables[0]).parent, Path(places.proofs[0]).parent])
    for job, output in enumerate(places.tables):
        survey_tables_stage(part, job, output)
        yield len(survey.part(job))
    for job, output in enumerate(places.proofs):
        survey_proofs_stage(part, job, places.tables, output, output.removesuffix(".json"))
        yield len(survey.part(job))
    survey_stage(part, places.tables, places.proofs, places.table, places.page)


def survey_results(survey: Survey, folder: Path) -> tuple[list[SurveyGame], list[SurveyRow]]:
    """Return the games and the rows of a survey from the files of its run in the folder."""
    places = SurveyPaths(folder, survey.jobs)
    return _results(survey, places.tables, places.proofs)


# -- files -------------------------------------------------------------------------------------------------------------


def _write_games(output: str, part: Plain, games: Sequence[SurveyGame]) -> None:
    records = [record_to_json(game, brief=True) for game in games]
    made = result_header(part["files"], 0, part["version"])
    write_json(Path(output), {"made": made, "games": records})


def _read_games(files: Sequence[str]) -> list[SurveyGame]:
    """Return the games of all files, sorted by number. Raises ConfigError for a damaged file."""
    every = (game for file in files for game in read_stage(tuple[SurveyGame, ...], file, "games"))
    return sorted(every, key=lambda game: game.game)


# -- estimated work ---------------------------------------------------------------------------------------------------

SAMPLE = 24  # the number of games; they are drawn at random, so that every slot varies
# Seconds for a proof and for a period: measured with the surveys that come with grundylab (docs/surveys.md).
A_PROOF, A_PERIOD = 0.4, 0.3
OF_BUDGET = 0.15  # the share of all engines' budgets that is used if the first engine finds a formula


@dataclass(frozen=True)
class Work:
    """The estimated work of a survey, extrapolated from some of its games.

    questions: claims that small tables leave to the prover. periods: games whose rows may have periods. discoveries:
    games whose claims are all refuted by small tables, so that formulas are searched for. core_seconds: the estimated
    processor time.
    """

    games: int
    jobs: int
    questions: int
    periods: int
    discoveries: int
    core_seconds: float

    @property
    def text(self) -> str:
        """The estimate in words."""
        seek = f", formulas for about {self.discoveries:,} games" * bool(self.discoveries)
        return (
            f"{self.games:,} games in {self.jobs:,} jobs; small tables leave at most about "
            f"{self.questions + self.periods:,} questions{seek}; about {self.core_seconds:,.0f} core-seconds"
        )


def estimated_work(survey: Survey) -> Work:
    """Return the estimated work of a survey, extrapolated from games whose small tables are solved here."""
    sample, seconds = [], []
    for number in sorted(Random(0).sample(range(survey.count), min(SAMPLE, survey.count))):
        started = time.process_time()
        sample.append(game_after_tables(survey, number))
        seconds.append(time.process_time() - started)
    left, seek, rows = _open_games(survey, sample), survey.spec.discover, survey.spec.rows
    counts = (
        sum(len(game.left) for game in left),
        sum(rows is not None and game.none is None for game in sample),
        sum(seek is not None and not game.left for game in left),
    )
    questions, periods, discoveries = (round(survey.count / len(sample) * count) for count in counts)
    budget = seek.budget * len(seek.engines) if seek else 0.0
    solving = survey.count * median(seconds)  # the first game of a kind takes longer: its sweep is compiled
    work = solving + A_PROOF * questions + A_PERIOD * periods + OF_BUDGET * budget * discoveries
    return Work(survey.count, 2 * survey.jobs + 1, questions, periods, discoveries, round(work, 1))
