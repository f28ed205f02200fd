"""That rules make a game at every position: what a certificate of a period or of runs takes for granted.

An induction proves it with all else. A certificate looks at the positions that its rows, or its kind of moves, come
to; so a measure that no move lowers far away, or a guard without a value there, would escape it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.language.intervals import is_total
from grundylab.language.syntax import TRUE, Expr, conjunction, conjuncts
from grundylab.logic.outside import OutsideFragment
from grundylab.prove.hypothesis import ASKED, Hypothesis, Question
from grundylab.prove.induction import PLAYABLE, Decider, Game, Games
from grundylab.prove.outcome import CertificateError, Limits
from grundylab.prove.space import check_provable


@lru_cache(maxsize=64)  # many rows are of one game
def check_playable(ruleset: Ruleset) -> None:
    """Raise CertificateError unless automata show that the rules make a game.

    Every move leads into the position space and to a smaller measure, which is never negative; whatever is asked of a
    position has a value. Of how many may be taken only what automata can read is used: with more moves it is so, too.
    """
    nothing = Hypothesis(TRUE, None, (), (ASKED,))
    try:
        check_provable(ruleset)
        games = Games()
        larger = _freer(ruleset, games.of(ruleset))
        found = Decider(games.of(larger), Question(TRUE, ALWAYS, TRUE, nothing), Limits().cells).example(
            PLAYABLE
        )
    except GrundylabError as error:
        raise CertificateError(f"that the rules make a game was not shown: {error}") from None
    if found is not None:
        at = ", ".join(f"{name}={value}" for name, value in found.items())
        raise CertificateError(
            f"the rules make no game at {at}: a move leaves the position space or does not lower the measure, or "
            "something has no value"
        )


def _freer(ruleset: Ruleset, game: Game) -> Ruleset:
    """The game without those conditions on moves that automata do not express, if they have a value everywhere."""

    def kept(condition: Expr) -> bool:
        try:
            game.reader.true(condition)
        except OutsideFragment:
            return not is_total(condition, ruleset.functions)
        return True

    moves = tuple(replace(m, when=conjunction(*filter(kept, conjuncts(m.when)))) for m in ruleset.moves)
    return ruleset if moves == ruleset.moves else replace(ruleset, moves=moves, claims=())
