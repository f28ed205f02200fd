"""The condition that rules make a game: every move leads to a position and lowers a measure that is never negative.

The rule of induction proves this as one of its parts. The other rules of proof, and the certificates of periods and of
runs, check it here for the statement's game and for every looked-up game. Otherwise they would miss large positions
where a move does not lower the measure or a condition has no value.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.language.intervals import is_total
from grundylab.language.syntax import TRUE, Expr, conjunction, conjuncts
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.decide import CELLS, GameReader
from grundylab.prove.core.solution import Core
from grundylab.prove.core.space import check_provable
from grundylab.prove.core.theorem import Refused


@lru_cache(maxsize=64)  # many statements are about one game
def check_playable(game: Ruleset) -> None:
    """Raise Refused unless automata show that the rules make a game, for all parameters.

    Conditions on moves that automata cannot read are left out. That is safe: the game then has more moves, and if all
    of these lead to positions and lower the measure, so do the original ones.
    """
    try:
        check_provable(game)
        core = Core(CELLS)
        core.check_well_founded(_freer(game, core.games.of(game)), TRUE)
    except GrundylabError as error:
        raise Refused(f"automata do not show that the rules make a game: {error}") from None


def _freer(game: Ruleset, automata: GameReader) -> Ruleset:
    """Return the game without the conditions on moves that automata cannot express, if these have values everywhere."""

    def kept(condition: Expr) -> bool:
        try:
            automata.atoms.true(condition)
        except OutsideFragment:
            return not is_total(condition, game.functions)
        return True

    moves = tuple(replace(m, when=conjunction(*filter(kept, conjuncts(m.when)))) for m in game.moves)
    return game if moves == game.moves else replace(game, moves=moves, claims=())
