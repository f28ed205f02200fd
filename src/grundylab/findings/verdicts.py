"""The step ``verify``: findings with their comparison with the test tables, which no engine has seen."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from grundylab.check.families import FunctionExtent, judge_family
from grundylab.check.judging import Checks, claim_tables, judge
from grundylab.check.mending import MendedClaim, nearest_true_claim, nearest_true_family_claim
from grundylab.check.samples import restricted_columns
from grundylab.check.shares import SplitCounts, all_checked
from grundylab.check.verification import Exceptional, Verdict
from grundylab.discover.base import best_constant
from grundylab.discover.repairs import propose_condition, with_exceptions
from grundylab.findings.claim_comparisons import comparison_at_tables
from grundylab.findings.claim_layout import claim_latex, claim_text
from grundylab.games import Claim, Instance, Ruleset, Target
from grundylab.games.model import PrintedTable
from grundylab.games.settings import possible_settings
from grundylab.games.specialise import fixed_values
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, Kind, conjunction, equalities
from grundylab.numeric import Array
from grundylab.progress import BeginPart, silent
from grundylab.records.finding import CONSTANT, EngineOrigin, Finding, Source, SplitName
from grundylab.records.relation import relation_of
from grundylab.solve.table import Table, target_values
from grundylab.statement import statement_about

CORRECTED = "-corrected"  # is added to a claim's id to name its correction
ClaimSeconds = dict[
    str, float
]  # seconds by claim id; kept apart from the findings, which are the same in every run
Splits = Mapping[SplitName, Sequence[Table]]  # the tables of each split


# -- formulas of engines ----------------------------------------------------------------------------------------------


def verified_formulas(
    ruleset: Ruleset,
    findings: Iterable[Finding],
    splits: Splits,
    where: Expr = TRUE,
    *,
    each: bool = False,
    checks: Checks | None = None,
    targets: Iterable[Target] = (),
) -> list[Finding]:
    """Return the findings with their numbers for the tables of these splits.

    A formula that is wrong only at a few small test positions is followed by a copy with these exceptions. where: the
    positions that the study is about. each: whether each setting of the parameters was learnt from alone; a formula is
    then counted at the positions of its own setting only. checks: earlier checks, used again. targets: those whose best
    constant in the training tables is added. For a split that is not among ``splits`` a finding keeps the numbers
    of its engine.
    """
    verified = list[Finding]()
    totals = dict[object, Mapping[SplitName, tuple[int, int]]]()
    first = dict[object, Finding]()
    train = splits.get("train", ())
    constants = [_constant(target, train, where) for target in dict.fromkeys(targets) if train]
    for finding in (*findings, *constants):
        setting = fixed_values(finding.where, ruleset.parameter_names) if each else {}
        about, target = conjunction(where, equalities(setting.items())), finding.target
        if (about, target) not in totals:
            totals[about, target] = {name: _totals(tables, about, target) for name, tables in splits.items()}
        sizes, stated = totals[about, target], replace(finding, where=conjunction(where, finding.where))
        verdicts = {name: judge(stated.claim, tables, checks) for name, tables in splits.items()}
        counts = {name: _counts(verdict, *sizes[name]) for name, verdict in verdicts.items()}
        counted = replace(stated, tables={**finding.tables, **counts})
        same = counted.statement, counted.exact
        if same in first:  # what does not depend on the engine is computed once
            verified.append(replace(first[same], origin=finding.origin, tables=counted.tables))
            continue
        judged = _judged(ruleset, counted, verdicts["test"], splits["test"])
        first[same] = judged
        verified.append(judged)
        if judged.test.exceptions and judged.exact and not judged.is_reference:
            verified.append(_repaired(ruleset, judged, splits["test"], sizes["test"]))
    return verified


def _repaired(ruleset: Ruleset, finding: Finding, tables: Sequence[Table], sizes: tuple[int, int]) -> Finding:
    """Return the finding with the true values at its exceptions, and its verdict. sizes: as ``_counts`` takes them."""
    wrong = tuple(Exceptional(e.position, e.truth) for e in finding.test.exceptions)
    origin = replace(finding.origin, exceptions=wrong, derived=True)
    mended = replace(finding, formula=with_exceptions(finding.formula, wrong), origin=origin, condition=None)
    verdict = judge(mended.claim, tables)
    return _judged(ruleset, mended.compared("test", _counts(verdict, *sizes)), verdict, tables)


def _judged(ruleset: Ruleset, finding: Finding, verdict: Verdict, tables: Sequence[Table]) -> Finding:
    """Return the finding with its verdict.

    A refuted formula gets the condition under which it seems to hold. One that holds is compared with the claims.
    """
    judged = replace(
        finding,
        ruleset=ruleset.name,
        title=ruleset.title,
        key=statement_about(ruleset, finding.claim).key,
        stated=claim_latex(replace(finding.claim, id="", values=()), ruleset),
        reason=verdict.reason,
    )
    if judged.partial or judged.is_reference:
        return replace(judged, reason=None)
    if verdict.status == "refuted":
        return replace(judged, condition=propose_condition(verdict))
    if verdict.status != "holds":
        return judged
    comparison = None if finding.values else comparison_at_tables(ruleset, finding, tables)
    return replace(judged, comparison=comparison, relation=relation_of("holds", comparison))


def _counts(verdict: Verdict, total: int | None = None, true: int | None = None) -> SplitCounts:
    """Return the verdict's numbers of positions.

    total, true: how many positions the question asks about, and at how many of these the target is not 0; by default,
    it asks about those that were checked.
    """
    truth = verdict.target.kind is Kind.CONDITION and true is not None
    instances: dict[str, int] = {}
    for check in verdict.checks:
        if check.checked:
            label = check.instance.label
            instances[label] = instances.get(label, 0) + check.checked
    return SplitCounts(
        right=verdict.checked - verdict.wrong,
        checked=verdict.checked,
        total=verdict.checked if total is None else total,
        true_right=sum(check.true - check.true_wrong for check in verdict.checks) if truth else None,
        true_total=true if truth else None,
        instances=instances,
        counterexample=verdict.counterexample,
        exceptions=verdict.exceptions,
    )


def finding_of_verdict(verdict: Verdict) -> Finding:
    """Return the statement of a verdict, with its numbers."""
    return Finding(
        formula=verdict.formula,
        target=verdict.target,
        where=verdict.where,
        tables={"test": _counts(verdict)},
        reason=verdict.reason,
    )


def _constant(target: Target, tables: Sequence[Table], where: Expr) -> Finding:
    """Return the constant that is right at most positions of the tables that fulfil the condition."""
    values = np.concatenate(list(_values(tables, target, where)))
    formula, correct = best_constant(values)
    counts = all_checked(correct, len(values))
    return Finding(
        formula=formula, target=target, origin=EngineOrigin(engine=CONSTANT), tables={"train": counts}
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


# -- claims -----------------------------------------------------------------------------------------------------------


def verified_claims(
    ruleset: Ruleset,
    tables: Sequence[Table],
    seconds: ClaimSeconds | None = None,
    checks: Checks | None = None,
    begin: BeginPart = silent,
) -> list[Finding]:
    """Return a finding for each published claim, verified at the test instances.

    seconds: a dictionary that receives the time of each claim. checks: earlier checks, to be used again. begin: is
    called with each claim's id.
    """
    verified = []
    for claim in ruleset.claims:
        begin(claim.id)
        started = time.perf_counter()
        its_tables = claim_tables(claim, tables)
        verdict = judge(claim, its_tables, checks)
        better = nearest_true_claim(claim, its_tables, verdict) if verdict.status == "refuted" else None
        verified.append(verified_claim(ruleset, claim, verdict, better))
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    return verified


def verified_family_claims(
    ruleset: Ruleset,
    instances: Sequence[Instance],
    extents: Mapping[str, FunctionExtent],
    seconds: ClaimSeconds,
) -> list[Finding]:
    """Return a finding for each claim about a family of games, verified for all functions within the extents."""
    started = time.perf_counter()
    verdicts, games = judge_family(ruleset.claims, instances, extents)
    seconds_each = (time.perf_counter() - started) / max(1, len(ruleset.claims))
    seconds.update({claim.id: seconds_each for claim in ruleset.claims})
    every = "; ".join(f"{name}: {extent}" for name, extent in extents.items())
    verified = []
    for claim, verdict in zip(ruleset.claims, verdicts, strict=True):
        better = nearest_true_family_claim(claim, instances, extents) if verdict.status == "refuted" else None
        finding = verified_claim(ruleset, claim, verdict, better)
        verified.append(replace(finding, source=replace(finding.source, games=games, every=every)))
    return verified


def verified_claim(
    ruleset: Ruleset, claim: Claim, verdict: Verdict, better: MendedClaim | None = None
) -> Finding:
    """Return the claim as a finding with its verdict and, if there is one, the correction ``better``.

    A printed table that holds counts as proved if every entry was computed for all parameter values that it is about.
    """
    correction = None
    if better is not None:
        mended = verified_claim(ruleset, better.claim, better.verdict)
        source = Source(
            claim=f"{claim.id}{CORRECTED}",
            text=mended.source.text,
            changes=tuple(better.changes),
            provable=not better.claim.values and not better.claim.tables,
        )
        correction = replace(mended, source=source)
    return Finding(
        formula=verdict.formula,
        target=verdict.target,
        where=verdict.where,
        values=dict(claim.values),
        key=statement_about(ruleset, claim).key,
        stated=claim_latex(claim, ruleset),
        ruleset=ruleset.name,
        title=ruleset.title,
        source=Source(
            claim=claim.id,
            at=claim.at,
            paper=claim.paper,
            kind=claim.kind,
            note=claim.note,
            unpublished=claim.unpublished,
            text=claim_text(claim),
        ),
        tables={"test": _counts(verdict)},
        reason=verdict.reason,
        complete=_is_complete(ruleset, claim, verdict),
        correction=correction,
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
