"""Formulas in words that the automata can read: equal at every position, by the ranges of the game's names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from grundylab.games.model import Claim, Ruleset
from grundylab.games.position_bounds import bounds_within, space_condition
from grundylab.language.within_bounds import simplify_within
from grundylab.prove.outcome import Proof


def prove_in_plain_words(
    ruleset: Ruleset, claim: Claim, ask: Callable[[Claim], Proof]
) -> tuple[Claim, Proof]:
    """Return the prover's answer about a formula, and the claim that it is about.

    If the formula as it is given is undecided, it is put into plain words; the claim is then about these.
    """
    proof = ask(claim)
    if proof.status == "undecided" and (plain := in_plain_words(ruleset, claim)) is not None:
        decided = ask(plain)
        if decided.status != "undecided":
            return plain, decided
    return claim, proof


def in_plain_words(ruleset: Ruleset, claim: Claim) -> Claim | None:
    """Return the claim with a plainer formula that is equal at every position; None if there is none.

    For instance, ``x * p`` becomes ``x if p > 0 else 0`` if p is 0 or 1 in every position.
    """
    if not claim.plain:
        return None
    bounds = bounds_within(space_condition(ruleset), ruleset.formula_names)
    formula = simplify_within(claim.formula, bounds, ruleset.functions)
    return None if formula == claim.formula else replace(claim, formula=formula)
