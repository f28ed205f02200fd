"""Well-foundedness as sequents, for rules that automata cannot read, such as those of a family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from grundylab.language.syntax import TRUE, Expr, Int, compare, conjunction
from grundylab.prove.core.definedness import Definedness, implied, in_turn
from grundylab.prove.core.formulas import Refused
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
    about = (*range_conditions(game.coordinates, game.bounds), game.where)
    positions = conjunction(*about)
    here = conjunction(game.domain, assumed, positions)
    begun = definedness.in_order(game.domain, assumed, *about), here

    def sequents(
        steps: Sequence[tuple[Expr, Expr]],
        said: Expr,
        more: tuple[str, ...] = (),
        signed: frozenset[str] = frozenset(),
    ) -> Iterator[Sequent]:
        whole = reduce(lambda then, step: implied(step[1], then), reversed(steps), said)
        for goal in (in_turn([*steps, (definedness.of(said), TRUE)]), whole):
            plain = theory.plain(goal)
            if plain != TRUE:
                claim = Universal((*game.coordinate_names, *more), TRUE, plain)
                yield Sequent(theory, claim, (), plain, (*names, *more), signed, founded=False)

    yield from sequents([begun], compare(">=", game.measure, Int(0)))
    signed = signed_choices(game.moves)
    for move in game.moves:
        inside = conjunction(*(choice.inside for choice in move.choices))
        said = list[Expr]()
        for part in move.parts:
            said += [compare(">=", value, Int(0)) for value in part if not plainly_natural(value, signed)]
            said.append(at_place(positions, game, part))
            said.append(compare("<", at_place(game.measure, game, part), game.measure))
        guard = theory.guard(values, move)
        steps = [
            begun,
            (definedness.in_order(*(choice.inside for choice in move.choices)), inside),
            (definedness.in_order(move.when, guard), guard),
        ]
        choices = tuple(choice.name for choice in move.choices)
        yield from sequents(steps, conjunction(*said), choices, signed & {*choices})
