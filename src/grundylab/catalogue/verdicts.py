"""The verify stage's records: each formula found and each published claim, with its verdict on the test instances."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grundylab.catalogue.printing import claim_latex, claim_text
from grundylab.catalogue.records import counterexample_record, verdict_record
from grundylab.catalogue.relations import agreeing, at_tables
from grundylab.check.exceptions import Exceptional, exceptions_record
from grundylab.check.families import Extent, judge_family
from grundylab.check.judging import judge, tables_for
from grundylab.check.mending import Mended, mended, mended_family
from grundylab.check.verification import Verdict
from grundylab.discover.conditions import propose_condition
from grundylab.discover.exceptions import overridden
from grundylab.games import Claim, Instance, Ruleset, parent_of, parse_target
from grundylab.games.model import PrintedTable
from grundylab.games.settings import settings
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.syntax import TRUE, conjunction
from grundylab.solve.table import Table

Record = dict[str, Any]
Times = dict[str, float]


def judge_candidates(
    ruleset: Ruleset, candidates: Iterable[Mapping[str, Any]], tables: Sequence[Table], where: Expr = TRUE
) -> list[Record]:
    """A record for each candidate: verified if it is exact on the training data, else ``partial``.

    A refuted one that is wrong at few small positions only is followed by itself with these exceptions. candidates:
    records as the discover stage writes them. The tables are the test instances. where: the positions that the
    candidates are about.
    """
    records: list[Record] = []
    parent = parent_of(ruleset)
    for candidate in candidates:
        common = {"ruleset": ruleset.name, "title": ruleset.title, "repaired": False, **candidate}
        common |= {"comparison": None, "claims": []}
        about = conjunction(where, parse_condition(candidate.get("where", "True")))
        if not candidate["exact"]:
            first = all((r["target"], r["engine"]) != _of(candidate) for r in records if not r["exact"])
            records.append({**common, **_partial(candidate, about, tables if first else [])})
            continue
        claim = candidate_claim(candidate, about)
        verdict = judge(claim, tables)
        records.append(_judged(common, ruleset, parent, verdict, tables))
        if verdict.exceptions:
            found = [Exceptional(tuple(e.position.items()), e.truth) for e in verdict.exceptions]
            verdict = judge(replace(claim, formula=overridden(claim.formula, found)), tables)
            repaired = {
                "repaired": True,
                "size": verdict.formula.size,
                "exceptions": exceptions_record(found),
            }
            records.append(_judged({**common, **repaired}, ruleset, parent, verdict, tables))
    return records


def candidate_claim(candidate: Mapping[str, Any], where: Expr) -> Claim:
    """The candidate as a claim about the positions that fulfil ``where``."""
    target, formula = parse_target(candidate["target"]), parse(candidate["formula"])
    return Claim("candidate", target, formula, where, values=tuple(candidate.get("values", {}).items()))


def _of(candidate: Mapping[str, Any]) -> tuple[str, str]:
    return candidate["target"], candidate["engine"]


def _partial(candidate: Mapping[str, Any], where: Expr, tables: Sequence[Table]) -> Record:
    """What is said of a formula that is wrong at some training positions; of the tables only where it is wrong."""
    verdict = judge(candidate_claim(candidate, where), tables)
    example = counterexample_record(verdict.counterexample) if verdict.counterexample else None
    return {
        "status": "partial",
        "checked": candidate["total"],
        "where": str(where),
        "instances": [],
        "counterexample": example,
        "condition": None,
        "reason": None,
        "only_wrong_at": [],
        "stated": None,
    }


def _judged(
    common: Record, ruleset: Ruleset, parent: Ruleset | None, verdict: Verdict, tables: Sequence[Table]
) -> Record:
    """A candidate's record with its verdict, and what that tells: a condition, or how it compares with the claims."""
    condition = propose_condition(verdict) if verdict.status == "refuted" else None
    stated = claim_latex(Claim("", verdict.target, verdict.formula, verdict.where), ruleset)
    record = {**common, **verdict_record(verdict, condition), "stated": stated}
    if verdict.status == "holds" and not record.get("values"):
        formula, target, where = verdict.formula, verdict.target, verdict.where
        record["comparison"] = at_tables(ruleset, parent, formula, target, where, tables)
        record["claims"] = agreeing(record["comparison"])
    return record


def judge_claims(ruleset: Ruleset, tables: Sequence[Table], seconds: Times | None = None) -> list[Record]:
    """A record for each published claim, verified on the test instances. seconds: takes how long each took."""
    records = []
    for claim in ruleset.claims:
        started = time.perf_counter()
        its_tables = tables_for(claim, tables)
        verdict = judge(claim, its_tables)
        better = mended(claim, its_tables, verdict) if verdict.status == "refuted" else None
        records.append(claim_record(ruleset, claim, verdict, better))
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    return records


def judge_family_claims(
    ruleset: Ruleset, instances: Sequence[Instance], extents: Mapping[str, Extent], seconds: Times
) -> list[Record]:
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
        {**claim_record(ruleset, claim, verdict, better.get(claim.id)), "games": games, "every": every}
        for claim, verdict in zip(ruleset.claims, verdicts, strict=True)
    ]


def claim_record(ruleset: Ruleset, claim: Claim, verdict: Verdict, better: Mended | None = None) -> Record:
    """The claim with its verdict and, if it is refuted, what is true instead.

    A table of which every entry was computed, for all parameters that it is about, is not only verified but proved.
    """
    record = {
        "ruleset": ruleset.name,
        "title": ruleset.title,
        "claim": claim.id,
        "at": claim.at,
        "paper": claim.paper,
        "kind": claim.kind,
        "note": claim.note,
        "unpublished": claim.unpublished,
        **verdict_record(verdict),
        "statement": claim_text(claim),
        "latex": claim_latex(claim, ruleset),
        "wrong": verdict.wrong,
        "games": None,
        "every": None,
        "correction": _correction(ruleset, better) if better else None,
    }
    record["complete"] = _complete(ruleset, claim, verdict)
    if record["complete"]:
        record["status"] = "proved"
    return record


def _complete(ruleset: Ruleset, claim: Claim, verdict: Verdict) -> bool:
    """Whether the claim is a table of which every entry was computed, and is right, in every game that it is about.

    One game is enough where there are no parameters, or the claim fixes them; a table of which other values of the
    parameters are open only holds.
    """
    if not isinstance(claim.printed, PrintedTable) or verdict.status != "holds":
        return False
    if any(check.instance.ruleset.free for check in verdict.checks):
        return False
    asked, entries = settings(ruleset, claim.where), len(claim.printed.entries)
    computed = {check.instance.parameters for check in verdict.checks if check.checked == entries}
    return asked is not None and bool(asked) and asked <= computed


def _correction(ruleset: Ruleset, better: Mended) -> Record:
    """What is true instead of a claim, and what was changed in it."""
    claim, verdict = better.claim, better.verdict
    complete = _complete(ruleset, claim, verdict)
    return {
        "formula": str(claim.formula),
        "target": str(claim.target),
        "where": str(claim.where),
        "statement": claim_text(claim),
        "latex": claim_latex(claim, ruleset),
        "changes": list(better.changes),
        "status": "proved" if complete else verdict.status,
        "complete": complete,
        "provable": not claim.values and not claim.tables,
    }
