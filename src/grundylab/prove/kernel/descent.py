"""The rule of descent: a condition assumed at smaller places.

Let there be a number for each position and each value of the variables, the measure. Suppose that the condition is
true wherever it is true at some places that the evidence names, as far as the statement is about these places and
their measure is natural and smaller. Then it is true everywhere: where it is false there is a place of the smallest
measure, if any of these measures is natural, and it is true at all smaller places. If none is natural, nothing is
assumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grundylab.games.model import ALWAYS, Ranged
from grundylab.language.parser import check_names
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Compare, Expr, Int, Kind, Name, compare, conjunction, free_names
from grundylab.prove.kernel.evidence import Descent
from grundylab.prove.kernel.moves import implied, is_position, own_place
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


def premises(statement: Statement, evidence: Descent) -> Iterator[Statement]:
    """Yield the statement that the condition is true if it is true at the smaller places."""
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
            raise Refused("a smaller place is given by something else than coordinates and variables")
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
    """Return the condition that the variable is in its range; an end that is a bound does not count."""
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
