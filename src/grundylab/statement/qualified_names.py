"""Unique names of functions, so that an expression keeps its meaning when it moves into another game.

In files, a function's name has a meaning only within its file: two rulesets may both define ``f``. A unique (qualified)
name also contains the digest of the function's definition and of all functions that it calls. For a free function the
definition is its name and its property: two with the same property are different functions. Equal names then mean equal
definitions.

Two free functions of one game may not have the same name and property: they would become one. This can only be tried in
evidence, which makes functions of the game free; it is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from grundylab.errors import FormulaError
from grundylab.games.linear_moves import is_sum_of_products, lowers_sum
from grundylab.games.model import Claim, Ruleset, coordinate_sum, function_key
from grundylab.language.functions import AnyFunction, Function, Functions, Tabulated
from grundylab.language.names import qualified_name, with_plain_names
from grundylab.language.substitution import rewrite, with_user_names
from grundylab.language.syntax import Call, Expr, called_functions, distinct_parts

Renaming = Mapping[str, str]  # new names of functions by their old ones


def qualified_game(ruleset: Ruleset) -> Ruleset:
    """Return the game with unique names for all its functions, without the claims that have tables.

    Names that are already unique are computed anew, since the definitions may have changed. A measure with products,
    such as ``n * n``, is replaced by the sum of the coordinates if every move plainly lowers it. No value depends on
    the measure, and proofs check whichever it is.
    """
    if "_qualified" not in vars(ruleset):
        game = renamed_game(ruleset, renaming_of(ruleset))
        names = game.coordinate_names
        if is_sum_of_products(game.measure) and all(lowers_sum(move, names) for move in game.moves):
            game = replace(game, measure=coordinate_sum(names))
        vars(ruleset)["_qualified"] = game
    qualified: Ruleset = vars(ruleset)["_qualified"]
    return qualified


def renaming_of(ruleset: Ruleset) -> dict[str, str]:
    """Return the unique names of the game's functions by their present names.

    Raises FormulaError if two functions would get one name.
    """
    names = {f.name: qualified_name(f.name, _digest(f.name, ruleset)) for f in ruleset.functions}
    if len(set(names.values())) < len(names):
        raise FormulaError("two functions have one name and one definition or property, and would become one")
    return names


def renamed(expr: Expr, names: Renaming) -> Expr:
    """Return the expression with its functions renamed."""
    if not called_functions(expr) & names.keys():
        return expr

    def change(node: Expr) -> Expr:
        return Call(names.get(node.name, node.name), node.arguments) if isinstance(node, Call) else node

    return rewrite(expr, change)


def renamed_game(ruleset: Ruleset, names: Renaming) -> Ruleset:
    """Return the game with its functions renamed, without the claims that have tables."""
    change = partial(renamed, names=names)
    functions = list[AnyFunction]()
    for function in ruleset.functions:
        function = replace(function, name=names.get(function.name, function.name))
        if isinstance(function, Function):
            function = replace(function, body=change(function.body))
        functions.append(function)
    return replace(
        ruleset,
        coordinates=tuple(c.mapped(change) for c in ruleset.coordinates),
        moves=tuple(move.mapped(change) for move in ruleset.moves),
        measure=change(ruleset.measure),
        where=change(ruleset.where),
        parameters=tuple(replace(p, domain=change(p.domain)) for p in ruleset.parameters),
        functions=Functions(tuple(functions), ruleset.functions.parameters),
        free=tuple(
            replace(free, name=names.get(free.name, free.name), condition=change(free.condition))
            for free in ruleset.free
        ),
        claims=tuple(renamed_claim(c, names, ruleset) for c in ruleset.claims if not c.tables),
    )


def renamed_claim(claim: Claim, names: Renaming, game: Ruleset) -> Claim:
    """Return the claim with its functions renamed, and with names of bound variables that a file can contain."""
    taken = {*game.formula_names, *game.bounds, *(variable.name for variable in claim.variables)}

    def change(expr: Expr) -> Expr:
        return with_user_names(renamed(expr, names), taken)

    variables = tuple(variable.mapped(change) for variable in claim.variables)
    return replace(claim, formula=change(claim.formula), where=change(claim.where), variables=variables)


def with_functions(ruleset: Ruleset, *others: Ruleset) -> Ruleset:
    """Return the game with the functions of other games added to its own.

    All games must be qualified: equal names then mean equal functions.
    """
    functions = [f for game in (ruleset, *others) for f in game.functions]
    by_name = {f.name: f for f in functions}
    if any(function_key(f) != function_key(by_name[f.name]) for f in functions):
        raise FormulaError("a function of one game has the unique name of another function")
    if len(by_name) == len(ruleset.functions.items):
        return ruleset
    return replace(ruleset, functions=Functions(tuple(by_name.values()), ruleset.functions.parameters))


# -- digests ----------------------------------------------------------------------------------------------------------


def _digest(name: str, ruleset: Ruleset) -> str:
    """Return the digest of a function's definition and of all functions that it calls.

    It does not matter how these are named, unless they are free.
    """
    free = {f.name: f for f in ruleset.free}
    order, texts = [name], list[object]()
    for caller in order:  # grows during the loop
        function = ruleset.functions[caller]
        if isinstance(function, Function):
            definition = [function.body]
        else:
            definition = [free[caller].condition] if caller in free else []
        for node in (node for expr in definition for node in distinct_parts(expr)):
            if isinstance(node, Call) and node.name in ruleset.functions and node.name not in order:
                order.append(node.name)
        numbers = {other: f"#{place}" for place, other in enumerate(order)}
        match function:
            case Function(arguments=arguments, body=body, initial=initial):
                texts.append(("defined", arguments, str(renamed(body, numbers)), initial))
            case Tabulated(values=values, lows=lows, hole=hole):
                texts.append(("tabulated", values.shape, values.tolist(), lows, hole))
            case _ if caller in free:
                said = str(renamed(free[caller].condition, numbers))
                texts.append(("free", with_plain_names(caller), function.arguments, said))
            case _:
                texts.append(("declared", function.arguments, function.what))
    return hashlib.sha256(repr((with_plain_names(name), texts)).encode()).hexdigest()
