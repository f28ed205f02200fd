"""Well-foundedness as sequents, for rules that automata cannot read, such as those of a family."""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.language.syntax import TRUE, Expr, Int, compare, conjunction
from grundylab.prove.core.core_theorem import Refused
from grundylab.prove.core.definedness import Definedness, implied
from grundylab.prove.core.sequent import Sequent, Theory, Universal, at_place
from grundylab.prove.core.space import check_provable, plainly_natural, range_conditions, signed_choices


def foundation(theory: Theory, values: str, assumed: Expr, definedness: Definedness) -> Iterator[Sequent]:
    """Yield the sequents that together say that the rules of a game make it well founded.

    Every move leads to positions and lowers a natural number, and all rules have values. assumed: a condition on the
    parameters. Raises Refused if a coordinate does not plainly begin at 0 or above.
    """
    game = theory.game(values)
    check_provable(game)
    if not all(plainly_natural(coordinate.range.low) for coordinate in game.coordinates):
        raise Refused("the range of every coordinate begins at 0 or above")
    names = (*game.coordinate_names, *game.parameter_names)
    positions = conjunction(*range_conditions(game.coordinates, game.bounds), game.where)
    here = conjunction(game.domain, assumed, positions)

    def sequents(
        said: Expr, more: tuple[str, ...] = (), signed: frozenset[str] = frozenset()
    ) -> Iterator[Sequent]:
        for goal in (definedness.of(said), said):
            plain = theory.plain(goal)
            if plain != TRUE:
                claim = Universal((*game.coordinate_names, *more), TRUE, plain)
                yield Sequent(theory, claim, (), plain, (*names, *more), signed, founded=False)

    yield from sequents(implied(here, compare(">=", game.measure, Int(0))))
    signed = signed_choices(game.moves)
    for move in game.moves:
        inside = conjunction(*(choice.inside for choice in move.choices))
        said = list[Expr]()
        for part in move.parts:
            said += [compare(">=", value, Int(0)) for value in part if not plainly_natural(value, signed)]
            said.append(at_place(positions, game, part))
            said.append(compare("<", at_place(game.measure, game, part), game.measure))
        legal = implied(here, implied(inside, implied(theory.guard(values, move), conjunction(*said))))
        choices = tuple(choice.name for choice in move.choices)
        yield from sequents(legal, choices, signed & {*choices})
