"""Statements about numbers alone, without moves, and new names for the numbers in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import count

from grundylab.games.model import ALWAYS, Range, Ranged, Ruleset, coordinate_sum
from grundylab.language.functions import AnyFunction, Function, Functions
from grundylab.language.syntax import (
    TRUE,
    Bounded,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    distinct_parts,
    free_names,
)
from grundylab.prove.core.definedness import implied
from grundylab.prove.core.space import natural_coordinates, plainly_natural
from grundylab.prove.kernel.calls import Calls
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


def natural(place: Sequence[Expr], signed: Set[str] = frozenset()) -> Expr:
    """Return the condition that no number of the place is negative, if only the names in ``signed`` may be negative."""
    doubtful = (argument for argument in place if not plainly_natural(argument, signed))
    return conjunction(*(compare(">=", argument, Int(0)) for argument in doubtful))


def always_statement(
    game: Ruleset,
    where: Expr,
    parts: Iterable[Expr],
    variables: Sequence[Ranged] = (),
    beside: Statement | None = None,
) -> Iterator[Statement]:
    """Yield the statement that all parts are true at every position that fulfils ``where``, for all variables.

    Only those terms of ``where`` that mention parameters alone become the statement's condition; the others become
    assumptions in its formula. If the parts are plainly true, the statement is only that no coordinate is below 0;
    nothing is yielded if that is plain, too. beside: a statement whose look-ups the parts may call.
    """
    assumed, about = split_condition(where, game)
    condition = implied(about, conjunction(*parts))
    if condition == TRUE:
        condition = natural_coordinates(game)
    if condition != TRUE:
        lookups = beside.lookups if beside else ()
        yield Statement(game, ALWAYS, condition, assumed, tuple(variables), lookups)


def for_all_numbers(
    game: Ruleset, assumed: Expr, said: Expr, variables: Sequence[Ranged]
) -> Iterator[Statement]:
    """Yield the statement that the condition ``said`` is true for all values of the coordinates and variables in it.

    assumed: a condition on parameters. Coordinates and variables that ``said`` does not need are left out together with
    their ranges, which can only make the statement stronger.
    """
    kept = _needed([*game.coordinates, *variables], said)
    coordinates = [each for each in game.coordinates if each in kept]
    others = [each for each in variables if each in kept]
    still = without_rules(game, coordinates or [*game.coordinates[:1]], others)
    yield from always_statement(still, assumed, [said], others)


def _needed(numbers: Sequence[Ranged], said: Expr) -> set[Ranged]:
    """Return those of ``numbers`` whose names occur in the condition, or in the range of another that is returned."""
    needed, named = set[Ranged](), free_names(said)
    for each in reversed(numbers):  # a range may mention earlier names
        if each.name in named:
            needed.add(each)
            named = named.union(*map(free_names, each.ends))
    return needed


def without_rules(game: Ruleset, coordinates: Sequence[Ranged], variables: Sequence[Ranged] = ()) -> Ruleset:
    """Return a game with these coordinates, and without moves, further conditions and free functions.

    Raises Refused if the range of a coordinate or variable, or a parameter's domain, calls a free function.
    """
    free = {function.name for function in game.free}
    ends = [game.functions.expand(end) for each in (*coordinates, *variables) for end in each.ends]
    if not all(map(Calls(free).is_plain, (*ends, game.functions.expand(game.domain)))):
        raise Refused("a range or domain depends on a free function")
    plain = tuple(each for each in game.functions if not free & _callees(each, game.functions))
    return replace(
        game,
        coordinates=tuple(coordinates),
        moves=(),
        where=TRUE,
        free=(),
        claims=(),
        piles=(),
        measure=coordinate_sum(tuple(coordinate.name for coordinate in coordinates)),
        functions=Functions(plain, game.functions.parameters),
    )


def _callees(function: AnyFunction, functions: Functions) -> set[str]:
    """Return the names of the function and of all functions that it calls, directly or through others."""
    bodies = (function.body,) if isinstance(function, Function) else ()
    return {function.name, *(used.name for used in functions.called_by(*bodies))}


def names_in(game: Ruleset, *exprs: Expr) -> set[str]:
    """Return the names of a game's coordinates, parameters and bounds, and all names bound in it or in ``exprs``."""
    bodies = (function.body for function in game.functions if isinstance(function, Function))
    said = [*exprs, *game.expressions, *bodies, *(free.condition for free in game.free)]
    bound = {node.variable for expr in said for node in distinct_parts(expr) if isinstance(node, Bounded)}
    return {*game.formula_names, *game.bounds, *bound}


def fresh_name(stem: str, taken: set[str]) -> str:
    """Return a new name, which no user can write and which is not in ``taken``; add it to ``taken``."""
    name = next(name for i in count() if (name := f"_{stem}_{i}") not in taken)
    taken.add(name)
    return name


def any_natural(name: str, game: Ruleset) -> Ranged:
    """Return a variable that may be any natural number; raise Refused if the game has no bound to end its range."""
    if not game.bounds:
        raise Refused("the game has no bound, so a variable of any size cannot be written")
    return Ranged(name, Range(Int(0), Name(game.bounds[0])))
