"""Relations of formulas to published claims, which follow from comparisons at tables and by proof."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from grundylab.games.fields import ConditionField
from grundylab.games.instance import instance_labels
from grundylab.language.syntax import FALSE, TRUE
from grundylab.records.proofs import RIGHT, Texts

By = Literal["proof", "tables"]
RelationWord = Literal["rediscovers", "corrects", "extends", "uncompared", "differs", "new"]
NEW = "new: not among the statements on record"
VERBS: dict[RelationWord, str] = {
    "rediscovers": "rediscovers",
    "corrects": "corrects",
    "extends": "extends",
    "uncompared": "could not be compared with",
    "differs": "differs from",
}  # a formula's relation to a claim, as a verb; of several relations, the first one here is that of the formula


@dataclass(frozen=True)
class ClaimComparison:
    """A comparison of a formula with a claim; an answer is None if it is not known.

    own, fact: as in ``ClaimStatement``. meet: whether both apply to some position. same: whether they agree wherever
    both apply. within: whether the formula applies wherever the claim does. by: the source of the answers.
    """

    claim: str
    own: bool
    fact: bool
    meet: bool | None
    same: bool | None
    within: bool | None
    by: By


@dataclass(frozen=True)
class Comparison:
    """The comparisons of a formula with all claims.

    covered: whether the claims that agree with the formula together cover all its positions; None if unknown. by: the
    source of ``covered``. bound: the instances whose tables were tested; None if there were none. plain: a condition;
    claims need not cover the positions that fulfil it. where: what a proof assumes beside the formula's own condition.
    left_out: the number of published claims about the game's values that no formula can be compared with.
    """

    rows: tuple[ClaimComparison, ...]
    covered: bool | None
    by: By
    bound: tuple[str, ...] | None = None
    plain: ConditionField = FALSE
    where: ConditionField = TRUE
    left_out: int = 0


@dataclass(frozen=True, kw_only=True)
class ClaimRelation:
    """The relation of a formula to one claim, such as ``rediscovers``.

    by: whether the relation is proved, or was seen at tables. bound: the instances of these tables. where: for a proof,
    its condition beyond the formula's own.
    """

    relation: RelationWord
    claim: str
    by: By
    bound: Texts | None = None
    where: ConditionField = TRUE


@dataclass(frozen=True, kw_only=True)
class Relation:
    """The relation of a formula to the published claims; see ``relation_of``."""

    relation: RelationWord
    to: tuple[ClaimRelation, ...]
    compared: int
    left_out: int = 0


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
    is the number of claims about this game, ``left_out`` that of those which could not be compared.
    """
    if status not in RIGHT:
        return None
    if tables is None:
        return Relation(relation="uncompared", to=(), compared=0)
    both = _merged(tables, proof) if proof is not None else tables
    # claims about the game without the pass are named only if none about this game agrees
    named = [row.own or not any(other.own and other.same for other in both.rows) for row in both.rows]
    to = []
    for table_row, row, is_named in zip(tables.rows, both.rows, named, strict=True):
        relation = is_named and _to_one(row, both.covered, status == "proved" or table_row.same is False)
        if relation:
            by = both.by if relation == "rediscovers" and row.by == "proof" else row.by
            proved = by == "proof"
            bound, where = (None, both.where) if proved else (both.bound, TRUE)
            to.append(ClaimRelation(relation=relation, claim=row.claim, by=by, bound=bound, where=where))
    relations = {related.relation for related in to}
    headline: RelationWord = next((name for name in VERBS if name in relations), "new")
    compared = sum(row.own for row in both.rows)
    return Relation(relation=headline, to=tuple(to), compared=compared, left_out=tables.left_out)


def _merged(tables: Comparison, proof: Comparison) -> Comparison:
    """Return one comparison that combines both; what the proof decides takes precedence over the tables."""
    proved = {row.claim: row for row in proof.rows}
    rows = []
    for table_row in tables.rows:
        better = proved.get(table_row.claim, table_row)
        values = {
            key: value for key in ("meet", "same", "within") if (value := getattr(better, key)) is not None
        }
        # the proof may be about fewer positions: in the tables the two differ
        differs = table_row.same is False and better.same is not False
        if differs:
            values["same"] = False
        whole = better is not table_row and not differs and (len(values) == 3 or better.meet is False)
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


def relation_text(relation: Relation | None) -> str:
    """Return the relation in words: ``rediscovers theorem-1, bouton (proved)``; empty for None."""
    if relation is None:
        return ""
    if relation.relation == "uncompared" and not relation.to:
        return f"{VERBS['uncompared']} the statements on record"
    new = NEW
    if not relation.compared:
        new += ", none of which could be compared with it"
    elif relation.left_out:
        new += f", {relation.left_out} of which could not be compared with it"
    parts = [new] if relation.relation == "new" else []
    for name, verb in VERBS.items():
        by_what: dict[str, list[str]] = {}
        for entry in sorted(relation.to, key=lambda entry: entry.by != "proof"):
            if entry.relation == name:
                by_what.setdefault(evidence_text(entry), []).append(entry.claim)
        parts += [f"{verb} {', '.join(claims)} ({evidence})" for evidence, claims in by_what.items()]
    return "; ".join(parts)
