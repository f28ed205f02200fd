"""What is proved for every function of a family, of one game of it: a ruleset that gives the function.

The family is the ruleset itself, with the functions free again that are so in a ruleset that it extends. Its game is
one of the family if its functions have the property at all numbers from 0 on, and are never negative: these are the
premises, beside the claim about the family.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grundylab.games import parent_of
from grundylab.games.model import Claim, FreeFunction, Range, Ranged, Ruleset
from grundylab.language import names
from grundylab.language.functions import Function
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Call, Expr, Int, Name, compare, conjunction, free_names
from grundylab.prove.fresh import of_all_numbers
from grundylab.prove.hypothesis import split_where
from grundylab.prove.lookups import NotSaid
from grundylab.prove.opening import names_of
from grundylab.prove.outcome import Premise


def of_family(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The claim under ``where`` of the nearest family that the ruleset is in, and that it is."""
    above: Ruleset | None = ruleset
    while above is not None and not above.free:
        above = parent_of(above)
    about_numbers = not ruleset.moves  # that it has the property, say, which it cannot have from the family
    if above is None or above is ruleset or about_numbers or not ruleset.bounds:
        return
    assumed, _ = split_where(conjunction(claim.where, where), ruleset)
    functions = ruleset.functions.given(*(above.functions[free.name] for free in above.free))
    family = replace(ruleset, functions=functions, free=above.free)
    known = tuple(p for free in above.free for p in _has_property(ruleset, free, assumed))
    yield *known, Premise(family, replace(claim, where=conjunction(claim.where, where)))


def _has_property(ruleset: Ruleset, free: FreeFunction, assumed: Expr) -> Iterator[Premise]:
    """That the ruleset's function of this name is one that the family asks for."""
    given = next((function for function in ruleset.functions if function.name == free.name), None)
    known = {*free.arguments, *ruleset.parameter_names}
    if not isinstance(given, Function) or len(given.arguments) != len(free.arguments):
        raise NotSaid
    if not free_names(free.condition) <= known:
        raise NotSaid
    taken = names_of(ruleset)
    numbers = {name: names.written(f"{name}{number}", taken) for number, name in enumerate(free.arguments)}
    place = {name: Name(number) for name, number in numbers.items()}
    natural = compare(">=", Call(free.name, tuple(place.values())), Int(0))
    said = conjunction(natural, substitute(free.condition, place))
    variables = [Ranged(number, Range(Int(0), Name(ruleset.bounds[0]))) for number in numbers.values()]
    yield from of_all_numbers(ruleset, assumed, said, variables)
