"""What is done for a survey, in jobs of some games each: small tables first, then proofs of what these leave open.

A stage is a function of files and of what it is asked, as in ``stages``. Of each game the same functions judge, prove
and discover as of a study, one question after another.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

from grundylab.catalogue.attempts import attempt
from grundylab.catalogue.files import plain, typed
from grundylab.catalogue.proofs import write_script
from grundylab.catalogue.surveys import (
    DISCOVERY,
    NOTHING,
    PERIOD,
    Pattern,
    SurveyGame,
    SurveyRow,
    decided,
    duplicates,
    example_text,
    row_of_period,
    statement_texts,
    survey_rows,
    write_survey,
)
from grundylab.check.alike import rules_key, table_key
from grundylab.check.judging import judge
from grundylab.discover import Findings, Question, answers, best_first
from grundylab.discover.base import Setting
from grundylab.discover.conditions import condition_on, reworded
from grundylab.discover.fingerprints import scattered
from grundylab.errors import ConfigError, GrundylabError, NoSweep, RulesetError
from grundylab.files import read_record, write_json
from grundylab.games import Claim, Instance
from grundylab.games.model import Values, parse_target
from grundylab.language.folding import folded
from grundylab.language.plain import evaluate
from grundylab.pipeline.config import least_bounds
from grundylab.pipeline.folder import sweep
from grundylab.pipeline.study import Plain, values_of
from grundylab.pipeline.surveys import Game, NoGame, Places, Survey, part_of, survey_of
from grundylab.prove.outcome import Disagreement, Limits
from grundylab.prove.prover import Known, for_which, prove_claim
from grundylab.report.site.survey import write_survey_page
from grundylab.solve import Table, solve
from grundylab.solve.made import made_by
from grundylab.solve.sweeps import sweep_for
from grundylab.solve.sweeps.piles import Piles
from grundylab.statement.conditions import split_where

LEFT_OUT = 3  # of so many games one is not learnt from, when the survey's own pattern is looked for
TRIED = 3  # of the formulas that are right where they were learnt, the best first


# -- small tables ------------------------------------------------------------------------------------------------------


def tables_stage(part: Plain, job: int, output: str) -> str:
    """Write the games of one job as their small tables leave them; return how many, in words."""
    survey = survey_of(part)
    found = [tabled(survey, number) for number in survey.part(job)]
    _write(output, part, found)
    left = sum(len(game.left) for game in found)
    return f"{len(found):,} games, {left:,} questions left by their small tables"


def tabled(survey: Survey, number: int) -> SurveyGame:
    """Return a game with the claims as its small tables leave them."""
    try:
        game = survey.game(number)
    except NoGame as error:
        slots = survey.slots_of(number)
        return SurveyGame(game=number, slots=slots, filled=slots, none=error.message)
    known = SurveyGame(game=number, slots=game.slots, filled=game.filled)
    values, claims = _values(survey, game), game.ruleset.claims
    try:
        tables = [_solved(instance, values) for instance in survey.instances(game)]
    except RulesetError as error:  # a move that lowers nothing, say: with these values the rules are no game
        return replace(known, none=error.message)
    # what is wrong with a ruleset that is looked up is wrong in every game, and ends the survey
    return replace(
        known,
        rows=tuple(_judged(known, claim, game, tables) for claim in claims),
        rules=rules_key(game.ruleset, claims),
        values=table_key(tables),
        all=table_key(tables, claims),
    )


def _values(survey: Survey, game: Game) -> Values:
    """Return what is solved for: what its claims and rows are about."""
    rows = survey.spec.rows
    return values_of(game.ruleset, (parse_target(rows.target),) if rows else ())


def _solved(instance: Instance, values: Values) -> Table:
    """Return the table, by a sweep of piles if there is one: what is compiled for it serves all games."""
    try:
        swept = isinstance(sweep_for(instance, values), Piles)
    except NoSweep:
        swept = False
    return solve(instance, values, "sweep" if swept else "auto")


def _judged(known: SurveyGame, claim: Claim, game: Game, tables: Sequence[Table]) -> SurveyRow:
    """Return the claim on the tables: refuted, or left to the prover.

    Where it is asked for which parameters the claim is true, one of their settings is enough to go on.
    """
    verdict = judge(claim, tables)
    wrong = [check.instance.label for check in verdict.informative if not check.holds]
    some = len(wrong) < len(verdict.informative) and for_which(game.ruleset, claim)
    return known.row(
        claim.id,
        "undecided" if some or not wrong else "refuted",
        **statement_texts(folded(claim.formula), claim.target, folded(claim.where)),
        checked=verdict.checked,
        wrong=verdict.wrong,
        reason=f"wrong for each of {'; '.join(wrong)}" if len(wrong) > 1 and not some else None,
        counterexample=example_text(verdict.counterexample, claim.target),
    )


# -- proofs ------------------------------------------------------------------------------------------------------------


def proofs_stage(part: Plain, job: int, tables: Sequence[str], output: str, folder: str) -> str:
    """Write the games of one job with what the prover says of them; return that in words.

    Which games are one is known only from the small tables of all. What is left is dealt out one by one, since what is
    hard is often side by side. Proofs are written to the folder.
    """
    survey = survey_of(part)
    Path(folder).mkdir(parents=True, exist_ok=True)
    games = _asked(survey, _read(tables))[job :: len(tables)]
    found = [proved(survey, game, Path(folder)) for game in games]
    _write(output, part, found)
    return "\n".join(f"{row.game}: {row.claim}: {row.status}" for game in found for row in game.rows)


def _asked(survey: Survey, games: Sequence[SurveyGame]) -> list[SurveyGame]:
    """Return the games of which something is left to ask, each once."""
    again = duplicates(games, survey.spec.rows is not None)
    more = survey.spec.rows is not None or survey.spec.discover is not None
    return [game for game in games if game.none is None and game.game not in again and (more or game.left)]


def proved(survey: Survey, known: SurveyGame, folder: Path) -> SurveyGame:
    """Return the game with what the prover says of its claims, then its periods, then what is discovered if no claim is
    left."""
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
    """The prover of one game's claims. Proofs are written to the folder."""

    def __init__(self, survey: Survey, game: Game, folder: Path) -> None:
        self.survey, self.game, self.folder = survey, game, folder
        self.limits = Limits(survey.spec.proof_timeout, words=reworded)
        self.known = Known(self.limits)

    def decided(self, row: SurveyRow, claim: Claim) -> SurveyRow:
        """Return the row with what the prover says of its claim, asked for which parameters it is true."""
        question = for_which(self.game.ruleset, claim)
        try:
            proof = prove_claim(
                self.game.bare, claim, question=question, limits=self.limits, known=self.known
            )
        except Disagreement:
            raise  # of two procedures: nothing that follows could be believed
        except GrundylabError as error:
            return replace(row, reason=error.message, counterexample=None)
        file = write_script(proof, self.folder, f"{self.game.number}-{claim.id}")
        return decided(row, attempt(proof, file, None, claim.where), claim.where)

    def periods(self, known: SurveyGame) -> Iterator[SurveyRow]:
        """Yield the periods of the game's rows, if they are asked for."""
        rows = self.survey.spec.rows
        if rows is None:
            return
        from grundylab.pipeline.rows import row_records  # numba takes long to import

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
        """Return the best formula that is right in the tables to check on, with its proof; or how far there is none."""
        survey, target = self.survey, self.survey.sought
        test = survey.larger(self.game)
        tables = [solve(instance, target.values) for instance in survey.instances(self.game)]
        question = Question(target, budget=survey.discovery.budget)
        found = answers(tables, question, survey.engines, below=least_bounds(test))
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
        """Yield, of the first few formulas that are right where they were learnt, those that are in larger tables, too,
        each with its engine and at how many positions.

        The claim is without a condition on parameters that was learnt: it is asked for which it is right.
        """
        target = self.survey.sought
        exact = [each for each in best_first(found) if each.exact and not each.values][:TRIED]
        tables = [solve(instance, target.values) for instance in test] if exact else []
        for candidate in exact:
            verdict = judge(Claim(DISCOVERY, target, candidate.formula, candidate.where), tables)
            if verdict.status == "holds":
                where = split_where(candidate.where, self.game.ruleset)[1]
                claim = Claim(DISCOVERY, target, candidate.formula, where)
                yield claim, candidate.engine, verdict.checked


