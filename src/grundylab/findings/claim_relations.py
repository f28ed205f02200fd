"""Records of the relations of formulas to published claims: at tables, by proof, and both combined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grundylab.errors import GrundylabError
from grundylab.findings.attempts import Attempt, any_condition, further_condition, region_of
from grundylab.findings.records import (
    RIGHT,
    ClaimRecord,
    ClaimRelation,
    ComparisonRecord,
    Finding,
    Formula,
    Relation,
    RelationWord,
    Row,
)
from grundylab.games import Ruleset, Target
from grundylab.games.instance import Instance, instance_labels
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, conjunction, disjunction, equalities
from grundylab.prove.comparing import (
    ClaimComparison,
    ClaimStatement,
    Comparison,
    EqualityTest,
    at_positions_of,
    comparable_claims,
    compare_with_claims,
    covered_region,
    equality_test,
    terminal_region,
)
from grundylab.prove.core.decide import true_everywhere
from grundylab.prove.outcome import Limits
from grundylab.solve.table import Table

COMPARING = 5.0  # seconds for one comparison of two formulas
NEW = "new: not among the statements on record here"
VERBS: dict[RelationWord, str] = {
    "rediscovers": "rediscovers",
    "corrects": "corrects",
    "extends": "extends",
    "uncompared": "could not be compared with",
    "differs": "differs from",
}  # a formula's relation to a claim, as a verb; of several relations, the first one here is that of the formula


def comparison_at_tables(
    ruleset: Ruleset, parent: Ruleset | None, formula: Expr, target: Target, where: Expr, tables: Sequence[Table]
) -> Comparison:  # fmt: skip
    """Return the comparison of the formula with the claims, decided at the positions of the tables.

    Its ``bound`` names the tables' instances. Its ``plain`` is a condition for the positions that no agreeing claim
    covers, if they are few and no move is possible at any of them; otherwise it is FALSE.
    """
    ask, claims = equality_test(at_positions_of(tables), "tables"), comparable_claims(ruleset, parent, target)
    found = compare_with_claims(ruleset, formula, where, claims, ask)
    plain: Expr = FALSE
    if found.covered is False:
        same = {row.claim for row in found.rows if row.same}
        spoken, _ = covered_region(ruleset, formula, where, (c for c in claims if c.claim in same), ask)
        plain = terminal_region(spoken, where, tables)
        if plain != FALSE:
            found = compare_with_claims(ruleset, formula, where, claims, ask, plain=plain)
    return replace(found, bound=tuple(table.instance.label for table in tables), plain=plain)


def agreeing_claims(comparison: Comparison) -> tuple[str, ...]:
    """Return the ids of this game's claims that apply only where the formula does, and agree with it there."""
    return tuple(row.claim for row in comparison.rows if row.own and row.same and row.within)


def comparisons_by_proof(
    ruleset: Ruleset,
    parent: Ruleset | None,
    formulas: Iterable[Formula],
    proofs: Sequence[Attempt],
    tested: Sequence[Instance],
    limits: Limits,
) -> list[ComparisonRecord]:
    """Return comparisons of formulas with the published claims, decided by automata and by proofs.

    There is one for each distinct formula that was compared at tables: these are the formulas that hold. A comparison
    covers only the parameters and positions in its ``where``: those for which the formula is proved or, if it is not
    proved, those of the parameter values in ``tested``, the study's test instances.
    """
    found: dict[tuple[Expr, Target, Expr], ComparisonRecord] = {}
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
        about = any_condition(regions) if regions else tested_condition(ruleset, where, tested)
        further = (
            any_condition(further_condition(where, region) for region in regions)
            if regions
            else further_condition(where, about)
        )
        same = _both_proved(proofs, target) if regions else {}
        claims, ask = comparable_claims(ruleset, parent, target), _by_prover(ruleset, limits)
        both = compare_with_claims(ruleset, formula, about, claims, ask, same, record.comparison.plain)
        found[key] = ComparisonRecord(
            formula=formula, target=target, where=where, comparison=replace(both, where=further)
        )
    return list(found.values())


def comparison_by_certificate(
    ruleset: Ruleset, where: Expr, claims: Sequence[ClaimStatement], limits: Limits
) -> Comparison:
    """Return the comparison of a formula, proved under ``where``, with claims that the same certificate proves."""
    ask = _by_prover(ruleset, limits)
    rows = (
        ClaimComparison(said.claim, said.own, said.fact, True, True, ask(where, said.where).truth, "proof")
        for said in claims
    )
    covered = ask(disjunction(*dict.fromkeys(said.where for said in claims)), where)
    return Comparison(tuple(rows), covered.truth, "proof")


def _by_prover(ruleset: Ruleset, limits: Limits) -> EqualityTest:
    return equality_test(
        lambda condition, where: true_everywhere(ruleset, condition, where, limits.cells), "proof"
    )


def tested_condition(ruleset: Ruleset, where: Expr, tested: Sequence[Instance]) -> Expr:
    """Return the condition ``where``, restricted to the parameter values of the instances."""
    settings = sorted({instance.parameters for instance in tested})
    return conjunction(where, disjunction(*map(equalities, settings))) if ruleset.parameter_names else where


def _both_proved(proofs: Iterable[Attempt], target: Target) -> dict[str, bool]:
    """Return the ids of the claims about the target that are proved without restriction, as keys with the value True.

    A proved formula for the same target agrees with such a claim at every position that both are about.
    """
    return {
        proof.claim: True
        for proof in proofs
        if proof.claim
        and (proof.status, proof.under, proof.target, proof.where) == ("proved", TRUE, target, TRUE)
    }


