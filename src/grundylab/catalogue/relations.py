"""What a formula is to the published claims, as records: at the tables, by proof, and the last word on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from grundylab.catalogue.attempts import Attempt, beyond, region_of, united
from grundylab.catalogue.records import Compared, Formula, Related, Relation
from grundylab.errors import GrundylabError
from grundylab.games import Ruleset, Target
from grundylab.games.instance import Instance, few
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, conjunction, disjunction, equalities
from grundylab.prove.comparing import (
    Ask,
    Beside,
    Comparison,
    Said,
    asking,
    at_positions_of,
    claims_on,
    compared,
    spoken_of,
    terminal,
)
from grundylab.prove.kernel.automata import true_everywhere
from grundylab.prove.outcome import Limits
from grundylab.solve.table import Table

COMPARING = 5.0  # seconds at most for MONA on one question about two formulas
RELATIONS = ("rediscovers", "corrects", "extends", "uncompared", "new")
VERBS = {
    "rediscovers": "says the same as",
    "corrects": "corrects",
    "extends": "says more than",
    "uncompared": "could not be compared with",
    "differs": "differs from",
}  # what a formula is to a claim


def at_tables(
    ruleset: Ruleset, parent: Ruleset | None, formula: Expr, target: Target, where: Expr, tables: Sequence[Table]
) -> Comparison:  # fmt: skip
    """The formula beside the claims at the tables' positions; ``bound`` names the instances.

    ``plain``: the positions of which no claim speaks, if no move is possible at any.
    """
    ask, claims = asking(at_positions_of(tables), "tables"), claims_on(ruleset, parent, target)
    found = compared(ruleset, formula, where, claims, ask)
    plain: Expr = FALSE
    if found.covered is False:
        same = {row.claim for row in found.rows if row.same}
        spoken, _ = spoken_of(ruleset, formula, where, (c for c in claims if c.claim in same), ask)
        plain = terminal(spoken, where, tables)
        if plain != FALSE:
            found = compared(ruleset, formula, where, claims, ask, plain=plain)
    return replace(found, bound=tuple(table.instance.label for table in tables), plain=plain)


def agreeing(comparison: Comparison) -> tuple[str, ...]:
    """The claims about this game that say the same as the formula, of nothing that it does not speak of."""
    return tuple(row.claim for row in comparison.rows if row.own and row.same and row.within)


def by_proof(
    ruleset: Ruleset,
    parent: Ruleset | None,
    formulas: Iterable[Formula],
    proofs: Sequence[Attempt],
    tested: Sequence[Instance],
    limits: Limits,
) -> list[Compared]:
    """The comparisons of what holds, by automata and by what is proved.

    tested: the study's test instances, whose parameters a formula is about that is not proved. Each formula is there
    once. A comparison is by proof for the parameters and positions in its ``where`` only: where the formula is proved,
    or was tested.
    """

    found: dict[tuple[Expr, Target, Expr], Compared] = {}
    for record in formulas:
        formula, target, where = key = (record.formula, record.target, record.where)
        if record.comparison is None or key in found:
            continue
        try:
            ruleset.check_formula(formula, target)
        except GrundylabError:
            continue
        mine = [p for p in proofs if (p.formula, p.target, p.about) == key]
        regions = [region for proof in mine if (region := region_of(proof)) is not None]
        about = united(regions) if regions else where_tested(ruleset, where, tested)
        further = united(beyond(where, region) for region in regions) if regions else beyond(where, about)
        same = _both_proved(proofs, target) if regions else {}
        claims, ask = claims_on(ruleset, parent, target), _by_prover(ruleset, limits)
        both = compared(ruleset, formula, about, claims, ask, same, record.comparison.plain)
        found[key] = Compared(
            formula=formula, target=target, where=where, comparison=replace(both, where=further)
        )
    return list(found.values())


def beside_proved(ruleset: Ruleset, where: Expr, claims: Sequence[Said], limits: Limits) -> Comparison:
    """The comparison of a formula that is proved where this is true with claims that follow from its proof."""
    ask = _by_prover(ruleset, limits)
    rows = (
        Beside(said.claim, said.own, said.fact, True, True, ask(where, said.where).truth, "proof")
        for said in claims
    )
    covered = ask(disjunction(*dict.fromkeys(said.where for said in claims)), where)
    return Comparison(tuple(rows), covered.truth, "proof")


def _by_prover(ruleset: Ruleset, limits: Limits) -> Ask:
    return asking(lambda condition, where: true_everywhere(ruleset, condition, where, limits.cells), "proof")


def where_tested(ruleset: Ruleset, where: Expr, tested: Sequence[Instance]) -> Expr:
    """The condition, for the parameter values of the instances only."""
    settings = sorted({instance.parameters for instance in tested})
    return conjunction(where, disjunction(*map(equalities, settings))) if ruleset.parameter_names else where


def _both_proved(proofs: Iterable[Attempt], target: Target) -> dict[str, bool]:
    """The claims proved as they stand: a formula proved of the same target agrees with them where both speak."""
    return {
        proof.claim: True
        for proof in proofs
        if proof.claim
        and (proof.status, proof.under, proof.target, proof.where) == ("proved", TRUE, target, TRUE)
    }


def relation_of(status: str, tables: Comparison | None, proof: Comparison | None = None) -> Relation | None:
    """What a formula of this status is to the published claims; None unless it holds or is proved.

    tables, proof: the comparison at tables, and by proof; what is proved counts before what was seen at positions.
    ``relation``: ``rediscovers`` (the claims say it all), ``corrects`` (a claim is false where the formula is true),
    ``extends`` (a claim's formula says the same, and of less), ``uncompared`` (nothing is known of some claim) or
    ``new``. ``to``: an entry for each claim that it rediscovers, corrects, extends, or ``differs`` from beyond what was
    checked; its ``where`` is the condition of a proof beyond the formula's own. ``compared``: how many claims about
    this game there were to compare it with.
    """
    if status not in ("holds", "proved") or tables is None:
        return None
    both = _merged(tables, proof) if proof is not None else tables
    to = []
    for seen, row in zip(tables.rows, both.rows, strict=True):
        relation = _to_one(row, both.covered, status == "proved" or seen.same is False)
        if relation is not None:
            by = both.by if relation == "rediscovers" and row.by == "proof" else row.by
            proved = by == "proof"
            bound, where = (None, both.where) if proved else (both.bound, TRUE)
            to.append(Related(relation=relation, claim=row.claim, by=by, bound=bound, where=where))
    relations = {each.relation for each in to}
    headline = next((name for name in RELATIONS if name in relations), "new")
    return Relation(relation=headline, to=tuple(to), compared=sum(row.own for row in both.rows))


def _merged(tables: Comparison, proof: Comparison) -> Comparison:
    """One comparison of two."""
    proved = {row.claim: row for row in proof.rows}
    rows = []
    for seen in tables.rows:
        better = proved.get(seen.claim, seen)
        known = {
            key: value for key in ("meet", "same", "within") if (value := getattr(better, key)) is not None
        }
        whole = better is not seen and (len(known) == 3 or better.meet is False)
        rows.append(replace(seen, **known, by="proof" if whole else seen.by))
    decided = tables if proof.covered is None else proof
    return replace(decided, rows=tuple(rows), bound=tables.bound, where=proof.where)


Kind = Literal["rediscovers", "corrects", "extends", "uncompared", "differs"]


def _to_one(row: Beside, covered: bool | None, sure: bool) -> Kind | None:
    """sure: that the formula is right where it differs from the claim."""
    if not row.own or row.meet is False:
        return None
    if row.meet is None or row.same is None or (row.same and covered is None):
        return "uncompared"
    if row.same:
        if covered:
            return "rediscovers"
        return "extends" if row.within and not row.fact else None
    return "corrects" if row.within and sure else "differs"


def how(entry: Related) -> str:
    """How a relation to one claim is known: ``proved where k == 1``, or ``at the tables N=8``."""
    if entry.by == "tables":
        return f"at the tables {few(entry.bound or ())}"
    return "proved" + (f" where {entry.where}" if entry.where != TRUE else "")


def news(relation: Relation) -> str:
    """That no claim says it, and why."""
    return f"new: {'no claim says the same' if relation.compared else 'there is no claim to compare it with'}"


def relation_text(relation: Relation | None) -> str:
    """``says the same as theorem-1, bouton (proved)``, or that it is new."""
    if relation is None:
        return ""
    parts = []
    for name, verb in VERBS.items():
        by_what: dict[str, list[str]] = {}
        for entry in sorted(relation.to, key=lambda entry: entry.by != "proof"):
            if entry.relation == name:
                by_what.setdefault(how(entry), []).append(entry.claim)
        parts += [f"{verb} {', '.join(claims)} ({known})" for known, claims in by_what.items()]
    return "; ".join([news(relation), *parts] if relation.relation == "new" else parts)
