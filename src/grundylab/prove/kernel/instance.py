"""The rule of instances: what is true of every function with a property is true of a game whose function has it.

The family is the game with some of its functions free: of each only a property is known. The premises are that the
game's own function has the property at all natural arguments and is never negative there, and the statement about the
family. No side condition is needed: the game is in the family, whatever that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grundylab.games.model import FreeFunction
from grundylab.language.functions import Declared, Function, Functions
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Call, Int, Kind, Name, compare, conjunction, free_names
from grundylab.prove.kernel.abstraction import of_all_numbers
from grundylab.prove.kernel.clauses import any_natural, fresh_name, names_in
from grundylab.prove.kernel.evidence import Instance, Property
from grundylab.prove.kernel.theorem import Refused, Rule
from grundylab.statement import Statement
from grundylab.statement.conditions import split_where
from grundylab.statement.qualified import renamed, renamed_game, renaming_of


def premises(statement: Statement, evidence: Instance) -> Iterator[Statement]:
    """Yield that the functions have the properties, and the statement about the family."""
    for each in evidence.properties:
        yield from _has_property(statement, each)
    yield family_of(statement, evidence.properties)


def family_of(statement: Statement, properties: Sequence[Property]) -> Statement:
    """Return the statement about every function with the properties in place of the game's own."""
    game = statement.game
    free = tuple(FreeFunction(each.function, each.arguments, each.condition) for each in properties)
    declared = {
        f.name: Declared(f.name, f.arguments, "any function with the property that the ruleset names")
        for f in free
    }
    items = tuple(declared.get(f.name, f) for f in game.functions)
    family = replace(game, functions=Functions(items, game.functions.parameters), free=(*game.free, *free))
    names = renaming_of(family)  # of the functions that call these the definitions are others now, too
    family, variables = renamed_game(family, names), statement.variables
    variables = tuple(v.mapped(lambda expr: renamed(expr, names)) for v in variables)
    return replace(statement.changed(lambda expr: renamed(expr, names)), game=family, variables=variables)


def _has_property(statement: Statement, known: Property) -> Iterator[Statement]:
    """Yield that the game's function is natural, and fulfils the condition, at all natural arguments."""
    game = statement.game
    function = next((each for each in game.functions if each.name == known.function), None)
    if free_names(known.condition) - set(known.arguments) or known.condition.kind is not Kind.CONDITION:
        raise Refused(f"the property of {known.function}() is no condition on its arguments alone")
    if not isinstance(function, Function) or len(function.arguments) != len(known.arguments):
        raise Refused(f"{known.function}() is no function of the game with {len(known.arguments)} arguments")
    taken = names_in(game, known.condition)
    place = {name: Name(fresh_name("argument", taken)) for name in known.arguments}
    natural = compare(">=", Call(known.function, tuple(place.values())), Int(0))
    said = conjunction(natural, substitute(known.condition, place))
    variables = [any_natural(name.id, game) for name in place.values()]
    assumed, _ = split_where(statement.where, game)
    yield from of_all_numbers(game, assumed, said, variables)


RULE = Rule(
    "one game of a family",
    Instance,
    (),
    lambda statement, evidence: tuple(dict.fromkeys(premises(statement, evidence))),
)
