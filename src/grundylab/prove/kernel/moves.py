"""Conditions that state moves: one position is an option of another, each given by expressions for its coordinates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce

from grundylab.games.listing import move_condition, quantify
from grundylab.games.model import ALWAYS, Move, Ranged, Ruleset
from grundylab.language import names
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    TRUE,
    Bounded,
    Expr,
    Name,
    compare,
    conjunction,
    disjunction,
    distinct_parts,
    free_names,
)
from grundylab.prove.core.definedness import implied
from grundylab.prove.core.space import natural_coordinates, position_space
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition

OptionPlace = tuple[Expr, ...]  # a value for each coordinate
Step = tuple[
    tuple[Ranged, ...], Expr, OptionPlace
]  # a move: its choices, the condition under which it can be made, and the option


def without_functions(ruleset: Ruleset) -> Ruleset:
    """Return the game with its functions written out, so that its rules can be stated within another game."""
    expand = ruleset.functions.expand
    return replace(
        ruleset,
        coordinates=tuple(c.mapped(expand) for c in ruleset.coordinates),
        moves=tuple(move.mapped(expand) for move in ruleset.moves),
        parameters=tuple(replace(p, domain=expand(p.domain)) for p in ruleset.parameters),
        where=expand(ruleset.where),
        measure=expand(ruleset.measure),
    )


def own_place(ruleset: Ruleset) -> OptionPlace:
    """Return the position whose coordinates are the ruleset's own coordinate names."""
    return tuple(map(Name, ruleset.coordinate_names))


def equal(one: OptionPlace, other: OptionPlace) -> Expr:
    """Return the condition that both places are the same position."""
    return conjunction(*(compare("==", a, b) for a, b in zip(one, other, strict=True) if a != b))


def for_every(choices: Sequence[Ranged], condition: Expr) -> Expr:
    """Return the condition that ``condition`` is true for all choices in their ranges."""
    return TRUE if condition == TRUE else quantify("all", choices, condition)


def substitute_place(said: Expr, ruleset: Ruleset, place: OptionPlace) -> Expr:
    """Return the expression with the numbers of ``place`` in place of the ruleset's coordinate names."""
    return substitute(said, dict(zip(ruleset.coordinate_names, place, strict=True)))


def is_position(ruleset: Ruleset, place: OptionPlace) -> Expr:
    """Return the condition that the place is a position, whatever the bounds are.

    Raises NotProvable if the position space without bounds cannot be written as a condition.
    """
    lows = (compare("<=", c.range.low, Name(c.name)) for c in ruleset.coordinates)
    return substitute_place(conjunction(*lows, position_space(ruleset)), ruleset, place)


def steps(ruleset: Ruleset, place: OptionPlace, beside: Iterable[Expr]) -> Iterator[Step]:
    """Yield the moves from the position ``place``.

    Their choices have new names, which occur neither in ``place`` nor in the expressions of ``beside``, not even as
    bound variables: whoever puts a choice within such an expression captures nothing. Raises Refused if a move leads to
    a sum of positions.
    """
    whole = (*place, *beside)
    bound = {node.variable for expr in whole for node in distinct_parts(expr) if isinstance(node, Bounded)}
    used = reduce(frozenset.union, map(free_names, whole), frozenset(bound))
    put = partial(substitute, values=dict(zip(ruleset.coordinate_names, place, strict=True)))
    for move in ruleset.moves:
        choices, when, to = _renamed(move, used)
        if move.a_pass:
            when = conjunction(when, move_condition(ruleset))
        yield tuple(choice.mapped(put) for choice in choices), put(when), tuple(map(put, to))


def _renamed(move: Move, used: Collection[str]) -> Step:
    """Return the move with new names for its choices, none of them in ``used``."""
    new, choices = dict[str, Expr](), list[Ranged]()
    for choice in move.choices:
        name = names.fresh_bound_name(choice.name, {*used, *(c.name for c in choices)})
        choices.append(Ranged(name, choice.mapped(partial(substitute, values=new)).range))
        new = {**new, choice.name: Name(name)}
    if len(move.parts) != 1:
        raise Refused("a move leads to a sum of positions, which this rule does not cover")
    (part,) = move.parts
    return tuple(choices), substitute(move.when, new), tuple(substitute(value, new) for value in part)


def some_option(
    ruleset: Ruleset, place: OptionPlace, says: Callable[[OptionPlace], Expr], beside: OptionPlace
) -> Expr:
    """Return the condition that some option of ``place`` fulfils ``says``; new names do not occur in ``beside``."""
    return disjunction(
        *(
            quantify("any", choices, conjunction(when, says(to)))
            for choices, when, to in steps(ruleset, place, beside)
        )
    )


def leads_to(ruleset: Ruleset, place: OptionPlace, to: OptionPlace) -> Expr:
    """Return the condition that some move leads from ``place`` to ``to``."""
    return some_option(ruleset, place, lambda option: equal(option, to), to)


def adjacent(ruleset: Ruleset, one: OptionPlace, other: OptionPlace) -> Expr:
    """Return the condition that a move leads from one position to the other, in either direction.

    Two such positions have different Grundy values.
    """
    return disjunction(leads_to(ruleset, one, other), leads_to(ruleset, other, one))


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
