"""Moves as conditions: a position is an option of another one, where both are given by expressions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce

from grundylab.games.listing import movable, quantified
from grundylab.games.model import ALWAYS, Move, Ranged, Ruleset
from grundylab.language import names
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Bool,
    Expr,
    Name,
    Not,
    compare,
    conjunction,
    disjunction,
    free_names,
)
from grundylab.prove.kernel.space import natural_coordinates, position_space
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement
from grundylab.statement.conditions import split_where

Place = tuple[Expr, ...]  # a value for each coordinate
Step = tuple[
    tuple[Ranged, ...], Expr, Place
]  # the choices of a move, when it can be made, and where it leads


def negation(condition: Expr) -> Expr:
    """That it is false."""
    match condition:
        case Bool(value=value):
            return FALSE if value else TRUE
        case Not(operand=operand):
            return operand
    return Not(condition)


def implied(condition: Expr, then: Expr) -> Expr:
    """That the one is so only where the other is. What follows need have a value only there."""
    return TRUE if then == TRUE else disjunction(negation(condition), then)


def without_functions(ruleset: Ruleset) -> Ruleset:
    """The same game with its functions written out, so that its rules can be said of another game's positions."""
    expand = ruleset.functions.expand
    return replace(
        ruleset,
        coordinates=tuple(c.mapped(expand) for c in ruleset.coordinates),
        moves=tuple(move.mapped(expand) for move in ruleset.moves),
        parameters=tuple(replace(p, domain=expand(p.domain)) for p in ruleset.parameters),
        where=expand(ruleset.where),
        measure=expand(ruleset.measure),
    )


def here(ruleset: Ruleset) -> Place:
    """The position that the coordinates are."""
    return tuple(map(Name, ruleset.coordinate_names))


def equal(one: Place, other: Place) -> Expr:
    """That both are the same position."""
    return conjunction(*(compare("==", a, b) for a, b in zip(one, other, strict=True) if a != b))


def for_every(choices: Sequence[Ranged], condition: Expr) -> Expr:
    """That it is true for all choices."""
    return TRUE if condition == TRUE else quantified("all", choices, condition)


def at(said: Expr, ruleset: Ruleset, place: Place) -> Expr:
    """What is said of the position that the coordinates are, said of this one."""
    return substitute(said, dict(zip(ruleset.coordinate_names, place, strict=True)))


def is_position(ruleset: Ruleset, place: Place) -> Expr:
    """That it is a position, of any size. Raises NotProvable where the position space cannot be said."""
    lows = (compare("<=", c.range.low, Name(c.name)) for c in ruleset.coordinates)
    return at(conjunction(*lows, position_space(ruleset)), ruleset, place)


def steps(ruleset: Ruleset, place: Place, beside: Place = ()) -> Iterator[Step]:
    """The moves from the position; their choices have invented names, that nothing in it, or in ``beside``, has."""
    used = reduce(frozenset.union, map(free_names, (*place, *beside)), frozenset[str]())
    put = partial(substitute, values=dict(zip(ruleset.coordinate_names, place, strict=True)))
    for move in ruleset.moves:
        choices, when, to = _renamed(move, used)
        if move.a_pass:
            when = conjunction(when, movable(ruleset))
        yield tuple(choice.mapped(put) for choice in choices), put(when), tuple(map(put, to))


def _renamed(move: Move, used: Collection[str]) -> Step:
    """The move with choices that have invented names, none of those used."""
    new, choices = dict[str, Expr](), list[Ranged]()
    for choice in move.choices:
        name = names.bound(choice.name, {*used, *(c.name for c in choices)})
        choices.append(Ranged(name, choice.mapped(partial(substitute, values=new)).range))
        new = {**new, choice.name: Name(name)}
    if len(move.parts) != 1:
        raise Refused("a move leads to a sum, which is no position")
    (part,) = move.parts
    return tuple(choices), substitute(move.when, new), tuple(substitute(value, new) for value in part)


def some_option(ruleset: Ruleset, place: Place, says: Callable[[Place], Expr], beside: Place) -> Expr:
    """That some option of the position is one of which something is said, with nothing but that and ``beside``."""
    return disjunction(
        *(
            quantified("any", choices, conjunction(when, says(to)))
            for choices, when, to in steps(ruleset, place, beside)
        )
    )


def leads(ruleset: Ruleset, place: Place, to: Place) -> Expr:
    """That some move leads from the one position to the other."""
    return some_option(ruleset, place, lambda option: equal(option, to), to)


def adjacent(ruleset: Ruleset, one: Place, other: Place) -> Expr:
    """That a move leads from one of the two positions to the other: then their Grundy numbers are not the same."""
    return disjunction(leads(ruleset, one, other), leads(ruleset, other, one))


def always(
    game: Ruleset,
    where: Expr,
    parts: Iterable[Expr],
    variables: Sequence[Ranged] = (),
    beside: Statement | None = None,
) -> Iterator[Statement]:
    """Yield the statement that all parts are true at every position that fulfils ``where``; none if they plainly are.

    variables: what else it is for all values of. beside: whose look-ups it may have. What ``where`` asks of positions
    becomes a part of the formula: a premise may be about no position at all. Where all parts plainly are true, it is
    still claimed that no coordinate is below 0; no statement has a variable that is.
    """
    assumed, about = split_where(where, game)
    condition = implied(about, conjunction(*parts))
    if condition == TRUE:
        condition = natural_coordinates(game)
    if condition != TRUE:
        lookups = beside.lookups if beside else ()
        yield Statement(game, ALWAYS, condition, assumed, tuple(variables), lookups)
