"""Where the gate looks: some parameter values, and the places where a condition in statement or rules turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

from grundylab.errors import GrundylabError, LimitError
from grundylab.games.model import ALWAYS, Claim, Ruleset
from grundylab.language.functions import Function
from grundylab.language.plain import Meter, evaluate
from grundylab.language.syntax import Accepts, Expr, Int, Kind, called, compare, conjunction, free_names, walk
from grundylab.prove.evidence import TRIED, parameters_within
from grundylab.prove.hypothesis import split_where
from grundylab.prove.places import Places

MOST_VALUES = 500  # of a single parameter, from 0 on
CONSTANT_STEPS = 10_000  # of reading constants that are written as calculations
OF_RULES = 150  # places where the rules turn that are looked at, of as many as are found
PLACE_STEPS = 300_000  # of looking for where conditions turn: a tenth of a second
STILL_STEPS = 40_000  # where nothing moves: a rule has many such premises, each about numbers alone

Holds = Callable[[Mapping[str, int]], bool]  # of which parameter values a statement is said to be true


def constants_in(expressions: Sequence[Expr]) -> set[int]:
    """The numbers in the expressions, whatever they are written as (``1 << 40``), and of automata how many states
    they have."""
    found, meter = set[int](), Meter(CONSTANT_STEPS, LimitError)
    for expr in expressions:
        for node in walk(expr):
            if isinstance(node, Accepts):
                found.add(len(node.automaton.rows))
            elif node.kind is Kind.NUMBER and not free_names(node) and not called(node):
                with suppress(GrundylabError):  # what has no value, or takes long
                    found.add(abs(evaluate(node, {}, meter=meter)))
    return found


def said(claim: Claim) -> list[Expr]:
    """The expressions of the claim."""
    return [claim.formula, claim.where, *(end for variable in claim.variables for end in variable.ends)]


def rules(ruleset: Ruleset) -> list[Expr]:
    """The expressions of the rules, but for the domains."""
    bodies = [function.body for function in ruleset.functions if isinstance(function, Function)]
    return [*ruleset.expressions, *bodies]


def largest_constant(ruleset: Ruleset, claim: Claim) -> int:
    """Of the claim and the rules."""
    return max(constants_in([*said(claim), *rules(ruleset)]), default=0)


def parameter_values(ruleset: Ruleset, claim: Claim, holds: Holds | None) -> list[dict[str, int]]:
    """Some that the claim is about: the first, the last, and some between, small ones and those next to constants."""
    names = ruleset.parameter_names
    if not names:
        return [{}]
    assumed, _ = split_where(claim.where, ruleset)
    constants = constants_in([*said(claim), *rules(ruleset), ruleset.domain])
    near = {c + d for c in constants for d in (-1, 0, 1)}
    end = min(max(constants, default=0) + 13, MOST_VALUES) if len(names) == 1 else 6
    values = sorted({*range(end), *(value for value in near if value >= 0)})
    if len(names) > 1:
        values = values[: max(6, int(TRIED ** (1 / len(names))))]
    inside = parameters_within(ruleset, assumed, values)
    found = [parameters for parameters in inside if holds is None or holds(parameters)]
    last = len(found) - 1
    return [found[place] for place in sorted({0, min(1, last), last // 2, last})] if found else []


Place = Mapping[str, int]  # values of parameters, coordinates, and the claim's variables


Turns = dict[tuple[tuple[str, int], ...], list[Place]]  # places by the values of their parameters


def turning(ruleset: Ruleset, claim: Claim, holds: Holds | None) -> Turns:
    """The places where a condition of statement or rules turns, by the values of the parameters."""
    assumed, _ = split_where(claim.where, ruleset)
    inside = conjunction(_space(ruleset), *(variable.within(()) for variable in claim.variables), claim.where)
    own = [claim.formula, claim.where, *_lows(ruleset)]
    names = (*_names(ruleset), *(variable.name for variable in claim.variables))
    of_rules = [] if claim.target == ALWAYS else _turning_rules(ruleset, assumed)
    found = Turns()
    for place in [*_places(ruleset, names, own, inside), *of_rules]:
        parameters = {name: place[name] for name in ruleset.parameter_names}
        if holds is None or holds(parameters):
            there = found.setdefault(tuple(parameters.items()), [])
            if place not in there:
                there.append(place)
    return found


@lru_cache(maxsize=16)  # many statements are about the same game
def _turning_rules(ruleset: Ruleset, assumed: Expr) -> Sequence[Place]:
    """Where the rules turn, at parameters that fulfil the condition."""
    moves = [conjunction(*(choice.inside for choice in move.choices), move.when) for move in ruleset.moves]
    about = [ruleset.domain, *moves, *rules(ruleset)]
    found = _places(ruleset, _names(ruleset), about, conjunction(_space(ruleset), assumed))
    return found[:: -(-len(found) // OF_RULES) or 1]


def _places(ruleset: Ruleset, names: Sequence[str], about: Sequence[Expr], inside: Expr) -> Sequence[Place]:
    """Where what it is about turns, as many as can be found with what it may cost."""
    chosen = {choice.name for move in ruleset.moves for choice in move.choices}
    found, steps = list[Place](), PLACE_STEPS if ruleset.moves else STILL_STEPS
    with suppress(LimitError):
        for place in Places(ruleset.functions, names, chosen, Meter(steps, LimitError)).of(about, inside):
            found.append(place)
    return found


def _names(ruleset: Ruleset) -> tuple[str, ...]:
    return (*ruleset.parameter_names, *ruleset.coordinate_names)


def _space(ruleset: Ruleset) -> Expr:
    """The domains and the ranges, as far as no bound ends them."""
    ranges = [coordinate.within(ruleset.bounds) for coordinate in ruleset.coordinates]
    return conjunction(ruleset.domain, *ranges, ruleset.where)


def _lows(ruleset: Ruleset) -> list[Expr]:
    """That the coordinates' ranges begin at 0 or above."""
    return [compare(">=", coordinate.range.low, Int(0)) for coordinate in ruleset.coordinates]
