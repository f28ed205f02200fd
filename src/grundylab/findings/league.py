"""The league table: each engine's best formula for each question, beside the best constant.

It gives the numbers of positions at which a formula is right, for each split: training, validation and test tables. A
formula that is right less often than the best constant says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from grundylab.check.shares import NO_COUNTS, SplitCounts
from grundylab.discover.base import EngineRun, all_work, ended_by_budget
from grundylab.findings.results import StudyRecord
from grundylab.findings.wording import learnt_text
from grundylab.games import Target
from grundylab.language import Expr
from grundylab.language.syntax import Bool, Int
from grundylab.records.finding import CONSTANT, Finding
from grundylab.records.proofs import Status

LeagueResult = Literal["exact", "partial", "constant", "nothing", "not run", "not available"]


@dataclass(frozen=True, kw_only=True)
class LeagueRow:
    """A row of the league table: an engine's best formula for one target of one study, or the best constant.

    engine: CONSTANT for the best constant. result: ``constant`` if no formula of the engine is right at more training
    positions than that. best: the formula; None without one. learnt: the tables that the engine learnt from, in words.
    seed: with which the engine found it. seeds: the number of seeds with which the engine was asked. exact_seeds: the
    number of seeds that gave a formula without errors in training and validation. rounds, work, unit: of an engine that
    draws at random, the rounds with all seeds, and their work in the engine's unit. note: why there is no formula, or
    the engine's notes on its search; an exact row has none about a budget that ended the search.
    """

    study: str
    ruleset: str
    target: Target
    engine: str
    result: LeagueResult
    best: Finding | None = None
    learnt: str = ""
    seed: int | None = None
    seeds: int = 0
    exact_seeds: int = 0
    rounds: int | None = None
    work: int | None = None
    unit: str = ""
    note: str = ""

    @property
    def formula(self) -> Expr | None:
        """The best formula."""
        return self.best.formula if self.best else None

    @property
    def verdict(self) -> Status | None:
        """The status of the best formula; ``partial`` for a constant."""
        if self.best is None:
            return None
        return "partial" if self.result == "constant" else self.best.status

    @property
    def train(self) -> SplitCounts:
        """The comparison of the best formula with the training tables."""
        return self.best.train if self.best else NO_COUNTS

    @property
    def validate(self) -> SplitCounts:
        """The comparison with the validation tables."""
        return self.best.validate if self.best else NO_COUNTS

    @property
    def test(self) -> SplitCounts:
        """The comparison with the test tables."""
        return self.best.test if self.best else NO_COUNTS


def league_rows(
    studies: Iterable[StudyRecord], runs: Sequence[EngineRun], findings: Sequence[Finding]
) -> tuple[LeagueRow, ...]:
    """Return a row for each study, each of its targets, and each engine that the study names for the target.

    The best constant, if it was counted, has the last row of each target.
    """
    mine: dict[tuple[str, Target, str], list[Finding]] = {}
    for finding in findings:
        if finding.found and not finding.origin.derived:
            question = finding.study, finding.target, finding.origin.engine
            mine.setdefault(question, []).append(finding)
    rows = []
    for study in studies:
        for target, named in study.engines.items():
            constant = next(iter(mine.get((study.study, target, CONSTANT), ())), None)
            for engine in named:
                its = [
                    run
                    for run in runs
                    if (run.study, run.target, run.engine) == (study.study, target, engine)
                ]
                formulas = mine.get((study.study, target, engine), [])
                rows.append(_row(study, target, engine, its, formulas, constant))
            if constant is not None:
                reference = LeagueRow(
                    study=study.study,
                    ruleset=study.ruleset,
                    target=target,
                    engine=CONSTANT,
                    result="constant",
                    best=constant,
                )
                rows.append(reference)
    return tuple(rows)


def _row(
    study: StudyRecord,
    target: Target,
    engine: str,
    runs: Sequence[EngineRun],
    mine: Sequence[Finding],
    constant: Finding | None,
) -> LeagueRow:
    row = LeagueRow(study=study.study, ruleset=study.ruleset, target=target, engine=engine, result="not run")
    if not runs:
        return replace(row, note="an earlier engine found an answer")
    if missing := next((run.unavailable for run in runs if run.unavailable), ""):
        return replace(row, result="not available", note=missing)
    notes = list(dict.fromkeys(note for run in runs for note in run.notes))
    exact = [finding for finding in mine if answers_question(finding)]
    seeds = len({finding.origin.seed for finding in exact})
    row = replace(row, seeds=len(runs), exact_seeds=seeds, note="; ".join(notes))
    if work := all_work(run.work for run in runs):
        row = replace(row, rounds=work.rounds, work=work.amount, unit=work.unit)
    least = constant.train.share if constant else None
    best = min(mine, key=partial(_rank, least=least or 0.0), default=None)
    learnt = next((run.learnt for run in runs if best is None or run.seed == best.origin.seed), ())
    row = replace(row, learnt=learnt_text(learnt))
    if best is None:
        return replace(row, result="nothing")
    row = replace(row, best=best, seed=best.origin.seed if row.rounds else None)
    if isinstance(best.formula, Bool | Int) and best not in exact:
        return replace(row, result="constant")
    settled = {best.where} if not study.each else {finding.where for finding in exact}
    whole = best in exact and len(settled) >= (len(study.settings) if study.each else 1)
    if whole:
        row = replace(row, note="; ".join(note for note in notes if not ended_by_budget(note)))
    return replace(row, result="exact" if whole else "partial")


def answers_question(finding: Finding) -> bool:
    """Tell whether the formula is right at all training and validation positions of its question."""
    return finding.exact and all(split.right == split.total for split in (finding.train, finding.validate))


def _rank(finding: Finding, least: float) -> tuple[object, ...]:
    """Return a sort key: exact formulas first, then those that are right most often, then the smallest.

    The test positions do not count: the best formula would be chosen by what it is tested on. Formulas whose share of
    the training positions is below ``least`` come after all others.
    """
    right = finding.train.right + finding.validate.right
    below = (finding.train.share or 0.0) < least
    return (not answers_question(finding), below, -right, finding.size, str(finding.formula))
