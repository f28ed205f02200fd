"""The hall of fame (the formulas of every engine) and the league table (each engine's best one).

Both give the share of positions at which a formula is right, for each split: training, validation and test tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from grundylab.catalogue.records import (
    CandidateFormula,
    CandidateRecord,
    Engine,
    EngineProposals,
    Formula,
    Status,
    StudyRecord,
)
from grundylab.catalogue.verdicts import candidate_claim
from grundylab.check.judging import Checks, judge
from grundylab.check.samples import restricted_columns
from grundylab.games import Ruleset, Target
from grundylab.games.specialise import fixed_values
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, conjunction, equalities
from grundylab.solve.table import Table
from grundylab.statement import statement_about

Splits = Mapping[str, Sequence[Table]]  # the tables of "train", "validate" and "test"
LeagueResult = Literal["exact", "partial", "nothing", "not asked", "not available"]


@dataclass(frozen=True, kw_only=True)
class LeagueRow:
    """A row of the league table: an engine's best formula for one target of one study.

    train, validate, test: the share of positions at which the formula is right, from 0 to 1; None if the split has no
    positions. key: the key of the statement. verdict: its status in the catalogue, or None. seeds: the number of seeds
    with which the engine was asked. exact_seeds: the number of seeds that gave a formula without errors in training and
    validation. note: why there is no formula, or the engine's notes on its search.
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
    train: float | None = None
    validate: float | None = None
    test: float | None = None
    verdict: Status | None = None
    seeds: int = 0
    exact_seeds: int = 0
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

    where: the positions that the study is about. each: whether each setting of the parameters was learnt from alone; a
    candidate is then counted at the positions of its own setting only. known: earlier checks, to be used again.
    """
    totals: dict[Expr, dict[str, int]] = {}

    def record(proposed: EngineProposals, candidate: CandidateFormula) -> CandidateRecord:
        setting = fixed_values(candidate.where, ruleset.parameter_names) if each else {}
        about = conjunction(where, equalities(setting.items()))
        if about not in totals:
            totals[about] = {
                name: sum(_count(table, about) for table in tables) for name, tables in splits.items()
            }
        return _record(ruleset, proposed, candidate, splits, totals[about], where, known)

    found = []
    for proposed in proposals:
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
    return found


def _record(
    ruleset: Ruleset,
    proposed: EngineProposals,
    candidate: CandidateFormula,
    splits: Splits,
    totals: Mapping[str, int],
    where: Expr,
    known: Checks | None,
) -> CandidateRecord:
    claim = candidate_claim(candidate, conjunction(where, candidate.where))
    right = {}
    for name, tables in splits.items():
        verdict = judge(claim, tables, known) if tables else None
        right[name] = verdict.checked - verdict.wrong if verdict else 0
    return CandidateRecord(
        target=proposed.target,
        engine=proposed.engine,
        seed=proposed.seed,
        complexity=candidate.size,
        loss=1 - right["train"] / totals["train"] if totals["train"] else 0.0,
        equation=candidate.equation,
        formula=candidate.formula,
        where=claim.where,
        key=statement_about(ruleset, claim).key,
        exact=candidate.exact and all(right[split] == totals[split] for split in ("train", "validate")),
        train_right=right["train"],
        train_total=totals["train"],
        validate_right=right["validate"],
        validate_total=totals["validate"],
        test_right=right["test"],
        test_total=totals["test"],
    )


def _count(table: Table, where: Expr) -> int:
    """Return the number of positions of the table that fulfil the condition."""
    if where == TRUE:
        return table.positions
    functions = table.instance.ruleset.functions
    return sum(len(restricted_columns(slab, table.instance, where, functions)[1]) for slab in table.slabs())


# -- the league table ------------------------------------------------------------------------------------------------


def league_rows(
    studies: Iterable[StudyRecord],
    engines: Sequence[Engine],
    candidates: Sequence[CandidateRecord],
    formulas: Sequence[Formula],
) -> tuple[LeagueRow, ...]:
    """Return a row for each study, each of its targets, and each engine that the study names for the target."""
    verdicts = {(each.study, each.key): each.status for each in reversed(formulas)}
    return tuple(
        _row(study, target, engine, engines, candidates, verdicts)
        for study in studies
        for target, named in study.engines.items()
        for engine in named
    )


def _row(
    study: StudyRecord,
    target: Target,
    engine: str,
    engines: Sequence[Engine],
    candidates: Sequence[CandidateRecord],
    verdicts: Mapping[tuple[str, str], Status],
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
    row = replace(
        row, seeds=len(runs), exact_seeds=len({each.seed for each in mine if each.exact}),
        note="; ".join(dict.fromkeys(note for each in runs for note in each.notes)),
    )  # fmt: skip
    best = min((each for each in mine if each.formula is not None), key=_rank, default=None)
    if best is None:
        return replace(row, result="nothing")
    settled = {best.where} if not study.each else {each.where for each in mine if each.exact}
    whole = best.exact and len(settled) >= (len(study.settings) if study.each else 1)
    return replace(
        row,
        result="exact" if whole else "partial",
        formula=best.formula,
        where=best.where,
        key=best.key,
        complexity=best.complexity,
        equation=best.equation or None,
        verdict=verdicts.get((study.study, best.key or "")),
        train=best.share("train"),
        validate=best.share("validate"),
        test=best.share("test"),
    )


def _rank(candidate: CandidateRecord) -> tuple[object, ...]:
    """Return a sort key: exact candidates first, then those that are right most often, then the smallest."""
    right = candidate.train_right + candidate.validate_right + candidate.test_right
    return (not candidate.exact, -right, candidate.complexity, str(candidate.formula))