# -- the table and the page --------------------------------------------------------------------------------------------


def survey_stage(part: Plain, tables: Sequence[str], proofs: Sequence[str], table: str, page: str) -> str:
    """Write the rows as Parquet, and the page; return how much is proved, in words."""
    survey, made = survey_of(part), _made(part)
    games, rows = _together(survey, tables, proofs)
    write_survey(rows, sum(game.none is not None for game in games), made, Path(table))
    found = list(patterns(rows))
    write_survey_page(
        survey.spec.title, survey.spec.description, survey.texts, games, rows, found, made, Path(page).parent
    )
    return f"{sum(row.status == 'proved' for row in rows):,} proved of {len(rows):,}"


def _together(
    survey: Survey, tables: Sequence[str], proofs: Sequence[str]
) -> tuple[list[SurveyGame], list[SurveyRow]]:
    """Return the games with all that is known of them, and the rows of the table."""
    games = {game.game: game for game in (*_read(tables), *_read(proofs))}
    found = list(games.values())
    return found, survey_rows(found, survey.spec.rows is not None)


def patterns(rows: Sequence[SurveyRow]) -> Iterator[Pattern]:
    """Yield what the numbers in the slots have to do with it whether a claim is proved, learnt from two games of three.

    It is a conjecture about the family, told where it is right at the third as well. A game that is another one counts
    as that one; of what is undecided, or proved for some parameters only, nothing is known here.
    """
    first = {(row.game, row.claim): row for row in rows}
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], dict[Setting, bool]] = {}
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
        if found is not None and all(evaluate(found, dict(each)) == told for each, told in left_out.items()):
            yield Pattern(
                claim=claim, fixed=dict(others), condition=found, learnt=len(learnt), tried=len(left_out)
            )


