"""The gate before every ``proved``: the statement as its author wrote it, held against the game as its rules define it.

A proof, by whatever method, is about what the method has read. So before anyone sees ``proved`` the statement itself,
untouched by any method, is evaluated by the plain reader and compared with the definition: in small tables; at single
positions wherever a condition in the statement or the rules turns, however far away (``places.py``, ``local.py``); in
larger tables that go beyond the largest constants; and, where none of these would fit, at single positions next to the
constants. What is found wrong here is wrong whatever was proved; and a statement of which no position was looked at is
not called proved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice, product

from grundylab.check.families import Extent, chosen_functions, members
from grundylab.check.judging import judge_at
from grundylab.errors import GrundylabError, LimitError
from grundylab.games.instance import make_instance
from grundylab.games.model import Claim, Ruleset
from grundylab.language.plain import Meter
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.prove.onegame import FAR, FAR_MOVES, OneGame, safely, written
from grundylab.prove.outcome import Look, together
from grundylab.prove.probes import (
    Holds,
    largest_constant,
    parameter_values,
    turning,
)
from grundylab.solve import solve

OTHERS = 16  # further combinations, at which a condition turns
FEW = 2_000  # moves of a table that is made for one of those
SMALL = 15_000  # moves of a table that is made by the definition itself: some hundredths of a second
STEPS = 3_000_000  # of the plain reader, for one statement: a few seconds
MEMBERS = 10_000  # games of a family that are listed
FAMILY = 40  # of them that are looked at
SMALL_GAME, MOST_SIZE = 3, 40  # bounds of games of a family: of all of them, and of the first few
FIRST = 4  # that few
ALONE = 12_000_000  # cells of a table for one place where nobody else says that the statement is proved
ALONE_MOVES = 100_000_000_000  # of all such tables: a kernel takes about a minute for half of that


def look(
    ruleset: Ruleset, claim: Claim, where: Expr = TRUE, holds: Holds | None = None, alone: bool = False
) -> Look:
    """The claim, at positions and parameters that fulfil ``where`` as well, against the definition.

    holds: of which parameter values the statement is said to be true (all if not given). alone: nobody but one method
    has proved it, so that it is worth more to look far.
    """
    about = replace(claim, where=conjunction(claim.where, where))
    if ruleset.free:
        return _family(ruleset, about)
    most = largest_constant(ruleset, about)
    meter = Meter(STEPS, LimitError)
    places = {} if claim.values or claim.tables else turning(ruleset, about, holds)
    chosen = parameter_values(ruleset, about, holds)
    others = [dict(key) for key in places if dict(key) not in chosen]
    games = [
        OneGame(ruleset, about, parameters, most, places.get(tuple(parameters.items()), []), meter)
        for parameters in [*chosen, *others[:OTHERS]]
    ]
    looks: list[Callable[[], Look]] = [
        partial(game.near, SMALL if number < len(chosen) else FEW) for number, game in enumerate(games)
    ]
    total = Look()
    if not (
        claim.values or claim.tables
    ):  # what is looked up is known in tables that are made, and there alone
        looks += [game.far for game in games[: len(chosen)]]
        cells, moves = (ALONE, ALONE_MOVES) if alone else (FAR, FAR_MOVES)
        tables = Meter(moves, LimitError)
        looks += [partial(game.around_places, cells, tables) for game in games]
    for looking in looks:
        total = together(total, safely(looking))
        if total.bad:
            break
    missed = sum(len(places[tuple(parameters.items())]) for parameters in others[OTHERS:])
    total = replace(total, missed=missed + sum(len(game.left) for game in games))
    if total.wrong is None or total.wrong.smallest:
        return total
    game = next(game for game in games if game.parameters == total.wrong.parameters)
    return replace(total, wrong=game.smallest(total.wrong))


# -- families ---


def _family(ruleset: Ruleset, claim: Claim) -> Look:
    """The statement in some games of the family, with functions of few arguments and small values.

    Of what is about no position of these, in the first few games that are larger than its constants.
    """
    sizes = [*product((1, 0), range(SMALL_GAME, 0, -1)), (0, largest_constant(ruleset, claim) + 1)]
    for first, size in sizes:
        if size > MOST_SIZE:
            break
        try:
            found = _in_members(ruleset, claim, first, size)
        except GrundylabError:  # a function is asked for a value that it was not given
            continue
        if found.positions:
            return found
    return Look()


def _in_members(ruleset: Ruleset, claim: Claim, first: int, size: int) -> Look:
    small = size <= SMALL_GAME
    extents = {
        free.name: Extent(
            (range(first, first + (8 if len(free.arguments) == 1 else 3) + (0 if small else size)),)
            * len(free.arguments),
            range(3 if len(free.arguments) == 1 else 2),
        )
        for free in ruleset.free
    }
    games = list(islice(members(ruleset, extents), MEMBERS if small else FIRST))
    total, most = Look(), largest_constant(ruleset, claim)
    for parameters in parameter_values(ruleset, claim, None):
        for game in games[:: max(1, len(games) // FAMILY)]:
            instance = make_instance(game, parameters, dict.fromkeys(ruleset.bounds, size))
            check = judge_at(written(claim, instance), solve(instance, claim.target.values))
            wrong = check.counterexample
            if wrong is not None:
                every = small and len(games) <= FAMILY
                wrong = replace(wrong, functions=chosen_functions(game, ruleset), smallest=every)
            total = together(total, Look(check.checked, size, size > most, wrong=wrong))
        if total.wrong is not None:
            break
    return total
