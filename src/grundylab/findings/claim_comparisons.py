"""Comparisons of formulas with the published claims: at tables, by proof, and by a certificate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grundylab.errors import GrundylabError
from grundylab.games import Ruleset, Target, parent_of
from grundylab.games.instance import Instance
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, conjunction, disjunction, equalities
from grundylab.prove.comparing import (
    ClaimStatement,
    EqualityTest,
    at_positions_of,
    claims_left_out,
    comparable_claims,
    compare_with_claims,
    covered_region,
    equality_test,
    terminal_region,
)
from grundylab.prove.core.decide import true_everywhere
from grundylab.prove.outcome import Limits
from grundylab.records.finding import Finding
from grundylab.records.proofs import any_condition, further_condition, region_of
from grundylab.records.relation import ClaimComparison, Comparison, Relation, relation_of
from grundylab.solve.table import Table

COMPARING = 5.0  # seconds for one comparison of two formulas


def comparison_at_tables(ruleset: Ruleset, finding: Finding, tables: Sequence[Table]) -> Comparison:
    """Return the comparison of a formula with the claims, decided at the positions of the tables.

    Its ``bound`` names the tables' instances. Its ``plain`` is a condition for the positions that no agreeing claim
    covers, if they are few and no move is possible at any of them; otherwise it is FALSE.
    """
    formula, where, ask = finding.formula, finding.where, equality_test(at_positions_of(tables), "tables")
    claims = comparable_claims(ruleset, parent_of(ruleset), finding.target)
    comparison = compare_with_claims(ruleset, formula, where, claims, ask)
    plain: Expr = FALSE
    if comparison.covered is False:
        same = {row.claim for row in comparison.rows if row.same}
        spoken, _ = covered_region(ruleset, formula, where, (c for c in claims if c.claim in same), ask)
        plain = terminal_region(spoken, where, tables)
        if plain != FALSE:
            comparison = compare_with_claims(ruleset, formula, where, claims, ask, plain=plain)
    bound = tuple(table.instance.label for table in tables)
    return replace(comparison, bound=bound, plain=plain, left_out=claims_left_out(ruleset))


def with_relations(
    ruleset: Ruleset,
    findings: Sequence[Finding],
    asked: Iterable[Finding],
    tested: Sequence[Instance],
    limits: Limits,
) -> list[Finding]:
    """Return the findings, those of the statements ``asked`` with their relation to the published claims.

    It follows from the comparisons at tables and by proof. tested: the study's test instances.
    """
    proved = {
        (proof.claim, finding.target)
        for finding in findings
        for proof in finding.proofs
        if proof.claim and (proof.status, proof.under, proof.where) == ("proved", TRUE, TRUE)
    }
    related: dict[object, Relation | None] = {}
    for formula in asked:
        if formula.found and formula.statement not in related:
            proof = _comparison_by_proof(ruleset, formula, proved, tested, limits)
            related[formula.statement] = relation_of(formula.status, formula.comparison, proof)
    return [
        replace(f, relation=related[f.statement]) if f.found and f.statement in related else f
        for f in findings
    ]


def _comparison_by_proof(
    ruleset: Ruleset,
    finding: Finding,
    proved: Iterable[tuple[str, Target]],
    tested: Sequence[Instance],
    limits: Limits,
) -> Comparison | None:
    """Return the comparison of a formula with the published claims, decided by automata and by proofs.

    It covers only the parameters and positions in its ``where``: those for which the formula is proved or, if it is not
    proved, those of the parameter values in ``tested``. None if the formula was not compared at tables. proved: the
    claims, with their targets, that are proved without restriction; a proved formula for the same target agrees with
    such a claim at every position that both are about.
    """
    formula, target, where = finding.formula, finding.target, finding.where
    if finding.comparison is None:
        return None
    try:
        ruleset.check_formula(formula, target)
    except GrundylabError:
        return None
    regions = [region for proof in finding.proofs if (region := region_of(proof)) is not None]
    about = any_condition(regions) if regions else tested_condition(ruleset, where, tested)
    further = (
        any_condition(further_condition(where, region) for region in regions)
        if regions
        else further_condition(where, about)
    )
    said = comparable_claims(ruleset, parent_of(ruleset), target)
    same = {claim: True for claim, its in proved if its == target} if regions else {}
    ask = _by_prover(ruleset, limits)
    both = compare_with_claims(ruleset, formula, about, said, ask, same, finding.comparison.plain)
    return replace(both, where=further)


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
