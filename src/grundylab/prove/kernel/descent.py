"""The rule of descent: a condition is proved at a place under the assumption that it is true at smaller places.

A place is a position together with values of the statement's variables. A measure gives each place a number. For each
place the evidence names some other places; those count as smaller that the statement is about and whose measure is
natural and less. The premise is: the condition is true at a place if it is true at the smaller places named for it.

Then the condition is true everywhere. For suppose that it is false at some places. If one of these has a natural
measure, take one whose natural measure is least: the condition is true at all smaller places, so by the premise it is
true there, a contradiction. If none of them has a natural measure, no place counts as smaller than any of them, and
the premise makes the condition true there without an assumption.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grundylab.games.model import ALWAYS, Ranged
from grundylab.language.parser import check_names
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Compare, Expr, Int, Kind, Name, compare, conjunction, free_names
from grundylab.prove.core.definedness import implied
from grundylab.prove.kernel.evidence import Descent
from grundylab.prove.kernel.moves import is_position, own_place
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


def premises(statement: Statement, evidence: Descent) -> Iterator[Statement]:
    """Yield the statement that the condition is true at a place if it is true at the smaller places named for it.

    Raises Refused if the evidence names a place otherwise than by numbers for coordinates and variables.
    """
    game = statement.game
    known = {*game.formula_names, *(variable.name for variable in statement.variables)}
    check_names(evidence.measure, known, game.functions)
    _, about = split_condition(statement.where, game)
    about = conjunction(
        is_position(game, own_place(game)),
        *(_inside(each, game.bounds) for each in statement.variables),
        about,
    )
    supposed = list[Expr]()
    for place in evidence.smaller:
        values = dict(place)
        if not values.keys() <= known - set(game.parameter_names) or len(values) < len(place):
            raise Refused(
                "a smaller place must give one value to each name, which is a coordinate or variable"
            )
        for value in values.values():
            check_names(value, known, game.functions)
            if value.kind is not Kind.NUMBER:
                raise Refused(f"'{value}' is no number")
        measure = substitute(evidence.measure, values)
        smaller = Compare(("<=", "<"), (Int(0), measure, evidence.measure))
        there = conjunction(smaller, substitute(about, values))
        supposed.append(implied(there, substitute(statement.formula, values)))
    said = implied(conjunction(*supposed), statement.formula)
    yield replace(statement, formula=said)


def _inside(variable: Ranged, bounds: tuple[str, ...]) -> Expr:
    """Return the condition that the variable is in its range; an upper end that is a bound is left out.

    Raises Refused if the range mentions a bound anywhere else.
    """
    low, high = variable.ends
    endless = isinstance(high, Name) and high.id in bounds
    ends = compare("<=", low, Name(variable.name)) if endless else variable.inside
    if free_names(ends) & set(bounds):
        raise Refused(f"the range of {variable.name} mentions a bound")
    return ends


RULE = Rule(
    "a condition supposed at smaller places",
    Descent,
    (SideCondition("a condition is claimed", lambda s, *_: s.target == ALWAYS),),
    lambda statement, evidence: tuple(premises(statement, evidence)),
)
