"""The rule of instances: what is true for every function with a property is true for a game whose function has it.

The family is the game with some of its functions made free, that is, known by a property only. The premises are the
statement about the family and, for each of these functions of the game: at all natural arguments it has the property
and is not negative. The property may use values at natural arguments only, since a function of the family has no
others. No side condition is needed: by the premises, the game belongs to the family.

The family has only those of the game's parameters that it mentions: what is true without the others is true for all
their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from grundylab.games.model import ALWAYS, Claim, FreeFunction, Parameter, Range, Ranged, Ruleset
from grundylab.language.functions import Declared, Function, Functions
from grundylab.language.substitution import lower, substitute
from grundylab.language.syntax import (
    TRUE,
    Call,
    Expr,
    Int,
    Kind,
    Name,
    compare,
    conjunction,
    conjuncts,
    free_names,
)
from grundylab.prove.core.claims import natural_terms
from grundylab.prove.core.definedness import Definedness
from grundylab.prove.core.evidence import Property, PropertyInstance
from grundylab.prove.core.space import plainly_natural, signed_variables
from grundylab.prove.core.theorem import Refused, Rule
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition
from grundylab.statement.qualified_names import renamed, renamed_game, renaming_of


def premises(statement: Statement, evidence: PropertyInstance) -> Iterator[Statement]:
    """Yield the premises: the functions have the properties, and the statement about the family."""
    yield from have_properties(statement, evidence.properties)
    yield family_of(statement, evidence.properties)


def have_properties(statement: Statement, properties: Sequence[Property]) -> Iterator[Statement]:
    """Yield the statements that the game's functions are not negative, and have the properties, at natural arguments.

    They also state that a property uses values of the family's functions at natural arguments only. Raises Refused for
    a property that does not fit its function, or in which a recurrence calls a free function.
    """
    game = statement.game
    family = _with_unknown(game, [*game.free, *_unknown(properties)])
    # a game for statements about numbers alone: without moves, with one coordinate
    first = game.coordinates[0]
    measure = Name(first.name)
    numbers = replace(game, coordinates=(first,), moves=(), where=TRUE, claims=(), piles=(), measure=measure)
    for prop in properties:
        function = next((f for f in game.functions if f.name == prop.function), None)
        if prop.condition.free - {*prop.arguments} or prop.condition.kind is not Kind.CONDITION:
            raise Refused(f"the property of {prop.function}() is no condition on its arguments alone")
        if not isinstance(function, Function) or len(function.arguments) != len(prop.arguments):
            raise Refused(
                f"{prop.function}() is no function of the game with {len(prop.arguments)} arguments"
            )
        if not game.bounds:
            raise Refused("the game has no bound, so a variable of any size cannot be written")
        names = tuple(f"_argument_{number}" for number in range(len(prop.arguments)))
        place = dict(zip(prop.arguments, map(Name, names), strict=True))
        said = substitute(prop.condition, place)
        natural = compare(">=", Call(prop.function, tuple(place.values())), Int(0))
        variables = tuple(Ranged(name, Range(Int(0), Name(game.bounds[0]))) for name in names)
        assumed, _ = split_condition(statement.where, game)
        condition = conjunction(_uses_natural(said, family), said, natural)
        yield Statement(numbers, ALWAYS, condition, assumed, variables)


def _unknown(properties: Sequence[Property]) -> tuple[FreeFunction, ...]:
    """Return the functions that are free in the family.

    Raises Refused for two properties of one function: its unique name would have one of them, and not the other.
    """
    if len({prop.function for prop in properties}) < len(properties):
        raise Refused("a function has two properties; join them by 'and'")
    return tuple(FreeFunction(prop.function, prop.arguments, prop.condition) for prop in properties)


def _with_unknown(game: Ruleset, free: Sequence[FreeFunction]) -> Functions:
    """Return the game's functions, with those in ``free`` declared without a definition."""
    declared = {
        f.name: Declared(f.name, f.arguments, "any function with the property that the ruleset names")
        for f in free
    }
    items = tuple(declared.get(f.name, f) for f in game.functions)
    return Functions(items, game.functions.parameters)


def family_of(statement: Statement, properties: Sequence[Property]) -> Statement:
    """Return the statement about the family: any functions with the properties replace the game's own.

    The family lacks those of the game's parameters that nothing mentions but conditions on them.
    """
    game, free = statement.game, _unknown(properties)
    family = replace(game, functions=_with_unknown(game, free), free=(*game.free, *free))
    statement = requalified(statement, family)
    game = statement.game
    bodies = (function.body for function in game.functions if isinstance(function, Function))
    ends = (end for variable in statement.variables for end in variable.ends)
    conditions = (free.condition for free in game.free)
    said = (statement.formula, statement.where, *game.expressions, *conditions, *bodies, *ends)
    named = {name for expr in said for name in free_names(expr)}
    others = (lookup.game for lookup in statement.lookups if lookup.game is not None)
    named |= {name for other in others for name in other.parameter_names}
    kept = list[Parameter]()
    for parameter in reversed(game.parameters):  # the condition on it may mention earlier ones
        if parameter.name in named:
            kept.insert(0, parameter)
            named |= free_names(parameter.domain)
    gone = {*game.parameter_names} - named
    claims = list[Claim]()
    for claim in game.claims:
        exprs = claim.formula, claim.where, *(end for variable in claim.variables for end in variable.ends)
        if not any(gone & free_names(expr) for expr in exprs):
            claims.append(claim)
    functions = Functions(game.functions.items, tuple(parameter.name for parameter in kept))
    game = replace(game, parameters=tuple(kept), functions=functions, claims=tuple(claims))
    return replace(statement, game=game)


def requalified(statement: Statement, game: Ruleset) -> Statement:
    """Return the statement about ``game`` in place of its own game, which differs only in definitions of functions.

    Functions get new unique names, also those that only call a changed function.
    """
    names = renaming_of(game)
    change = partial(renamed, names=names)
    variables = tuple(variable.mapped(change) for variable in statement.variables)
    return replace(statement.changed(change), game=renamed_game(game, names), variables=variables)


def _uses_natural(condition: Expr, family: Functions) -> Expr:
    """Return a condition by which functions without a definition are called at natural arguments only.

    If the other condition is true, so are all terms that it joins, and each of them needs a value.
    """
    condition = lower(family.expand(condition))
    unknown = {each.name for each in family if isinstance(each, Declared)}
    recurrences = [f.body for f in family.called_by(condition) if isinstance(f, Function) and f.recurrence]
    if any(each.name in unknown for each in family.called_by(*recurrences)):
        raise Refused("a recurrence calls a function of which only a property is known")
    signed = signed_variables(condition)

    def natural(terms: Sequence[Expr]) -> Expr:
        return natural_terms([term for term in terms if not plainly_natural(term, signed)])

    asked, others = (
        Definedness(family, dict.fromkeys(unknown, domain)).of for domain in (natural, lambda _: TRUE)
    )
    return conjunction(*(asked(term) for term in conjuncts(condition) if asked(term) != others(term)))


RULE = Rule(
    "one game of a family",
    PropertyInstance,
    (),
    lambda statement, evidence: tuple(dict.fromkeys(premises(statement, evidence))),
)
