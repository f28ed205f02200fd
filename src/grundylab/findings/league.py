"""The hall of fame (the formulas of every engine) and the league table (each engine's best one).

Both give the numbers of positions at which a formula is right, for each split: training, validation and test tables.
Both have the best constant of each question as a reference: a formula that is right less often says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from grundylab.check.judging import Checks, judge
from grundylab.check.samples import restricted_columns
from grundylab.check.shares import NO_COUNTS, RightCounts
from grundylab.discover.base import all_work, best_constant, ended_by_budget
from grundylab.findings.records import (
    CONSTANT,
    CandidateFormula,
    CandidateRecord,
    Engine,
    EngineProposals,
    Formula,
    Status,
    StudyRecord,
)
from grundylab.findings.verdicts import candidate_claim
from grundylab.findings.wording import learnt_text
from grundylab.games import Ruleset, Target
from grundylab.games.specialise import fixed_values
from grundylab.language import Expr
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE, Bool, Int, Kind, conjunction, equalities
from grundylab.numeric import Array
from grundylab.solve.table import Table, target_values
from grundylab.statement import statement_about

Splits = Mapping[str, Sequence[Table]]  # the tables of "train", "validate" and "test"
LeagueResult = Literal["exact", "partial", "constant", "nothing", "not asked", "not available"]
SPLITS = ("train", "validate", "test")


@dataclass(frozen=True, kw_only=True)
class LeagueRow:
    """A row of the league table: an engine's best formula for one target of one study, or the best constant.

    engine: CONSTANT for the best constant. result: ``constant`` if no formula of the engine is right at more training
    positions than that. train, validate, test: the numbers of positions of each split. key: the key of the statement.
    verdict: its status, or None without a formula. learnt: the tables that the engine learnt from, in words. seed: with
    which the engine found it. seeds: the number of seeds with which the engine was asked. exact_seeds: the number of
    seeds that gave a formula without errors in training and validation. rounds, work, unit: of an engine that draws at
    random, the rounds with all seeds, and their work in the engine's unit. note: why there is no formula, or the
    engine's notes on its search; an exact row has none about a budget that ended the search.
    """

    study: str
    ruleset: str
    target: Target
    engine: str
    result: LeagueResult
    formula: Expr | None = None
    where: Expr | None = None
    key: str | None = None
    complexity: int | None = None
    equation: str | None = None
    train: RightCounts = NO_COUNTS
    validate: RightCounts = NO_COUNTS
    test: RightCounts = NO_COUNTS
    verdict: Status | None = None
    learnt: str = ""
    seed: int | None = None
    seeds: int = 0
    exact_seeds: int = 0
    rounds: int | None = None
    work: int | None = None
    unit: str = ""
    note: str = ""


# -- the hall of fame ------------------------------------------------------------------------------------------------


def candidate_records(
    ruleset: Ruleset,
    proposals: Iterable[EngineProposals],
    splits: Splits,
    where: Expr = TRUE,
    *,
    each: bool = False,
    known: Checks | None = None,
) -> list[CandidateRecord]:
    """Return a record for each candidate of every engine, and for each equation that could not be read as a formula.

    The best constant of each target follows them (see CONSTANT). where: the positions that the study is about. each:
    whether each setting of the parameters was learnt from alone; a candidate is then counted at the positions of its
    own setting only. known: earlier checks, to be used again.
    """
    asked = list(proposals)
    totals: dict[tuple[Expr, Target], dict[str, tuple[int, int]]] = {}

    def record(proposed: EngineProposals, candidate: CandidateFormula) -> CandidateRecord:
        setting = fixed_values(candidate.where, ruleset.parameter_names) if each else {}
        about = conjunction(where, equalities(setting.items())), proposed.target
        if about not in totals:
            totals[about] = {name: _totals(tables, *about) for name, tables in splits.items()}
        return _record(ruleset, proposed, candidate, splits, totals[about], where, known)

    found = []
    for proposed in asked:
        found += [record(proposed, candidate) for candidate in proposed.candidates]
        found += [
            CandidateRecord(
                target=proposed.target,
                engine=proposed.engine,
                seed=proposed.seed,
                complexity=unread.complexity,
                equation=unread.equation,
                reason=f"{unread.reason}; by its engine's own count its loss is {unread.loss:.6g}",
            )
            for unread in proposed.unread
        ]
    for target in dict.fromkeys(proposed.target for proposed in asked if splits["train"]):
        constant = _constant(target, splits["train"], where)
        found.append(record(EngineProposals(target=target, engine=CONSTANT, notes=()), constant))
    return found


def _record(
    ruleset: Ruleset,
    proposed: EngineProposals,
    candidate: CandidateFormula,
    splits: Splits,
    totals: Mapping[str, tuple[int, int]],
    where: Expr,
    known: Checks | None,
) -> CandidateRecord:
    claim = candidate_claim(candidate, conjunction(where, candidate.where))
    counts, truth = {}, candidate.target.kind is Kind.CONDITION
    for name, tables in splits.items():
        verdict, (total, true) = judge(claim, tables, known), totals[name]
        counts[name] = RightCounts(
            right=verdict.checked - verdict.wrong,
            total=total,
            true_right=sum(check.true - check.true_wrong for check in verdict.checks) if truth else None,
            true_total=true if truth else None,
        )
    train = counts["train"]
    return CandidateRecord(
        target=proposed.target,
        engine=proposed.engine,
        seed=proposed.seed,
        complexity=candidate.size,
        loss=1 - train.right / train.total if train.total else 0.0,
        equation=candidate.equation,
        formula=candidate.formula,
        where=claim.where,
        key=statement_about(ruleset, claim).key,
        exact=candidate.exact and all(counts[split].right == counts[split].total for split in SPLITS[:2]),
        train=train,
        validate=counts["validate"],
        test=counts["test"],
    )


def _constant(target: Target, tables: Sequence[Table], where: Expr) -> CandidateFormula:
    """Return the constant that is right at most positions of the tables that fulfil the condition."""
    values = np.concatenate(list(_values(tables, target, where)))
    formula, correct = best_constant(values)
    return CandidateFormula(
        target=target,
        formula=formula,
        where=TRUE,
        latex=to_latex(formula),
        engine=CONSTANT,
        seed=0,
        size=formula.size,
        correct=correct,
        total=len(values),
    )


def _totals(tables: Sequence[Table], where: Expr, target: Target) -> tuple[int, int]:
    """Return how many positions of the tables fulfil the condition, and at how many of these the target is not 0."""
    counts = [(len(values), int(np.count_nonzero(values))) for values in _values(tables, target, where)]
    return sum(total for total, _ in counts), sum(true for _, true in counts)


def _values(tables: Iterable[Table], target: Target, where: Expr) -> Iterator[Array]:
    """Yield the target's values at the positions that fulfil the condition, in one slab of a table after another."""
    for table in tables:
        functions = table.instance.ruleset.functions
        for slab in table.slabs():
            yield target_values(restricted_columns(slab, table.instance, where, functions)[1], target)


