"""Witnesses of a statement: one assignment of position, parameters and variables that fulfils its condition.

A theorem may be vacuous, since premises may rightly be. The word *proved* needs a witness besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from grundylab.errors import GrundylabError, LimitError
from grundylab.games.instance import make_instance
from grundylab.games.model import Ruleset
from grundylab.games.rules import Rules
from grundylab.language.functions import Functions, Tabulated
from grundylab.language.plain import Meter, evaluate
from grundylab.prove.kernel.computed import functions_at
from grundylab.solve.table import unsolved
from grundylab.statement import Statement

STEPS = 10_000_000  # of evaluating the condition once
CELLS = 300_000  # of a table of values that the condition looks up

Assignment = Mapping[str, int]


def is_witness(statement: Statement, assignment: Assignment, functions: tuple[Tabulated, ...] = ()) -> bool:
    """Return whether the statement is about the position, parameters and values of variables of an assignment.

    functions: of a family, tables of functions that have its property as far as they go.
    """
    game, largest = statement.game, max(assignment.values(), default=0)
    if {f.name for f in functions} != {f.name for f in game.free}:
        return False
    if not all(_has_property(game, function, functions) for function in functions):
        return False
    member = replace(game, functions=game.functions.given(*functions), free=())
    for size in (largest, largest + 1, 2 * largest + 2, 4 * largest + 4):
        if _is_about(replace(statement, game=member), assignment, size):
            return True
    return False


def _is_about(statement: Statement, assignment: Assignment, size: int) -> bool:
    game = statement.game
    try:
        parameters = {name: assignment[name] for name in game.parameter_names}
        instance = make_instance(game, parameters, dict.fromkeys(game.bounds, size))
        if not Rules(instance).legal(tuple(assignment[name] for name in game.coordinate_names)):
            return False
        known: Functions = game.functions
        if statement.lookups or statement.tables:
            if instance.cells > CELLS:
                return False
            known = functions_at(statement, unsolved(instance))
        values, meter = {**assignment, **instance.constants}, Meter(STEPS, LimitError)
        inside = (variable.inside for variable in statement.variables)
        return all(evaluate(each, values, known, meter) for each in (*inside, statement.where))
    except (GrundylabError, KeyError):
        return False


def _has_property(game: Ruleset, function: Tabulated, functions: tuple[Tabulated, ...]) -> bool:
    free = next(each for each in game.free if each.name == function.name)
    known = game.functions.given(*functions)
    cells = product(
        *(range(low, low + n) for low, n in zip(function.lows, function.values.shape, strict=True))
    )
    try:
        return all(
            evaluate(
                free.condition, dict(zip(free.arguments, cell, strict=True)), known, Meter(STEPS, LimitError)
            )
            for cell in cells
        )
    except GrundylabError:
        return False
