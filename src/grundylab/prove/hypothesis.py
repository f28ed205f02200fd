"""Hypotheses of inductions: formulas for the values of all positions in a region that no move leaves.

A claim about part of the positions cannot be proved alone, because these positions have options outside that part. So
the hypothesis combines the claim with others: claims of the game; claims of the game that it extends, about positions
where the pass is used up; all of these with the piles in any order; and the values of finitely many positions from
ground truth. None of them is believed: the induction proves the whole hypothesis or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from grundylab.games.model import ALWAYS, Claim, Ruleset, Target
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Bool,
    Expr,
    If,
    Int,
    Name,
    compare,
    conjunction,
    disjunction,
    equalities,
)
from grundylab.prove.core.formulas import Formulas
from grundylab.prove.core.solution import level_of
from grundylab.prove.core.space import SUMS, NotProvable
from grundylab.prove.ground_truth import needed_exceptions, unrefuted_claims
from grundylab.solve.table import Table

ASKED = "what is asked"  # stands for the id of a claim that is not published; real ids have no spaces


def unpublished_claim(formula: Expr, target: Target, where: Expr = TRUE) -> Claim:
    """Return the claim that the formula describes the target where ``where`` is true, with the id ASKED."""
    return Claim(ASKED, target, formula, where)


@dataclass(frozen=True)
class Piece:
    """A formula for the positions of a region; ``origin`` is the id of the claim that it comes from."""

    region: Expr
    formula: Expr
    origin: str


Choice = tuple[Formulas, tuple[str, ...]]  # the hypothesis, and the ids of the claims in it


def choose_hypothesis(
    game: Ruleset,
    statement: Claim,
    parent: Ruleset | None,
    tables: Callable[[], Sequence[Table]],
    readable: Callable[[Claim], bool],
) -> Choice:
    """Return the hypothesis of an induction for the statement, and the ids of the claims that it comes from.

    parent: the game that this one extends, whose claims may help. tables: computes ground truth of the game; it is
    called only if other claims must help. readable: tells whether automata can read a claim. Raises NotProvable if
    moves split positions and no claim gives Grundy numbers.
    """
    if statement.target == ALWAYS:
        return Formulas(TRUE, None, ()), (ASKED,)
    if statement.where == TRUE and statement.target.name != "level" and not game.splits:
        return assemble_hypothesis([[Piece(TRUE, statement.formula, ASKED)]], statement.target), (ASKED,)
    target = Target("grundy") if game.splits else statement.target
    levels = range(1) if target.name == "grundy" else range(level_of(target) + 1)
    helpers = [*game.claims, *(claims_without_pass(parent, game) if parent else ())]
    helpers = [
        c for c in helpers if any(pieces_at_level([c], target, level) for level in levels) and readable(c)
    ]
    solved = tables()
    claims = [statement, *unrefuted_claims(helpers, solved, statement.where)]
    if game.splits and not pieces_at_level(claims, target, 0):
        raise NotProvable(SUMS)
    by_level = [pieces_at_level(claims, target, level) for level in levels]
    return _completed(claims, by_level, target, game, solved)


def _completed(
    claims: Sequence[Claim],
    by_level: list[list[Piece]],
    target: Target,
    game: Ruleset,
    tables: Sequence[Table],
) -> Choice:
    """Return the hypothesis from the pieces at each level, and the ids of the claims in it.

    If moves lead out of the hypothesis's region, claims with permuted piles and values of single positions are added.
    """
    hypothesis = assemble_hypothesis(by_level, target)
    if hypothesis.region == TRUE or game.parameters or not tables:
        return hypothesis, _origins(by_level)
    (table,) = tables  # a game without parameters has one
    outcomes = len(hypothesis.levels) == 1
    missing = needed_exceptions(hypothesis.region, table, outcomes)
    if missing != {} and game.piles:
        turned = [turn for claim in claims for turn in with_permuted_piles(claim, game.piles)]
        by_level = [pieces_at_level(turned, target, level) for level in range(len(by_level))]
        hypothesis = assemble_hypothesis(by_level, target)
        missing = needed_exceptions(hypothesis.region, table, outcomes)
    if missing is None:
        return hypothesis, _origins(by_level)
    for level, pieces in enumerate(by_level):
        for position, value in reversed(missing.items()):
            place = equalities(zip(game.coordinate_names, position, strict=True))
            formula: Expr = Int(value) if target.name == "grundy" else Bool(value == level)
            pieces.insert(0, Piece(place, formula, "ground truth"))
    return assemble_hypothesis(by_level, target), _origins(by_level)


def _origins(by_level: Sequence[Sequence[Piece]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(piece.origin for pieces in by_level for piece in pieces))


def pieces_at_level(claims: Iterable[Claim], target: Target, level: int) -> list[Piece]:
    """Return the claims' formulas for one level (the positions with this Grundy number), or for the target ``grundy``.

    Claims that say nothing about it are left out, and so are those that add nothing: that follow a claim about all
    positions, or one about the same region.
    """
    pieces: dict[Expr, Piece] = {}
    for claim in claims:
        if not claim.plain or claim.target == ALWAYS:
            continue
        if claim.target.name == "grundy":
            formula = claim.formula if target.name == "grundy" else compare("==", claim.formula, Int(level))
        elif target.name != "grundy" and level_of(claim.target) == level:
            formula = claim.formula
        else:
            continue
        pieces.setdefault(claim.where, Piece(claim.where, formula, claim.id))
        if claim.where == TRUE:
            break
    return list(pieces.values())


def claims_without_pass(parent: Ruleset, ruleset: Ruleset) -> list[Claim]:
    """Return the claims of the game without the pass as claims about positions whose pass is used up.

    The list is empty if the ruleset is not its parent with a pass added. A claim that calls a function that the ruleset
    does not have is left out.
    """
    flag = ruleset.pass_flag
    if flag is None or ruleset.coordinate_names != (*parent.coordinate_names, flag):
        return []
    own = set(ruleset.formula_names)
    names = {c.name for c in parent.coordinates} | set(parent.parameter_names)
    if not names <= own:
        return []
    used, functions = compare("==", Name(flag), Int(0)), {function.name for function in ruleset.functions}
    return [
        replace(claim, id=f"{parent.name}:{claim.id}", where=conjunction(used, claim.where))
        for claim in parent.claims
        if claim.called <= functions
    ]


def with_permuted_piles(claim: Claim, piles: Sequence[str]) -> list[Claim]:
    """Return the claim with its piles permuted, for each permutation.

    These claims are equivalent if the game treats its piles alike.
    """
    claims: dict[tuple[str, str], Claim] = {}
    for order in permutations(piles):
        swap = {pile: Name(other) for pile, other in zip(piles, order, strict=True)}
        where, formula = substitute(claim.where, swap), substitute(claim.formula, swap)
        claims.setdefault((str(where), str(formula)), replace(claim, where=where, formula=formula))
    return list(claims.values())


def first_applicable(pieces: Sequence[Piece], otherwise: Expr) -> Expr:
    """Return a formula with the value of the first piece whose region has the position; ``otherwise`` if none has."""
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


def assemble_hypothesis(by_level: Sequence[Sequence[Piece]], target: Target) -> Formulas:
    """Return the hypothesis made of the pieces for each level; its region is where all levels have a piece."""
    regions = [disjunction(*(piece.region for piece in pieces)) for pieces in by_level]
    region = conjunction(*dict.fromkeys(regions))
    if target.name == "grundy":
        return Formulas(region, first_applicable(by_level[0], Int(0)), ())
    return Formulas(region, None, tuple(first_applicable(pieces, FALSE) for pieces in by_level))
