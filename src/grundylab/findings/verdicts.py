"""Records of the verify stage: the verdict on each formula found and each published claim, at the test instances."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from grundylab.check.families import FunctionExtent, judge_family
from grundylab.check.judging import Checks, claim_tables, judge
from grundylab.check.mending import MendedClaim, nearest_true_claim, nearest_true_family_claim
from grundylab.check.verification import Counterexample, Exceptional, Verdict
from grundylab.discover.repairs import propose_condition, with_exceptions
from grundylab.findings.attempts import shared_fields
from grundylab.findings.claim_layout import claim_latex
from grundylab.findings.claim_relations import agreeing_claims, comparison_at_tables
from grundylab.findings.records import (
    CandidateFormula,
    ClaimRecord,
    Correction,
    Formula,
    JudgedStatement,
    StatementRecord,
    claim_texts,
    judged_statement,
)
from grundylab.games import Claim, Instance, Ruleset, parent_of
from grundylab.games.model import PrintedTable
from grundylab.games.settings import possible_settings
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, conjunction
from grundylab.progress import BeginPart, silent
from grundylab.solve.table import Table
from grundylab.statement import statement_about

ClaimSeconds = dict[
    str, float
]  # seconds by claim id; kept apart from the records, which are the same in every run


def judge_candidates(
    ruleset: Ruleset,
    candidates: Iterable[CandidateFormula],
    tables: Sequence[Table],
    where: Expr = TRUE,
    known: Checks | None = None,
    validation: Sequence[Table] = (),
) -> list[Formula]:
    """Return a record for each distinct candidate formula, without the constants that are only references.

    A candidate that is right at all training and validation positions is verified on the tables; any other is
    ``partial``. For a formula that is wrong only at a few small positions, a second formula with these exceptions
    follows it. tables: the test instances' tables. where: the positions that the candidates are about. known: earlier
    checks, to be used again. validation: the validation tables; without them, a candidate keeps the numbers of the
    larger tables on which its engine tried it.
    """
    records: list[Formula] = []
    parent, finders = parent_of(ruleset), dict[object, dict[str, None]]()
    counted = [_validated(each, where, validation, known) if validation else each for each in candidates]
    every = [candidate for candidate in counted if not candidate.is_reference]
    for candidate in every:
        finders.setdefault(_identity(candidate), {})[candidate.engine] = None
    for candidate in every:
        if (by := finders.pop(_identity(candidate), None)) is None:  # the same formula is recorded already
            continue
        found = _records(ruleset, parent, candidate, tables, where, records, known)
        records += [replace(record, engines=tuple(by)) for record in found]
    return records


def _validated(
    candidate: CandidateFormula, where: Expr, tables: Sequence[Table], known: Checks | None
) -> CandidateFormula:
    """Return the candidate with its numbers for these validation tables."""
    verdict = judge(candidate_claim(candidate, conjunction(where, candidate.where)), tables, known)
    return replace(
        candidate,
        validation=tuple(check.instance.label for check in verdict.checks if check.checked),
        validation_correct=verdict.checked - verdict.wrong,
        validation_total=verdict.checked,
    )


def _records(
    ruleset: Ruleset,
    parent: Ruleset | None,
    candidate: CandidateFormula,
    tables: Sequence[Table],
    where: Expr,
    before: Sequence[Formula],
    known: Checks | None,
) -> Iterator[Formula]:
    """Yield the candidate's record and, if it is wrong only at a few positions, that of a copy with exceptions."""
    claim = candidate_claim(candidate, conjunction(where, candidate.where))
    if not candidate.exact:
        who = (candidate.target, candidate.engine)
        first = all((record.target, record.engine) != who for record in before if not record.exact)
        example = judge(claim, tables, known).counterexample if first else None
        yield _partial(ruleset, candidate, claim, example)
        return
    verdict = judge(claim, tables, known)
    yield _judged(ruleset, parent, candidate, claim, verdict, tables)
    if verdict.exceptions:
        exceptions = tuple(Exceptional(e.position, e.truth) for e in verdict.exceptions)
        mended_claim = replace(claim, formula=with_exceptions(claim.formula, exceptions))
        verdict = judge(mended_claim, tables)
        better = replace(candidate, size=verdict.formula.size, exceptions=exceptions)
        record = _judged(ruleset, parent, better, mended_claim, verdict, tables)
        yield replace(record, repaired=True)


def _identity(candidate: CandidateFormula) -> object:
    return (candidate.target, candidate.formula, candidate.where, tuple(candidate.values.items()))


def candidate_claim(candidate: CandidateFormula, where: Expr) -> Claim:
    """Return the claim that the candidate's formula is right at the positions that fulfil ``where``."""
    values = tuple(candidate.values.items())
    return Claim("candidate", candidate.target, candidate.formula, where, values=values)


def _partial(
    ruleset: Ruleset, candidate: CandidateFormula, claim: Claim, example: Counterexample | None
) -> Formula:
    """Return the record of a partial formula. example: a test position where it is wrong, or None."""
    return Formula(
        **{**shared_fields(Formula, candidate), "where": claim.where},
        ruleset=ruleset.name,
        title=ruleset.title,
        checked=0,
        instances=(),
        counterexample=example,
        key=statement_about(ruleset, claim).key,
    )


