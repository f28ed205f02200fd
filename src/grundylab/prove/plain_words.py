"""Formulas in words that the automata can read: equal at every position, by the ranges of the game's names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from grundylab.games.model import Claim, Ruleset
from grundylab.language.intervals import Interval
from grundylab.language.syntax import Int, Name
from grundylab.language.within_bounds import NATURAL, simplify_within
from grundylab.prove.core.space import low_ends
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
    formula = simplify_within(claim.formula, position_bounds(ruleset), ruleset.functions)
    return None if formula == claim.formula else replace(claim, formula=formula)


def position_bounds(ruleset: Ruleset) -> dict[str, Interval]:
    """Return bounds on the coordinates and parameters that hold at every position, whatever the bounds of a table."""
    found = {}
    for coordinate in ruleset.coordinates:
        low, high = (end.value if isinstance(end, Int) else None for end in coordinate.ends)
        found[coordinate.name] = _ends(low, high)
    for parameter in ruleset.parameters:
        lows = [end.value for end in low_ends(parameter.domain, Name(parameter.name)) if isinstance(end, Int)]
        found[parameter.name] = _ends(max(lows, default=None), None)
    return found


def _ends(low: int | None, high: int | None) -> Interval:
    most = NATURAL.high
    return Interval(-most if low is None else low, most if high is None else high)
