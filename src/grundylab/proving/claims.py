"""Proving claims of every kind: each as a formula about its game, or about its game and the claim's variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grundylab.formula.syntax import TRUE, Compare, Expr, If, Int, Not, conjunction
from grundylab.proving.by_certificate import by_intervals
from grundylab.proving.prover import Limits, Proof, prove
from grundylab.rulesets.model import P_POSITIONS, Claim, OfOptions, Ruleset
from grundylab.rulesets.specialise import with_variables


def prove_claim(
    ruleset: Ruleset,
    claim: Claim,
    where: Expr = TRUE,
    *,
    parent: Ruleset | None = None,
    helpers: Sequence[Claim] = (),
    limits: Limits | None = None,
) -> Proof:
    """A proof or refutation of the claim at all positions, of every size, that also fulfil ``where``."""
    about = conjunction(claim.where, where)
    if reason := _unprovable(ruleset, claim):
        proof = Proof("undecided", claim.formula, claim.target, about, reason=reason)
        return by_intervals(ruleset, proof) if claim.plain else proof
    game = with_variables(ruleset, claim.variables) if claim.variables else ruleset
    proof = prove(game, claim.formula, claim.target, about, parent=parent, helpers=helpers, limits=limits)
    told = p_positions_told(ruleset, claim)
    if proof.status == "undecided" and told is not None:
        certified = by_intervals(ruleset, replace(proof, formula=told, target=P_POSITIONS, where=where))
        return replace(certified, formula=claim.formula, target=claim.target, where=about)
    return proof


def p_positions_told(ruleset: Ruleset, claim: Claim) -> Expr | None:
    """The S where the claim is that no move leads from S into S, or that one leads into S from everywhere else.

    It follows if the P-positions are the positions in S.
    """
    if not isinstance(claim.printed, OfOptions) or claim.variables or not claim.plain:
        return None
    here, there = (_membership(ruleset.functions.expand(e)) for e in (claim.where, claim.printed.condition))
    inside, outside = (here, there) if claim.printed.quantifier == "every" else (there, here)
    return inside if outside == Not(inside) else None


def _membership(condition: Expr) -> Expr:
    """The condition, which may be in print that a function that is 1 on a set and 0 elsewhere is 1, or is 0."""
    match condition:
        case Compare(("==",), (If(inside, Int(value=1), Int(value=0)), Int(value=0 | 1 as value))):
            return inside if value == 1 else Not(inside)
    return condition


def _unprovable(ruleset: Ruleset, claim: Claim) -> str | None:
    """Why the claim cannot even be written in the logic, if so."""
    if ruleset.free:
        return f"it is about every function {ruleset.free[0].name}(), and the logic has numbers only"
    if claim.tables:
        return "a table is compared entry by entry"
    for name, of in claim.values:
        return f"{name}() is the Grundy number of a position of {of} ruleset, of which the logic knows no formula"
    return None
