"""Witnesses of a statement: a position, parameters and values of variables that the statement is about.

A theorem may be about no position at all, as premises often are. So a claim is called *proved* only with a witness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from grundylab.errors import GrundylabError, LimitError
from grundylab.games.instance import make_instance
from grundylab.games.model import ALWAYS
from grundylab.games.rules import Rules
from grundylab.language.functions import Function, Functions
from grundylab.language.plain import Meter, evaluate
from grundylab.language.syntax import TRUE
from grundylab.prove.core.computed import functions_at
from grundylab.prove.core.evidence import Property
from grundylab.prove.core.property_instance import have_properties, requalified
from grundylab.prove.core.solution import Core
from grundylab.solve.table import unsolved_table
from grundylab.statement import Statement

STEPS = 10_000_000  # the most steps of evaluating the condition once
CELLS = 300_000  # the most cells of a table of values that the condition looks up
SIZE = "_size"  # the name of a bound that no ruleset has

Assignment = Mapping[str, int]


def is_witness(statement: Statement, assignment: Assignment, core: Core) -> bool:
    """Tell whether the statement is about the position, parameters and values of variables in the assignment.

    False also for a family, or if the evaluation needs too many steps or too large a table.
    """
    game, largest = statement.game, max(assignment.values(), default=0)
    if game.free:
        return False
    for size in (largest, largest + 1, 2 * largest + 2, 4 * largest + 4):
        with suppress(GrundylabError, KeyError):
            parameters = {name: assignment[name] for name in game.parameter_names}
            instance = make_instance(game, parameters, dict.fromkeys(game.bounds, size))
            key = "rules", game.hash, instance.parameters, instance.bounds
            rules = core.kept(key, partial(Rules, instance))
            if not rules.legal(tuple(assignment[name] for name in game.coordinate_names)):
                continue
            functions: Functions = game.functions
            if statement.lookups or statement.tables:
                if instance.cells > CELLS:
                    continue
                functions = functions_at(statement, unsolved_table(instance), core)
            values, meter = {**assignment, **instance.constants}, Meter(STEPS, LimitError)
            about = (*(variable.inside for variable in statement.variables), statement.where)
            if all(evaluate(condition, values, functions, meter) for condition in about):
                return True
    return False


def member_statement(
    statement: Statement, functions: Sequence[Function]
) -> tuple[Statement, list[Statement]]:
    """Return the statement about one game of its family, and statements that imply that the game belongs to the family.

    functions: the game's definitions of the functions that are free in the family.
    """
    game = statement.game
    named = requalified(statement, replace(game, functions=game.functions.given(*functions)))
    member = replace(named.game, free=())
    numbers = member if member.bounds else replace(member, bounds=(SIZE,))
    properties = [
        Property(function=free.name, arguments=free.arguments, condition=free.condition)
        for free in named.game.free
    ]
    needed = have_properties(Statement(numbers, ALWAYS, TRUE), properties)
    return replace(named, game=member), list(dict.fromkeys(needed))
