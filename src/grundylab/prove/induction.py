"""Which induction proves a statement: of itself where it can stand alone, else with other claims of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grundylab.games.model import ALWAYS, Claim, Ruleset, Target
from grundylab.language.syntax import TRUE, Expr
from grundylab.prove.evidence import exceptions, survivors
from grundylab.prove.hypothesis import (
    Hypothesis,
    Piece,
    assemble,
    in_every_order,
    inherited,
    level_of,
    pieces,
    relevant,
)
from grundylab.prove.space import SUMS, NotProvable
from grundylab.prove.statement import ASKED
from grundylab.solve.table import Table


def choose_hypothesis(
    game: Ruleset,
    statement: Claim,
    parent: Ruleset | None,
    tables: Callable[[], Sequence[Table]],
    readable: Callable[[Claim], bool],
) -> Hypothesis:
    """What to assume in an induction for the statement.

    parent: the game that this one extends, whose claims may help. tables: ground truth of the game, asked for only
    where other claims must help. readable: whether a claim that may help can be said at all. Raises NotProvable if
    moves split and no claim gives Grundy numbers.
    """
    if statement.target == ALWAYS:
        return Hypothesis(TRUE, None, (), (ASKED,))
    if statement.where == TRUE and statement.target.name != "level" and not game.splits:
        return assemble([[Piece(TRUE, statement.formula, ASKED)]], statement.target)
    target = Target("grundy") if game.splits else statement.target
    levels = range(1) if target.name == "grundy" else range(level_of(target) + 1)
    helpers = [*game.claims, *(inherited(parent, game) if parent else ())]
    helpers = [c for c in helpers if relevant(c, target) and readable(c)]
    known = tables()
    claims = [statement, *survivors(helpers, known, statement.where)]
    if game.splits and not pieces(claims, target, 0):
        raise NotProvable(SUMS)
    by_level = [_least(pieces(claims, target, level)) for level in levels]
    return _completed(claims, by_level, target, game, known)


def _least(found: list[Piece]) -> list[Piece]:
    """Without the pieces that add nothing: those after one for all positions, or after one for the same."""
    kept: dict[Expr, Piece] = {}
    for piece in found:
        kept.setdefault(piece.region, piece)
        if piece.region == TRUE:
            break
    return list(kept.values())


def _completed(
    claims: Sequence[Claim],
    by_level: list[list[Piece]],
    target: Target,
    game: Ruleset,
    tables: Sequence[Table],
) -> Hypothesis:
    """With the piles in every order and with single positions, as far as the region is not closed without."""
    levels = range(len(by_level))
    hypothesis = assemble(by_level, target)
    if hypothesis.region == TRUE or game.parameters or not tables:
        return hypothesis
    found = [exceptions(hypothesis.region, tables, target, level) for level in levels]
    if any(extra != [] for extra in found) and game.piles:
        turned = [turn for claim in claims for turn in in_every_order(claim, game.piles)]
        by_level = [_least(pieces(turned, target, level)) for level in levels]
        hypothesis = assemble(by_level, target)
        found = [exceptions(hypothesis.region, tables, target, level) for level in levels]
    if any(extra is None for extra in found):
        return hypothesis
    return assemble([[*(extra or []), *known] for extra, known in zip(found, by_level, strict=True)], target)
