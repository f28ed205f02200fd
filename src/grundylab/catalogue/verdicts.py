"""The verify stage's records: each formula found and each published claim, with its verdict on the test instances."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from grundylab.catalogue.attempts import shared
from grundylab.catalogue.printing import claim_latex
from grundylab.catalogue.records import (
    ClaimRecord,
    Correction,
    Described,
    Formula,
    Judged,
    StatementRecord,
    judged,
    stated,
)
from grundylab.catalogue.relations import agreeing, at_tables
from grundylab.check.families import Extent, judge_family
from grundylab.check.judging import Checks, judge, tables_for
from grundylab.check.mending import Mended, mended, mended_family
from grundylab.check.verification import Counterexample, Exceptional, Verdict
from grundylab.discover.conditions import overridden, propose_condition
from grundylab.games import Claim, Instance, Ruleset, parent_of
from grundylab.games.model import PrintedTable
from grundylab.games.settings import settings
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, conjunction
from grundylab.progress import Begin, silent
from grundylab.solve.table import Table
from grundylab.statement import statement_about

Times = dict[str, float]


def judge_candidates(
    ruleset: Ruleset,
    candidates: Iterable[Described],
    tables: Sequence[Table],
    where: Expr = TRUE,
    known: Checks | None = None,
) -> list[Formula]:
    """Return a record for each formula, once: verified if it is exact on the training data, else ``partial``.

    A refuted one that is wrong at few small positions only is followed by itself with these exceptions. The tables are
    the test instances. where: the positions that the candidates are about. known: as of ``judge``.
    """
    records: list[Formula] = []
    parent, finders = parent_of(ruleset), dict[object, dict[str, None]]()
    every = list(candidates)
    for candidate in every:
        finders.setdefault(_stated(candidate), {})[candidate.engine] = None
    for candidate in every:
        if (by := finders.pop(_stated(candidate), None)) is None:  # another engine's, too
            continue
        found = _records(ruleset, parent, candidate, tables, where, records, known)
        records += [replace(record, engines=tuple(by)) for record in found]
    return records


def _records(
    ruleset: Ruleset,
    parent: Ruleset | None,
    candidate: Described,
    tables: Sequence[Table],
    where: Expr,
    before: Sequence[Formula],
    known: Checks | None,
) -> Iterator[Formula]:
    """Yield the candidate's record, and that of itself with exceptions if it is wrong at few positions only."""
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
        mended_claim = replace(claim, formula=overridden(claim.formula, exceptions))
        verdict = judge(mended_claim, tables)
        better = replace(candidate, size=verdict.formula.size, exceptions=exceptions)
        record = _judged(ruleset, parent, better, mended_claim, verdict, tables)
        yield replace(record, repaired=True)


def _stated(candidate: Described) -> object:
    return (candidate.target, candidate.formula, candidate.where, tuple(candidate.values.items()))


def candidate_claim(candidate: Described, where: Expr) -> Claim:
    """The candidate as a claim about the positions that fulfil ``where``."""
    values = tuple(candidate.values.items())
    return Claim("candidate", candidate.target, candidate.formula, where, values=values)


def _partial(ruleset: Ruleset, candidate: Described, claim: Claim, example: Counterexample | None) -> Formula:
    """Return the record of a formula that is wrong at some training positions, with a test position where it is."""
    return Formula(
        **{**shared(Formula, candidate), "where": claim.where},
        ruleset=ruleset.name,
        title=ruleset.title,
        checked=candidate.total,
        instances=(),
        counterexample=example,
        key=statement_about(ruleset, claim).key,
    )


def _judged(
    ruleset: Ruleset,
    parent: Ruleset | None,
    candidate: Described,
    claim: Claim,
    verdict: Verdict,
    tables: Sequence[Table],
) -> Formula:
    """A candidate's record with its verdict, and what that tells: a condition, or how it compares with the claims."""
    formula, target, where = verdict.formula, verdict.target, verdict.where
    condition = propose_condition(verdict) if verdict.status == "refuted" else None
    known = {**shared(Formula, candidate), **shared(Formula, judged(verdict, condition))}
    known["key"] = statement_about(ruleset, claim).key
    record = Formula(
        **known,
        ruleset=ruleset.name,
        title=ruleset.title,
        stated=claim_latex(Claim("", target, formula, where), ruleset),
    )
    if verdict.status != "holds" or candidate.values:
        return record
    comparison = at_tables(ruleset, parent, formula, target, where, tables)
    return replace(record, comparison=comparison, claims=agreeing(comparison))


