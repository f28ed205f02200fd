"""What an induction assumes: values for every position of a region that no move leaves.

A claim about part of the positions cannot be proved alone: its positions have options that it is not about. The
hypothesis puts it together with the other claims of the game, with those of the game that it extends (for the
positions without the pass), each also with the piles in any other order, and with finitely many positions from
ground truth. None of this is believed: the induction proves all of it or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from grundylab.games.model import ALWAYS, PASS_COORDINATE, Claim, Ruleset, Target
from grundylab.language.substitution import substitute
from grundylab.language.syntax import FALSE, TRUE, Expr, If, Int, Name, compare, conjunction, disjunction

PASS_IS_USED = compare("==", Name(PASS_COORDINATE), Int(0))


@dataclass(frozen=True)
class Piece:
    """A formula for the positions of a region, and where it comes from."""

    region: Expr
    formula: Expr
    origin: str


@dataclass(frozen=True)
class Hypothesis:
    """Formulas for the positions of ``region``: of the Grundy number, or of the level sets 0, 1, …, last.

    grundy: a NUMBER, or None. levels: a CONDITION a level (level 0 is the P-positions); empty with grundy.
    """

    region: Expr
    grundy: Expr | None
    levels: tuple[Expr, ...]
    origins: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """A statement and its induction, in a game where the parameters that have one value are that value.

    where: of which positions and parameters. condition: for which of those parameters it is proved. exactly: and for no
    others.
    """

    formula: Expr
    target: Target
    where: Expr
    hypothesis: Hypothesis
    condition: Expr = TRUE
    exactly: bool = False


def relevant(claim: Claim, target: Target) -> bool:
    """Whether the claim says something of the target's values or of the smaller ones it needs, in the game's terms."""
    if not claim.plain or claim.target == ALWAYS:
        return False
    return claim.target.name == "grundy" or (
        target.name != "grundy" and level_of(claim.target) <= level_of(target)
    )


def level_of(target: Target) -> int:
    """0 for p."""
    return target.value if target.name == "level" else 0


def pieces(claims: Iterable[Claim], target: Target, level: int) -> list[Piece]:
    """What the claims say of one level (or, for the target grundy, of the number)."""
    found = []
    for claim in claims:
        if target.name == "grundy":
            if claim.target.name == "grundy":
                found.append(Piece(claim.where, claim.formula, claim.id))
        elif claim.target.name == "grundy":
            found.append(Piece(claim.where, compare("==", claim.formula, Int(level)), claim.id))
        elif level_of(claim.target) == level:
            found.append(Piece(claim.where, claim.formula, claim.id))
    return found


def inherited(parent: Ruleset, ruleset: Ruleset) -> list[Claim]:
    """The claims of the game without the pass, as claims about the positions where it is used up."""
    if ruleset.coordinate_names != (*parent.coordinate_names, PASS_COORDINATE):
        return []
    known = set(ruleset.formula_names)
    names = {c.name for c in parent.coordinates} | set(parent.parameter_names)
    if not names <= known:
        return []
    return [
        replace(claim, id=f"{parent.name}:{claim.id}", where=conjunction(PASS_IS_USED, claim.where))
        for claim in parent.claims
    ]


def in_every_order(claim: Claim, piles: Sequence[str]) -> list[Claim]:
    """The claim with the piles permuted: the same statement of a game that treats its piles alike."""
    found: dict[tuple[str, str], Claim] = {}
    for order in permutations(piles):
        swap = {pile: Name(other) for pile, other in zip(piles, order, strict=True)}
        where, formula = substitute(claim.where, swap), substitute(claim.formula, swap)
        found.setdefault((str(where), str(formula)), replace(claim, where=where, formula=formula))
    return list(found.values())


def first_of(pieces: Sequence[Piece], otherwise: Expr) -> Expr:
    """The formula of the first piece whose region the position is in."""
    formula = otherwise
    for piece in reversed(pieces):
        if piece.region == TRUE:
            formula = piece.formula
        elif piece.formula == TRUE:
            formula = disjunction(piece.region, formula)
        elif formula == FALSE:
            formula = conjunction(piece.region, piece.formula)
        else:
            formula = If(piece.region, piece.formula, formula)
    return formula


def assemble(by_level: Sequence[Sequence[Piece]], target: Target) -> Hypothesis:
    """The hypothesis of the pieces of each level: its region is where every level is known."""
    regions = [disjunction(*(piece.region for piece in pieces)) for pieces in by_level]
    region = conjunction(*dict.fromkeys(regions))
    origins = tuple(dict.fromkeys(piece.origin for pieces in by_level for piece in pieces))
    if target.name == "grundy":
        return Hypothesis(region, first_of(by_level[0], Int(0)), (), origins)
    return Hypothesis(region, None, tuple(first_of(pieces, FALSE) for pieces in by_level), origins)
