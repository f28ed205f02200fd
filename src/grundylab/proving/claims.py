"""Proving claims of every kind: each as a formula about its game, or about its game and the claim's variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grundylab.formula.syntax import TRUE, Expr, conjunction
from grundylab.proving.prover import Limits, Proof, by_intervals, prove
from grundylab.rulesets.model import Claim, Coordinate, Ruleset


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
    game = with_variables(ruleset, claim) if claim.variables else ruleset
    return prove(game, claim.formula, claim.target, about, parent=parent, helpers=helpers, limits=limits)


def _unprovable(ruleset: Ruleset, claim: Claim) -> str | None:
    """Why the claim cannot even be written in the logic, if so."""
    if ruleset.free:
        return f"it is about every function {ruleset.free[0].name}(), and the logic has numbers only"
    if claim.tables:
        return "a table is compared entry by entry"
    for name, of in claim.values:
        return f"{name}() is the Grundy number of a position of {of} ruleset, of which the logic knows no formula"
    return None


def with_variables(ruleset: Ruleset, claim: Claim) -> Ruleset:
    """The claim's variables as further coordinates of positions that no move leaves: nothing is claimed of moves."""
    extra = tuple(Coordinate(variable.name, variable.range) for variable in claim.variables)
    return replace(ruleset, coordinates=(*ruleset.coordinates, *extra), moves=(), piles=(), claims=())