def relation_of(status: str, tables: Comparison | None, proof: Comparison | None = None) -> Relation | None:
    """Return the relation of a formula with this status to the published claims; None unless it holds or is proved.

    tables, proof: the comparisons at tables and by proof. A formula that looks values up is compared with no claim:
    ``uncompared``. Where both have an answer, that of the proof counts. The
    relation is the first in this list that the formula has to some claim, or ``new`` if it has none of them:
    ``rediscovers``: the claims state everything that the formula states;
    ``corrects``: the formula is about all positions of a claim, and disagrees with it;
    ``extends``: a claim agrees with the formula, but is about fewer positions;
    ``uncompared``: it is not known whether a claim agrees with the formula;
    ``differs``: the two disagree, but ``corrects`` does not apply.
    The field ``to`` has an entry for each claim to which the formula has one of these relations. The field ``compared``
    is the number of claims about this game.
    """
    if status not in RIGHT:
        return None
    if tables is None:
        return Relation(relation="uncompared", to=(), compared=0)
    both = _merged(tables, proof) if proof is not None else tables
    # claims about the game without the pass are named only if none about this game agrees
    named = [row.own or not any(each.own and each.same for each in both.rows) for row in both.rows]
    to = []
    for table_row, row, is_named in zip(tables.rows, both.rows, named, strict=True):
        relation = is_named and _to_one(row, both.covered, status == "proved" or table_row.same is False)
        if relation:
            by = both.by if relation == "rediscovers" and row.by == "proof" else row.by
            proved = by == "proof"
            bound, where = (None, both.where) if proved else (both.bound, TRUE)
            to.append(ClaimRelation(relation=relation, claim=row.claim, by=by, bound=bound, where=where))
    relations = {each.relation for each in to}
    headline: RelationWord = next((name for name in VERBS if name in relations), "new")
    return Relation(relation=headline, to=tuple(to), compared=sum(row.own for row in both.rows))


def _merged(tables: Comparison, proof: Comparison) -> Comparison:
    """Return one comparison that combines both; what the proof decides takes precedence over the tables."""
    proved = {row.claim: row for row in proof.rows}
    rows = []
    for table_row in tables.rows:
        better = proved.get(table_row.claim, table_row)
        values = {
            key: value for key in ("meet", "same", "within") if (value := getattr(better, key)) is not None
        }
        whole = better is not table_row and (len(values) == 3 or better.meet is False)
        rows.append(replace(table_row, **values, by="proof" if whole else table_row.by))
    decided = tables if proof.covered is None else proof
    return replace(decided, rows=tuple(rows), bound=tables.bound, where=proof.where)


def _to_one(row: ClaimComparison, covered: bool | None, sure: bool) -> RelationWord | None:
    """Return the relation to one claim; None if there is nothing to report.

    covered: whether the agreeing claims cover all positions of the formula. sure: whether the formula is known to be
    right where it differs from the claim.
    """
    if row.meet is False:
        return None
    if not row.own:
        return "rediscovers" if row.same and covered else None
    if row.meet is None or row.same is None or (row.same and covered is None):
        return "uncompared"
    if row.same:
        if covered:
            return "rediscovers"
        return "extends" if row.within and not row.fact else None
    return "corrects" if row.within and sure else "differs"


def evidence_text(entry: ClaimRelation) -> str:
    """Return the source of a relation to one claim: ``proved where k == 1``, or ``at the tables N=8``."""
    if entry.by == "tables":
        return f"at the tables {instance_labels(entry.bound or ())}"
    return "proved" + (f" where {entry.where}" if entry.where != TRUE else "")


def relation_word(record: Finding | Row) -> RelationWord | None:
    """Return the relation of a formula, claim or row to the statements on record; None if it has none.

    A right claim that is marked ``unpublished`` is ``new``: its ruleset says that no source states it.
    """
    if isinstance(record, Formula | Row):
        return record.relation.relation if record.relation else None
    ours = isinstance(record, ClaimRecord) and record.unpublished
    return "new" if ours and record.status in RIGHT else None


def novelty_text(relation: Relation) -> str:
    """Return in words that the formula is new, and whether there is a statement to compare it with."""
    return NEW if relation.compared else f"{NEW}, of which none could be compared with it"


def relation_text(relation: Relation | None) -> str:
    """Return the relation in words: ``rediscovers theorem-1, bouton (proved)``; empty for None."""
    if relation is None:
        return ""
    if relation.relation == "uncompared" and not relation.to:
        return f"{VERBS['uncompared']} the statements on record here"
    parts = [novelty_text(relation)] if relation.relation == "new" else []
    for name, verb in VERBS.items():
        by_what: dict[str, list[str]] = {}
        for entry in sorted(relation.to, key=lambda entry: entry.by != "proof"):
            if entry.relation == name:
                by_what.setdefault(evidence_text(entry), []).append(entry.claim)
        parts += [f"{verb} {', '.join(claims)} ({evidence})" for evidence, claims in by_what.items()]
    return "; ".join(parts)


def finding_relation_text(record: Finding) -> str:
    """Return the relation of a formula or claim to the statements on record in words; empty if it has none."""
    if isinstance(record, Formula):
        return relation_text(record.relation)
    return NEW if relation_word(record) == "new" else ""
