"""Specialisation of rulesets: parameters become numbers, and a choice with few values becomes several moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from grundylab.errors import EvaluationError, InstanceError
from grundylab.games.instance import check_domain
from grundylab.games.linear_moves import standard_form
from grundylab.games.model import Claim, Move, Parameter, Ranged, Ruleset
from grundylab.language.functions import AnyFunction, Function, Functions
from grundylab.language.operators import OPERATORS
from grundylab.language.plain import closed_value, is_closed
from grundylab.language.substitution import lower, substitute
from grundylab.language.syntax import (
    Binary,
    Compare,
    Expr,
    Int,
    Name,
    conjunction,
    conjuncts,
    distinct_parts,
    free_names,
)

MOST_VALUES = 64  # the most moves that one move becomes


def specialise(ruleset: Ruleset, values: Mapping[str, int]) -> Ruleset:
    """Return the ruleset with the named parameters replaced by their values everywhere, also in its claims.

    Raises InstanceError for a value outside the parameter's domain, and for a name that is no parameter.
    """
    if not values:
        return ruleset
    for name, value in values.items():
        if name not in ruleset.parameter_names or type(value) is not int:
            raise InstanceError(f"{ruleset.name}: {name}={value} must be a parameter with an integer value")
    check_domain(ruleset, values)

    def put(expr: Expr) -> Expr:
        return substitute(expr, values)

    def put_plainly(expr: Expr) -> Expr:
        return standard_form(put(expr)) if free_names(expr) & values.keys() else expr

    def put_claim(old: Claim) -> Claim:
        variables = tuple(variable.mapped(put_plainly) for variable in old.variables)
        return replace(old, formula=put(old.formula), where=put(old.where), variables=variables)

    def put_within(function: AnyFunction) -> AnyFunction:
        if not isinstance(function, Function):
            return function
        # a function of a looked-up game may have an argument with the name of a parameter of this game
        given = {name: value for name, value in values.items() if name not in function.arguments}
        return replace(function, body=substitute(function.body, given))

    functions = tuple(map(put_within, ruleset.functions))
    names = tuple(name for name in ruleset.functions.parameters if name not in values)
    domains = {p.name: put(p.domain) for p in ruleset.parameters}
    kept = [Parameter(name, domain) for name, domain in domains.items() if name not in values]
    if kept:  # domains of fixed parameters may still restrict the others
        conditions = (domain for name, domain in domains.items() if name in values and free_names(domain))
        kept[-1] = replace(kept[-1], domain=conjunction(kept[-1].domain, *conditions))
    return replace(
        ruleset,
        coordinates=tuple(c.mapped(put_plainly) for c in ruleset.coordinates),
        moves=tuple(move.mapped(put_plainly) for move in ruleset.moves),
        measure=put(ruleset.measure),
        where=put(ruleset.where),
        parameters=tuple(kept),
        functions=Functions(functions, names),
        claims=tuple(put_claim(claim) for claim in ruleset.claims),
    )


def expand_choices(ruleset: Ruleset) -> Ruleset:
    """Return the same game with some choices expanded: one move with the choice becomes a move for each of its values.

    A choice is expanded if something is divided, shifted or multiplied by it, so that ``n // k`` becomes a quotient by
    a constant. The ends of its range must be constants. One move never becomes more than MOST_VALUES moves.
    """
    moves = tuple(one for move in ruleset.moves for one in _each_value(move, ruleset.functions, MOST_VALUES))
    return ruleset if moves == ruleset.moves else replace(ruleset, moves=moves)


def _each_value(move: Move, functions: Functions, most: int) -> list[Move]:
    """Return the moves that replace this one, at most ``most``; the move itself if no choice is expanded."""
    for number, choice in enumerate(move.choices):
        if not all(is_closed(end, functions) for end in choice.ends):
            continue
        nodes = (node for expr in move.expressions for node in distinct_parts(lower(expr)))
        varying = (node for node in nodes if isinstance(node, Binary) and node.varies)
        by = (node if OPERATORS[node.op].commutes else node.right for node in varying)
        if not any(choice.name in operand.free for operand in by):
            continue
        try:
            low, high = (closed_value(end, functions) for end in choice.ends)
        except EvaluationError:
            continue
        if 1 <= high - low + 1 <= most:
            rest = replace(move, choices=(*move.choices[:number], *move.choices[number + 1 :]))
            values = range(low, high + 1)
            replaced = (rest.mapped(partial(substitute, values={choice.name: value})) for value in values)
            return [one for move in replaced for one in _each_value(move, functions, most // len(values))]
    return [move]


def with_variables(ruleset: Ruleset, variables: Sequence[Ranged]) -> Ruleset:
    """Return the ruleset with a claim's variables as further coordinates, and without moves and claims.

    The moves are left out because such a claim says nothing about them.
    """
    return replace(ruleset, coordinates=(*ruleset.coordinates, *variables), moves=(), piles=(), claims=())


def fixed_values(condition: Expr, names: tuple[str, ...]) -> dict[str, int]:
    """Return the values that equations in the condition give to these names: ``m == 4 and …`` gives {m: 4}."""
    values = {}
    for term in conjuncts(condition):
        match term:
            case Compare(ops=("==",), terms=(Name(id=name), Int(value=value))) if (
                name in names and value >= 0
            ):
                values[name] = value
    return values


def plainly_apart(a: Expr, b: Expr) -> bool:
    """Tell whether equations in the conditions give a name two values, so that no position fulfils both."""
    names = tuple(free_names(a) & free_names(b))
    ones, others = fixed_values(a, names), fixed_values(b, names)
    return any(ones[name] != others[name] for name in ones.keys() & others.keys())