def _judged(
    ruleset: Ruleset,
    parent: Ruleset | None,
    candidate: CandidateFormula,
    claim: Claim,
    verdict: Verdict,
    tables: Sequence[Table],
) -> Formula:
    """Return a candidate's record with its verdict.

    The record of a refuted candidate has the condition under which it seems to hold. The record of a candidate that
    holds has a comparison with the claims.
    """
    formula, target, where = verdict.formula, verdict.target, verdict.where
    condition = propose_condition(verdict) if verdict.status == "refuted" else None
    contents = {
        **shared_fields(Formula, candidate),
        **shared_fields(Formula, judged_statement(verdict, condition)),
    }
    contents["key"] = statement_about(ruleset, claim).key
    record = Formula(
        **contents,
        ruleset=ruleset.name,
        title=ruleset.title,
        stated=claim_latex(Claim("", target, formula, where), ruleset),
    )
    if verdict.status != "holds" or candidate.values:
        return record
    comparison = comparison_at_tables(ruleset, parent, formula, target, where, tables)
    return replace(record, comparison=comparison, claims=agreeing_claims(comparison))


def judge_claims(
    ruleset: Ruleset,
    tables: Sequence[Table],
    seconds: ClaimSeconds | None = None,
    known: Checks | None = None,
    begin: BeginPart = silent,
) -> list[ClaimRecord]:
    """Return a record for each published claim, verified at the test instances.

    seconds: a dictionary that receives the time of each claim. known: earlier checks, to be used again. begin: is
    called with each claim's id.
    """
    records = []
    for claim in ruleset.claims:
        begin(claim.id)
        started = time.perf_counter()
        its_tables = claim_tables(claim, tables)
        verdict = judge(claim, its_tables, known)
        better = nearest_true_claim(claim, its_tables, verdict) if verdict.status == "refuted" else None
        records.append(claim_record(ruleset, claim, verdict, better))
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    return records


def judge_family_claims(
    ruleset: Ruleset,
    instances: Sequence[Instance],
    extents: Mapping[str, FunctionExtent],
    seconds: ClaimSeconds,
) -> list[ClaimRecord]:
    """Return a record for each claim about a family of games, verified for all functions within the extents."""
    started = time.perf_counter()
    verdicts, games = judge_family(ruleset.claims, instances, extents)
    each = (time.perf_counter() - started) / max(1, len(ruleset.claims))
    seconds.update({claim.id: each for claim in ruleset.claims})
    better = {
        claim.id: nearest_true_family_claim(claim, instances, extents)
        for claim, verdict in zip(ruleset.claims, verdicts, strict=True)
        if verdict.status == "refuted"
    }
    every = "; ".join(f"{name}: {extent}" for name, extent in extents.items())
    return [
        replace(claim_record(ruleset, claim, verdict, better.get(claim.id)), games=games, every=every)
        for claim, verdict in zip(ruleset.claims, verdicts, strict=True)
    ]


def claim_record(
    ruleset: Ruleset, claim: Claim, verdict: Verdict, better: MendedClaim | None = None
) -> ClaimRecord:
    """Return the claim's record with its verdict and, if there is one, the correction ``better``.

    A printed table that holds counts as proved if every entry was computed for all parameter values that it is about.
    """
    contents = {
        **shared_fields(ClaimRecord, claim),
        **shared_fields(JudgedStatement, judged_statement(verdict)),
        **claim_texts(claim, ruleset),
    }
    return ClaimRecord(
        **{
            **contents,
            "complete": _is_complete(ruleset, claim, verdict),
            "key": statement_about(ruleset, claim).key,
        },
        ruleset=ruleset.name,
        title=ruleset.title,
        claim=claim.id,
        correction=_correction(ruleset, better) if better else None,
    )


def _is_complete(ruleset: Ruleset, claim: Claim, verdict: Verdict) -> bool:
    """Tell whether the claim is a printed table of which every entry was computed and is right.

    If the table is about several parameter values, this must be so for each of them. The answer is False if these
    values are infinitely many, and for a family of games.
    """
    if not isinstance(claim.printed, PrintedTable) or verdict.status != "holds":
        return False
    if any(check.game.ruleset.free for check in verdict.checks):
        return False
    all_settings, entries = possible_settings(ruleset, claim.where), len(claim.printed.entries)
    computed = {check.game.parameters for check in verdict.checks if check.checked == entries}
    return all_settings is not None and bool(all_settings) and all_settings <= computed


def _correction(ruleset: Ruleset, better: MendedClaim) -> Correction:
    """Return the record of a corrected claim."""
    claim, verdict = better.claim, better.verdict
    contents = shared_fields(JudgedStatement, judged_statement(verdict)) | shared_fields(
        StatementRecord, claim
    )
    del contents["key"]
    return Correction(
        **{**contents, **claim_texts(claim, ruleset), "complete": _is_complete(ruleset, claim, verdict)},
        key=statement_about(ruleset, claim).key,
        changes=tuple(better.changes),
        provable=not claim.values and not claim.tables,
    )