def surveyed(survey: Survey, folder: Path) -> Iterator[int]:
    """Do all jobs in this process, one after another; yield, after each, of how many games it was done.

    What such a process has left there when it was killed goes.
    """
    part, places = part_of(survey), Places(folder, survey.jobs)
    sweep(folder, [Path(places.tables[0]).parent, Path(places.proofs[0]).parent])
    for job, output in enumerate(places.tables):
        tables_stage(part, job, output)
        yield len(survey.part(job))
    for job, output in enumerate(places.proofs):
        proofs_stage(part, job, places.tables, output, output.removesuffix(".json"))
        yield len(survey.part(job))
    survey_stage(part, places.tables, places.proofs, places.table, places.page)


def survey_in(survey: Survey, folder: Path) -> tuple[list[SurveyGame], list[SurveyRow]]:
    """Return the games and the rows of a survey that was done in the folder."""
    places = Places(folder, survey.jobs)
    return _together(survey, places.tables, places.proofs)


# -- files -------------------------------------------------------------------------------------------------------------


def _made(part: Plain) -> Any:  # noqa: ANN401 - as JSON has it
    return made_by(part["files"], 0, part["version"])


def _write(output: str, part: Plain, games: Sequence[SurveyGame]) -> None:
    write_json(Path(output), {"made": _made(part), "games": list(map(plain, games))})


def _read(files: Sequence[str]) -> list[SurveyGame]:
    """Return the games of all files, in order of their numbers. Raises ConfigError for a damaged file."""
    found: list[SurveyGame] = []
    for file in files:
        found += typed(tuple[SurveyGame, ...], read_record(Path(file), ConfigError).get("games"), file)
    return sorted(found, key=lambda game: game.game)


# -- how long it takes -------------------------------------------------------------------------------------------------

SAMPLE = 24  # games that are looked at, drawn by lot, so that they do not stay at one value of a slot
# Seconds for a proof and for a period: measured with the surveys that come with grundylab (docs/surveys.md).
A_PROOF, A_PERIOD = 0.4, 0.3
OF_BUDGET = 0.15  # of what the engines may do together, what they do where the first finds something


@dataclass(frozen=True)
class Work:
    """What a survey has to do, as far as some of its games tell.

    asked: questions that small tables leave to the prover. periods: that are looked for. discoveries: games of which
    small tables leave no claim, and for which formulas are looked for. core_seconds: of one core, about.
    """

    games: int
    jobs: int
    asked: int
    periods: int
    discoveries: int
    core_seconds: float

    @property
    def text(self) -> str:
        """The same in words."""
        seek = f", formulas for about {self.discoveries:,} games" * bool(self.discoveries)
        return (
            f"{self.games:,} games in {self.jobs:,} jobs; small tables leave at most about "
            f"{self.asked + self.periods:,} questions{seek}; about {self.core_seconds:,.0f} core-seconds"
        )


def estimated(survey: Survey) -> Work:
    """Return how much there is to do: the small tables of some games are solved, and the others are taken for alike."""
    sample, seconds = [], []
    for number in sorted(Random(0).sample(range(survey.count), min(SAMPLE, survey.count))):
        started = time.process_time()
        sample.append(tabled(survey, number))
        seconds.append(time.process_time() - started)
    left, seek, rows = _asked(survey, sample), survey.spec.discover, survey.spec.rows
    counts = (
        sum(len(game.left) for game in left),
        sum(rows is not None and game.none is None for game in sample),
        sum(seek is not None and not game.left for game in left),
    )
    asked, periods, sought = (round(survey.count / len(sample) * count) for count in counts)
    budget = seek.budget * len(survey.engines) if seek else 0.0
    # the median: the first game of a kind takes longer, since its sweep is compiled
    work = survey.count * median(seconds) + A_PROOF * asked + A_PERIOD * periods + OF_BUDGET * budget * sought
    return Work(survey.count, 2 * survey.jobs + 1, asked, periods, sought, round(work, 1))
