"""What of claims of every kind the prover can be asked, and how."""

from __future__ import annotations

from grundylab.games.model import Claim, OfOptions, Ruleset
from grundylab.language.syntax import Compare, Expr, If, Int, Not


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


def unprovable(ruleset: Ruleset, claim: Claim) -> str | None:
    """Why the claim cannot even be written in the logic, if so."""
    if ruleset.free:
        return f"it is about every function {ruleset.free[0].name}(), and the logic has numbers only"
    if claim.tables:
        return "a table is compared entry by entry"
    for name, of in claim.values:
        return f"{name}() is the Grundy number of a position of {of} ruleset, of which the logic knows no formula"
    return None
