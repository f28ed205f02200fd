"""The stages of a survey, in jobs of several games each: small tables, then proofs of what these do not refute.

A stage is a function from files and parameters to files. Claims are judged and proved, and formulas are searched for,
by the same functions as in a study, one question after another.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

from grundylab.check.equal_games import rules_key, table_key
from grundylab.check.judging import judge
from grundylab.discover import EngineQuestion, Findings, engine_findings, ranked_candidates
from grundylab.discover.base import ParameterValues
from grundylab.discover.fingerprints import scattered
from grundylab.discover.repairs import alternative_conditions, condition_on
from grundylab.errors import ConfigError, GrundylabError, NoSweep, RulesetError
from grundylab.files import read_record, write_json
from grundylab.findings.catalogue import record_from_json, record_to_json
from grundylab.findings.proof_records import attempts, write_script
from grundylab.findings.survey_rows import (
    DISCOVERY,
    NOTHING,
    PERIOD,
    SurveyGame,
    SurveyPattern,
    SurveyRow,
    duplicates,
    example_text,
    row_of_period,
    row_with_proof,
    statement_texts,
    survey_rows,
    write_survey,
)
from grundylab.games import Claim, Instance
from grundylab.games.model import Values, parse_target
from grundylab.language.folding import fold_constants
from grundylab.language.plain import evaluate
from grundylab.pipeline.config import least_sizes
from grundylab.pipeline.run_folder import remove_leftovers
from grundylab.pipeline.study import Plain, values_of
from grundylab.pipeline.surveys import Game, NoGame, Survey, SurveyPaths, part_of, survey_of
from grundylab.prove.outcome import Disagreement, Limits
from grundylab.prove.prover import ProofContext, for_which, prove_claim
from grundylab.report.site.survey_page import write_survey_page
from grundylab.solve import Table, solve
from grundylab.solve.origin import result_header
from grundylab.solve.sweeps import sweep_for
from grundylab.solve.sweeps.piles import PileSweep
from grundylab.statement.conditions import split_condition

LEFT_OUT = 3  # one game in this many is held back when a pattern of the survey is learnt
TRIED = 3  # the most formulas, right where they were learnt, that are tried on larger tables


# -- small tables ------------------------------------------------------------------------------------------------------


def tables_stage(part: Plain, job: int, output: str) -> str:
    """Write the games of one job with what their small tables decide; return the numbers of games and questions."""
    survey = survey_of(part)
    found = [game_after_tables(survey, number) for number in survey.part(job)]
    _write_games(output, part, found)
    left = sum(len(game.left) for game in found)
    return f"{len(found):,} games, {left:,} questions left by their small tables"


def game_after_tables(survey: Survey, number: int) -> SurveyGame:
    """Return a game with a row for each claim: refuted by its small tables, or left to the prover."""
    try:
        game = survey.game(number)
    except NoGame as error:
        slots = survey.slots_of(number)
        return SurveyGame(game=number, slots=slots, filled=slots, none=error.message)
    known = SurveyGame(game=number, slots=game.slots, filled=game.filled)
    values, claims = _values(survey, game), game.ruleset.claims
    try:
        tables = [_solved(instance, values) for instance in survey.instances(game)]
    except RulesetError as error:  # these values make no game: for example, a move lowers nothing
        return replace(known, none=error.message)
    # a fault in a ruleset that is looked up affects every game, and ends the survey
    return replace(
        known,
        rows=tuple(_judged(known, claim, game, tables) for claim in claims),
        rules=rules_key(game.ruleset, claims),
        values=table_key(tables),
        all=table_key(tables, claims),
    )


def _values(survey: Survey, game: Game) -> Values:
    """Return what to compute, outcomes or Grundy numbers, for the targets of claims and rows."""
    rows = survey.spec.rows
    return values_of(game.ruleset, (parse_target(rows.target),) if rows else ())


def _solved(instance: Instance, values: Values) -> Table:
    """Return the solved table of an instance. The sweep of piles is preferred: its compiled code serves all games."""
    try:
        swept = isinstance(sweep_for(instance, values), PileSweep)
    except NoSweep:
        swept = False
    return solve(instance, values, "sweep" if swept else "auto")


def _judged(known: SurveyGame, claim: Claim, game: Game, tables: Sequence[Table]) -> SurveyRow:
    """Return the claim's row with the verdict of the tables: refuted, or undecided and so left to the prover.

    A claim that is wrong for some parameter settings only is left to the prover if that can find out for which.
    """
    verdict = judge(claim, tables)
    wrong = [check.instance.label for check in verdict.informative if not check.holds]
    some = len(wrong) < len(verdict.informative) and for_which(game.ruleset, claim)
    return known.row(
        claim.id,
        "undecided" if some or not wrong else "refuted",
        **statement_texts(fold_constants(claim.formula), claim.target, fold_constants(claim.where)),
        checked=verdict.checked,
        wrong=verdict.wrong,
        reason=f"wrong for each of {'; '.join(wrong)}" if len(wrong) > 1 and not some else None,
        counterexample=example_text(verdict.counterexample, claim.target, claim.formula),
    )


# -- proofs ------------------------------------------------------------------------------------------------------------


def proofs_stage(part: Plain, job: int, tables: Sequence[str], output: str, folder: str) -> str:
    """Write the games of one job with the prover's answers, and the proofs to the folder; return the answers in words.

    tables: the files of all jobs for small tables, which show which games are equivalent. The games that are left are
    dealt out to the jobs in turn, since games that are hard to prove are often neighbours.
    """
    survey = survey_of(part)
    Path(folder).mkdir(parents=True, exist_ok=True)
    games = _open_games(survey, _read_games(tables))[job :: len(tables)]
    found = [game_after_proofs(survey, game, Path(folder)) for game in games]
    _write_games(output, part, found)
    return "\n".join(f"{row.game}: {row.claim}: {row.status}" for game in found for row in game.rows)


def _open_games(survey: Survey, games: Sequence[SurveyGame]) -> list[SurveyGame]:
    """Return the games about which the prover or a search is asked; of equivalent games only the first."""
    again = duplicates(games, survey.spec.rows is not None)
    more = survey.spec.rows is not None or survey.spec.discover is not None
    return [game for game in games if game.none is None and game.game not in again and (more or game.left)]


def game_after_proofs(survey: Survey, known: SurveyGame, folder: Path) -> SurveyGame:
    """Return the game with the prover's answers about its claims, and with the periods that the survey asks for.

    If all claims are refuted and the survey has ``discover:``, formulas are searched for as well.
    """
    prover = _Prover(survey, survey.game(known.game), folder)
    rows = [
        row if row.status == "refuted" else prover.decided(row, prover.game.ruleset.claim(row.claim))
        for row in known.rows
    ]
    found = replace(known, rows=(*rows, *prover.periods(known)))
    if survey.spec.discover is not None and not any(row.status != "refuted" for row in rows):
        found = replace(found, rows=(*found.rows, prover.discovered(known)))
    return found


class _Prover:
    """The prover of one game's claims; proofs are written to the folder."""

    def __init__(self, survey: Survey, game: Game, folder: Path) -> None:
        self.survey, self.game, self.folder = survey, game, folder
        self.limits = Limits(survey.spec.proof_timeout, words=alternative_conditions)
        self.known = ProofContext(self.limits)

    def decided(self, row: SurveyRow, claim: Claim) -> SurveyRow:
        """Return the row with the prover's answer: whether its claim is true, and for which parameters."""
        question = for_which(self.game.ruleset, claim)
        try:
            proof = prove_claim(
                self.game.bare, claim, question=question, limits=self.limits, known=self.known
            )
        except Disagreement:
            raise  # two procedures contradict each other: nothing that follows could be trusted
        except GrundylabError as error:
            return replace(row, reason=error.message, counterexample=None)
        keep = partial(write_script, folder=self.folder, name=f"{self.game.number}-{claim.id}")
        return row_with_proof(row, attempts(proof, keep, None, claim.where)[0], claim.where)

    def periods(self, known: SurveyGame) -> Iterator[SurveyRow]:
        """Yield the survey's rows about periods of the game; none if the survey does not ask for periods."""
        rows = self.survey.spec.rows
        if rows is None:
            return
        from grundylab.pipeline.rows_and_heaps import row_records  # numba takes long to import

        try:
            rows.check(self.game.bare)
            found = row_records(self.game.bare, rows, self.folder / str(self.game.number), 0)
        except Disagreement:
            raise
        except GrundylabError as error:
            yield known.row(PERIOD, "undecided", reason=error.message)
            return
        for row in found:
            yield row_of_period(known, row)

    def discovered(self, known: SurveyGame) -> SurveyRow:
        """Return the row of a formula that is right in the larger tables: a proved one, or else the best unrefuted one.

        Without such a formula, the row's status is "nothing", and ``none_up_to`` says up to which cost none exists.
        """
        survey, target = self.survey, self.survey.target
        test = survey.larger(self.game)
        tables = [solve(instance, target.values) for instance in survey.instances(self.game)]
        question = EngineQuestion(target, budget=survey.discovery.budget)
        found = engine_findings(tables, question, survey.engines, below=least_sizes(test))
        none_up_to = max(each.none_up_to for each in found)
        best: SurveyRow | None = None
        for claim, engine, checked in self._right(found, test):
            row = known.row(
                DISCOVERY,
                "undecided",
                **statement_texts(claim.formula, target, claim.where),
                engine=engine,
                checked=checked,
                none_up_to=none_up_to,
            )
            row = self.decided(row, claim)
            if row.status == "proved":
                return row
            best = best or (row if row.status != "refuted" else None)
        among = f" among all formulas that cost up to {none_up_to}" if none_up_to else " was found"
        return best or known.row(DISCOVERY, NOTHING, none_up_to=none_up_to, reason=f"nothing{among}")

    def _right(self, found: Sequence[Findings], test: Sequence[Instance]) -> Iterator[tuple[Claim, str, int]]:
        """Yield formulas that are right in the larger tables: as a claim, with engine and number of positions checked.

        Only the best ``TRIED`` formulas are tried. A learnt condition on the parameters is left out of the claim, since
        the prover determines for which parameters the formula is true.
        """
        target = self.survey.target
        exact = [each for each in ranked_candidates(found) if each.exact and not each.values][:TRIED]
        tables = [solve(instance, target.values) for instance in test] if exact else []
        for candidate in exact:
            verdict = judge(Claim(DISCOVERY, target, candidate.formula, candidate.where), tables)
            if verdict.status == "holds":
                where = split_condition(candidate.where, self.game.ruleset)[1]
                claim = Claim(DISCOVERY, target, candidate.formula, where)
                yield claim, candidate.engine, verdict.checked


