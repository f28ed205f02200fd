"""The condition that rules make a game: every move leads to a position and lowers a measure that is never negative.

The rule of induction proves this as one of its parts. The other rules of proof, and the certificates of periods and of
runs, check it here for the statement's game and for every looked-up game. Otherwise they would miss large positions
where a move does not lower the measure or a condition has no value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.intervals import is_total
from grundylab.language.syntax import TRUE, Expr, Int, compare, conjunction, conjuncts
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.decide import CELLS, GameReader, GameReaders
from grundylab.prove.core.definedness import implied
from grundylab.prove.core.space import check_provable, plainly_natural
from grundylab.prove.kernel.evidence import Evidence
from grundylab.prove.kernel.induction_automata import PLAYABLE, Decider
from grundylab.prove.kernel.moves import (
    for_every,
    is_position,
    own_place,
    steps,
    substitute_place,
    without_functions,
)
from grundylab.prove.kernel.question import Hypothesis, Question
from grundylab.prove.kernel.session import Session
from grundylab.prove.kernel.theorem import Refused, SideCondition
from grundylab.statement import Statement


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


def family_ends(game: Ruleset) -> Iterator[Statement]:
    """Yield statements that the rules make a game, whatever the free functions are; none for a game without these.

    Raises Refused if a coordinate may begin below 0.
    """
    if not game.free:
        return
    written_out = without_functions(game)
    if not all(plainly_natural(coordinate.range.low) for coordinate in game.coordinates):
        raise Refused("a coordinate may begin below 0")
    yield Statement(game, ALWAYS, compare(">=", written_out.measure, Int(0)))
    for choices, when, option in steps(written_out, own_place(game), (written_out.measure,)):
        lower = compare("<", substitute_place(written_out.measure, game, option), written_out.measure)
        well = conjunction(is_position(written_out, option), lower)
        yield Statement(game, ALWAYS, for_every(choices, implied(when, well)))


def _ends(statement: Statement, _: Evidence, __: Session) -> bool:
    fixed = fixed_values(statement.where, statement.game.parameter_names)
    others = [each.game for each in statement.lookups if each.game is not None]
    for game in (statement.game, *others):
        if not game.free:
            known = {name: value for name, value in fixed.items() if name in game.parameter_names}
            check_playable(specialise(game, known))
    return True


ENDS = SideCondition("every play of the game, and of each looked-up game, ends", _ends)