# -- the league table ------------------------------------------------------------------------------------------------


def league_rows(
    studies: Iterable[StudyRecord],
    engines: Sequence[Engine],
    candidates: Sequence[CandidateRecord],
    formulas: Sequence[Formula],
) -> tuple[LeagueRow, ...]:
    """Return a row for each study, each of its targets, and each engine that the study names for the target.

    The best constant, if it was recorded, has the last row of each target.
    """
    verdicts = {(each.study, each.key): each.status for each in reversed(formulas)}
    constants = {(each.study, each.target): each for each in candidates if each.engine == CONSTANT}
    found = []
    for study in studies:
        for target, named in study.engines.items():
            constant = constants.get((study.study, target))
            found += [
                _row(study, target, engine, engines, candidates, verdicts, constant) for engine in named
            ]
            if constant is not None:
                reference = LeagueRow(
                    study=study.study,
                    ruleset=study.ruleset,
                    target=target,
                    engine=CONSTANT,
                    result="constant",
                )
                found.append(_with_formula(reference, constant))
    return tuple(found)


def _row(
    study: StudyRecord,
    target: Target,
    engine: str,
    engines: Sequence[Engine],
    candidates: Sequence[CandidateRecord],
    verdicts: Mapping[tuple[str, str], Status],
    constant: CandidateRecord | None,
) -> LeagueRow:
    question = (study.study, target, engine)
    runs = [each for each in engines if (each.study, each.target, each.engine) == question]
    mine = [each for each in candidates if (each.study, each.target, each.engine) == question]
    row = LeagueRow(
        study=study.study, ruleset=study.ruleset, target=target, engine=engine, result="not asked"
    )
    if not runs:
        return replace(row, note="an earlier engine had found an answer")
    if missing := next((each.unavailable for each in runs if each.unavailable), ""):
        return replace(row, result="not available", note=missing)
    notes = list(dict.fromkeys(note for each in runs for note in each.notes))
    row = replace(
        row, seeds=len(runs), exact_seeds=len({each.seed for each in mine if each.exact}), note="; ".join(notes)
    )  # fmt: skip
    if work := all_work(each.work for each in runs):
        row = replace(row, rounds=work.rounds, work=work.amount, unit=work.unit)
    least = constant.train.share if constant else None
    best = min((each for each in mine if each.formula), key=partial(_rank, least=least or 0.0), default=None)
    learnt = next((each.learnt for each in runs if best is None or each.seed == best.seed), ())
    row = replace(row, learnt=learnt_text(learnt))
    if best is None:
        return replace(row, result="nothing")
    row = _with_formula(row, best)
    row = replace(row, seed=best.seed) if row.rounds else row
    if isinstance(best.formula, Bool | Int) and not best.exact:
        return replace(row, result="constant")
    settled = {best.where} if not study.each else {each.where for each in mine if each.exact}
    whole = best.exact and len(settled) >= (len(study.settings) if study.each else 1)
    if whole:
        row = replace(row, note="; ".join(note for note in notes if not ended_by_budget(note)))
    return replace(
        row,
        result="exact" if whole else "partial",
        verdict=verdicts.get((study.study, best.key or ""), "partial"),
    )


def _with_formula(row: LeagueRow, best: CandidateRecord) -> LeagueRow:
    """Return the row with this formula and its numbers; its verdict is ``partial`` until another one is known."""
    return replace(
        row,
        formula=best.formula,
        where=best.where,
        key=best.key,
        complexity=best.complexity,
        equation=best.equation or None,
        verdict="partial",
        train=best.train,
        validate=best.validate,
        test=best.test,
    )


def _rank(candidate: CandidateRecord, least: float) -> tuple[object, ...]:
    """Return a sort key: exact candidates first, then those that are right most often, then the smallest.

    The test positions do not count: the best formula would be chosen by what it is tested on. Candidates whose share of
    the training positions is below ``least`` come after all others.
    """
    right = candidate.train.right + candidate.validate.right
    below = (candidate.train.share or 0.0) < least
    return (not candidate.exact, below, -right, candidate.complexity, str(candidate.formula))
