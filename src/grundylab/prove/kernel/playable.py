"""The condition that rules make a game: every move leads to a position and lowers a measure that is never negative.

The rule of induction proves this as one of its parts. The other rules of proof, and the certificates of periods and of
runs, check it here for the statement's game and for every looked-up game. Otherwise they would miss large positions
where a move does not lower the measure or a condition has no value.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.language.intervals import is_total
from grundylab.language.syntax import TRUE, Expr, conjunction, conjuncts
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.decide import CELLS, GameReader, GameReaders
from grundylab.prove.core.space import check_provable
from grundylab.prove.kernel.induction_automata import PLAYABLE, Decider
from grundylab.prove.kernel.question import Hypothesis, Question
from grundylab.prove.kernel.theorem import Refused


@lru_cache(maxsize=64)  # many statements are about one game
def check_playable(game: Ruleset) -> None:
    """Raise Refused unless automata show that the rules make a game, for all parameters.

    Conditions on moves that automata cannot read are left out. That is safe: the game then has more moves, and if all
    of these lead to positions and lower the measure, so do the original ones.
    """
    question = Question(TRUE, ALWAYS, TRUE, Hypothesis(TRUE, None, ()), TRUE)
    try:
        check_provable(game)
        games = GameReaders()
        larger = _freer(game, games.of(game))
        found = Decider(games.of(larger), question, CELLS).example(PLAYABLE)
    except GrundylabError as error:
        raise Refused(f"automata do not show that the rules make a game: {error}") from None
    if found is not None:
        place = ", ".join(f"{name}={value}" for name, value in found.items())
        raise Refused(
            f"the rules make no game at {place}: a move leaves the position space or does not lower the measure, or "
            "something has no value"
        )


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