# -- the table and the page --------------------------------------------------------------------------------------------


def survey_stage(part: Plain, tables: Sequence[str], proofs: Sequence[str], table: str, page: str) -> str:
    """Write the survey's rows as Parquet, and its page; return the number of proved rows in words."""
    survey, made = survey_of(part), _provenance(part)
    games, rows = _results(survey, tables, proofs)
    write_survey(rows, sum(game.none is not None for game in games), made, Path(table))
    found = list(patterns(rows))
    write_survey_page(
        survey.spec.title, survey.spec.description, survey.texts, games, rows, found, made, Path(page).parent
    )
    return f"{sum(row.status == 'proved' for row in rows):,} proved of {len(rows):,}"


def _results(
    survey: Survey, tables: Sequence[str], proofs: Sequence[str]
) -> tuple[list[SurveyGame], list[SurveyRow]]:
    """Return the games with the results of all stages, and the rows of the survey's table."""
    games = {game.game: game for game in (*_read_games(tables), *_read_games(proofs))}
    found = list(games.values())
    return found, survey_rows(found, survey.spec.rows is not None)


def patterns(rows: Sequence[SurveyRow]) -> Iterator[SurveyPattern]:
    """Yield conjectures: conditions on the numbers in slots that are true for exactly the games with a proved claim.

    Each is learnt from two thirds of the games, and yielded only if it is right for the remaining third. A game counts
    with the result of the equivalent game that has the answer. Games that are undecided, or proved for some parameters
    only, are left out.
    """
    first = {(row.game, row.claim): row for row in rows}
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], dict[ParameterValues, bool]] = {}
    for row in rows:
        own = row if row.same_as is None else first.get((row.same_as, row.claim), row)
        numbers = tuple((name, int(text)) for name, text in row.filled.items() if text.isdecimal())
        others = tuple((name, text) for name, text in row.slots.items() if name not in dict(numbers))
        if own.status == "refuted" or (own.status == "proved" and own.condition == "True"):
            groups.setdefault((row.claim, others), {})[numbers] = own.status == "proved"
    for (claim, others), outcomes in groups.items():
        settings = list(outcomes)
        order = [settings[place] for place in scattered(np.arange(len(settings)))]
        left_out = {setting: outcomes[setting] for setting in order[: len(order) // LEFT_OUT]}
        learnt = {setting: outcome for setting, outcome in outcomes.items() if setting not in left_out}
        same = len({tuple(name for name, _ in setting) for setting in outcomes}) == 1
        found = condition_on(learnt) if learnt and same else None
        if found is not None and all(evaluate(found, dict(case)) == true for case, true in left_out.items()):
            yield SurveyPattern(
                claim=claim, fixed=dict(others), condition=found, learnt=len(learnt), tried=len(left_out)
            )


def run_survey(survey: Survey, folder: Path) -> Iterator[int]:
    """Run all jobs of a survey in this process; yield after each the number of its games.

    Temporary files that killed processes have left in the folder are removed first.
    """
    part, places = part_of(survey), SurveyPaths(folder, survey.jobs)
    remove_leftovers(folder, [Path(places.tables[0]).parent, Path(places.proofs[0]).parent])
    for job, output in enumerate(places.tables):
        tables_stage(part, job, output)
        yield len(survey.part(job))
    for job, output in enumerate(places.proofs):
        proofs_stage(part, job, places.tables, output, output.removesuffix(".json"))
        yield len(survey.part(job))
    survey_stage(part, places.tables, places.proofs, places.table, places.page)


def survey_results(survey: Survey, folder: Path) -> tuple[list[SurveyGame], list[SurveyRow]]:
    """Return the games and the rows of a survey from the files of its run in the folder."""
    places = SurveyPaths(folder, survey.jobs)
    return _results(survey, places.tables, places.proofs)


# -- files -------------------------------------------------------------------------------------------------------------


def _provenance(part: Plain) -> Any:  # noqa: ANN401 - as JSON has it
    return result_header(part["files"], 0, part["version"])


def _write_games(output: str, part: Plain, games: Sequence[SurveyGame]) -> None:
    write_json(Path(output), {"made": _provenance(part), "games": list(map(record_to_json, games))})


def _read_games(files: Sequence[str]) -> list[SurveyGame]:
    """Return the games of all files, sorted by number. Raises ConfigError for a damaged file."""
    found: list[SurveyGame] = []
    for file in files:
        found += record_from_json(
            tuple[SurveyGame, ...], read_record(Path(file), ConfigError).get("games"), file
        )
    return sorted(found, key=lambda game: game.game)


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
    budget = seek.budget * len(survey.engines) if seek else 0.0
    solving = survey.count * median(seconds)  # the first game of a kind takes longer: its sweep is compiled
    work = solving + A_PROOF * questions + A_PERIOD * periods + OF_BUDGET * budget * discoveries
    return Work(survey.count, 2 * survey.jobs + 1, questions, periods, discoveries, round(work, 1))
