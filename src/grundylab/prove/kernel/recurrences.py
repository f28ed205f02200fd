"""The condition that a recurrence has a value at every argument from its first one on.

By induction it has, if each value depends only on values at smaller arguments, none of them below the first. The kernel
checks this of every recurrence that a statement or its games call, before any rule: rules leave out parts of a
statement, and put numbers in the place of values.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from grundylab.games.model import Parameter, Range, Ranged, Ruleset
from grundylab.language.functions import Function, Functions
from grundylab.language.names import with_plain_names
from grundylab.language.substitution import lower, rewrite, substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Name,
    chain,
    compare,
    disjunction,
)
from grundylab.prove.core.decide import CELLS, true_everywhere
from grundylab.prove.core.definedness import first_argument
from grundylab.prove.kernel.calls import Calls
from grundylab.prove.kernel.ends import ANY, NATURAL, Ends, ends
from grundylab.prove.kernel.theorem import Refused
from grundylab.statement import Statement

_ARGUMENT, _SIZE, _VALUE = "_argument", "_size", "_value"


def check_recurrences(statement: Statement) -> None:
    """Raise Refused if a recurrence that the statement or one of its games calls may have no value somewhere."""
    said = [statement.formula, statement.where, *(end for v in statement.variables for end in v.ends)]
    _check_called(statement.game, said)
    for lookup in statement.lookups:
        if lookup.game is not None:
            _check_called(lookup.game, ())


def _check_called(game: Ruleset, said: Sequence[Expr]) -> None:
    for function in game.functions.called_by(*game.expressions, *said):
        if isinstance(function, Function) and function.recurrence:
            _check_recurrence(function, game.functions, game.parameters)


@lru_cache(maxsize=1024)  # many statements call the same recurrence
def _check_recurrence(function: Function, functions: Functions, parameters: tuple[Parameter, ...]) -> None:
    name, first, number = with_plain_names(function.name), first_argument(function), Name(_ARGUMENT)
    if first < 0:
        raise Refused(f"{name}() begins at {first}, and in a proof a recurrence must begin at 0 or above")
    body = lower(functions.expand(substitute(function.body, {function.arguments[0]: number})))
    known = {_ARGUMENT: Ends(first, ANY.high), **dict.fromkeys((p.name for p in parameters), NATURAL)}
    ends(without_calls(body, _VALUE, (function.name,)), known, functions)

    def is_smaller(call: Call) -> Expr:
        return Compare(("<=", "<"), (Int(first), *call.arguments, number))

    smaller = Calls([function.name]).meant(body, is_smaller)
    at_once = (compare("==", number, Int(value)) for value, _ in function.initial)
    descends = disjunction(compare("<", number, Int(first)), *at_once, smaller)
    coordinate = Ranged(_ARGUMENT, Range(Int(0), Name(_SIZE)))
    numbers = Ruleset(
        "", "", (coordinate,), (), number, parameters=parameters, bounds=(_SIZE,), functions=functions
    )
    if not true_everywhere(numbers, descends, TRUE, CELLS):
        raise Refused(
            f"{name}() may have no value somewhere: it may call itself at a number that is not smaller"
        )


def without_calls(expr: Expr, unknown: str, names: Collection[str]) -> Expr:
    """Return the expression with an unknown number, the name ``unknown``, in place of each call of ``names``.

    The call's arguments, times 0, are added to the number, so that the sum has a value only if they have values.
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, Call) or node.name not in names:
            return node
        return chain("+", [Name(unknown), *(Binary("*", Int(0), each) for each in node.arguments)])

    return rewrite(expr, change)