def judge_claims(
    ruleset: Ruleset,
    tables: Sequence[Table],
    seconds: Times | None = None,
    known: Checks | None = None,
    begin: Begin = silent,
) -> list[ClaimRecord]:
    """Return a record for each published claim, verified on the test instances.

    seconds: takes how long each took. known: as of ``judge``. begin: is called with each claim's name.
    """
    records = []
    for claim in ruleset.claims:
        begin(claim.id)
        started = time.perf_counter()
        its_tables = tables_for(claim, tables)
        verdict = judge(claim, its_tables, known)
        better = mended(claim, its_tables, verdict) if verdict.status == "refuted" else None
        records.append(claim_record(ruleset, claim, verdict, better))
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    return records


def judge_family_claims(
    ruleset: Ruleset, instances: Sequence[Instance], extents: Mapping[str, Extent], seconds: Times
) -> list[ClaimRecord]:
    """The same for a family of games: each claim in every one of them."""
    started = time.perf_counter()
    verdicts, games = judge_family(ruleset.claims, instances, extents)
    each = (time.perf_counter() - started) / max(1, len(ruleset.claims))
    seconds.update({claim.id: each for claim in ruleset.claims})
    better = {
        claim.id: mended_family(claim, instances, extents)
        for claim, verdict in zip(ruleset.claims, verdicts, strict=True)
        if verdict.status == "refuted"
    }
    every = "; ".join(f"{name}: {extent}" for name, extent in extents.items())
    return [
        replace(claim_record(ruleset, claim, verdict, better.get(claim.id)), games=games, every=every)
        for claim, verdict in zip(ruleset.claims, verdicts, strict=True)
    ]


def claim_record(
    ruleset: Ruleset, claim: Claim, verdict: Verdict, better: Mended | None = None
) -> ClaimRecord:
    """The claim with its verdict and, if it is refuted, what is true instead.

    A table of which every entry was computed, for all parameters that it is about, is not only verified but proved.
    """
    known = {**shared(ClaimRecord, claim), **shared(Judged, judged(verdict)), **stated(claim, ruleset)}
    return ClaimRecord(
        **{
            **known,
            "complete": _complete(ruleset, claim, verdict),
            "key": statement_about(ruleset, claim).key,
        },
        ruleset=ruleset.name,
        title=ruleset.title,
        claim=claim.id,
        correction=_correction(ruleset, better) if better else None,
    )


def _complete(ruleset: Ruleset, claim: Claim, verdict: Verdict) -> bool:
    """Whether the claim is a table of which every entry was computed, and is right, in every game that it is about.

    One game is enough where there are no parameters, or the claim fixes them; a table of which other values of the
    parameters are open only holds.
    """
    if not isinstance(claim.printed, PrintedTable) or verdict.status != "holds":
        return False
    if any(check.game.ruleset.free for check in verdict.checks):
        return False
    asked, entries = settings(ruleset, claim.where), len(claim.printed.entries)
    computed = {check.game.parameters for check in verdict.checks if check.checked == entries}
    return asked is not None and bool(asked) and asked <= computed


def _correction(ruleset: Ruleset, better: Mended) -> Correction:
    """What is true instead of a claim, and what was changed in it."""
    claim, verdict = better.claim, better.verdict
    known = shared(Judged, judged(verdict)) | shared(StatementRecord, claim)
    del known["key"]
    return Correction(
        **{**known, **stated(claim, ruleset), "complete": _complete(ruleset, claim, verdict)},
        key=statement_about(ruleset, claim).key,
        changes=tuple(better.changes),
        provable=not claim.values and not claim.tables,
    )
