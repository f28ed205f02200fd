"""The input of compiled code for an instance, and tests whether it needs more than 64 bits or too much time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from math import prod
from typing import Any

from grundylab.errors import EvaluationError, InstanceError
from grundylab.games.instance import Instance
from grundylab.language.functions import Function, Tabulated
from grundylab.language.intervals import Interval, fits_machine, range_combinations
from grundylab.language.numba_source import machine_table, recurrence_table, table_uses
from grundylab.language.substitution import lower
from grundylab.language.syntax import Bounded, Call, Expr, distinct_parts, free_names

MAX_TRIED_IN_ALL = 10**12  # values of bound variables in all; compiled code tries so many in half an hour
NEVER = Interval(0, 0)  # arguments of a function that is not called, for which any table will do
EvaluatedExpressions = Sequence[tuple[Expr, Mapping[str, Interval]]]


def evaluated_expressions(instance: Instance) -> EvaluatedExpressions:
    """Return every expression that a kernel evaluates, each with an interval for every name in it.

    Raises EvaluationError if no interval is known for some range.
    """
    ruleset = instance.ruleset
    space = instance.spans()
    expressions = [(end, space) for c in ruleset.coordinates for end in c.ends]
    expressions += [(ruleset.where, space), (ruleset.measure, space)]
    for move in ruleset.moves:
        spans, inner = instance.spans(move), space
        for choice in move.choices:
            expressions += [(choice.range.low, inner), (choice.range.high, inner)]
            inner = {**inner, choice.name: spans[choice.name]}
        expressions += [(move.when, inner), *((value, inner) for part in move.parts for value in part)]
    return expressions


def evaluation_steps(instance: Instance) -> int:
    """Return the number of the instance's moves, each counted once for each value of the ranges in the rules."""
    functions = instance.ruleset.functions
    try:
        written = evaluated_expressions(instance)
        return instance.moves * max(
            range_combinations(functions.expand(e), known, functions) for e, known in written
        )
    except EvaluationError:  # no bounds are known on some range
        return instance.moves


def exceeds_machine(instance: Instance, written: EvaluatedExpressions) -> str | None:
    """Return an expression whose values may not fit 64 bits in this instance, as text; None if there is none.

    written: what ``evaluated_expressions`` returns.
    """
    for expr, bounds in written:
        if not fits_machine(expr, bounds, instance.ruleset.functions):
            return str(expr)
    return None


def kernel_environment(
    instance: Instance, tables: Sequence[str], written: EvaluatedExpressions
) -> tuple[Any, ...]:
    """Return the argument ``E`` of a kernel: parameters and bounds, then values and first argument of each table.

    tables: the functions that the kernel looks up. written: what ``evaluated_expressions`` returns.
    """
    functions = instance.ruleset.functions
    values: list[Any] = [*instance.constants.values()]
    fixed = {name: Interval(value, value) for name, value in instance.parameters}
    for table in tables:
        function = functions[table]
        if isinstance(function, Tabulated):
            values += [machine_table(function), function.lows[0]]
            continue
        assert isinstance(function, Function)  # only the reference solves games with other functions
        uses = (use for expr, bounds in written for use in table_uses(expr, bounds, functions))
        spans = [span for called, span in uses if called == table]
        span = reduce(Interval.hull, spans) if spans else NEVER
        values += [recurrence_table(function, span, fixed, functions), span.low]
    return tuple(values)


def check_work(instance: Instance, written: EvaluatedExpressions | None = None) -> None:
    """Raise InstanceError if quantifiers and sums in the ruleset's formulas would try too many values in all.

    written: the expressions of a kernel, which evaluates them anew for every option. If it is None, the estimate is for
    methods on arrays: they evaluate a quantifier or sum once for each combination of values of the names in it.
    """
    expand = instance.ruleset.functions.expand
    bare = (expand(lower(expr)) for expr in instance.ruleset.expressions)
    if not any(isinstance(node, Bounded) for expr in bare for node in distinct_parts(expr)):
        return
    coordinates, constants = set(instance.ruleset.coordinate_names), instance.constants
    try:
        together = 0
        for expr, bounds in evaluated_expressions(instance) if written is None else written:
            local = set(bounds) - set(constants) | coordinates
            widths = {name: max(bounds[name].width, 1) for name in local}
            together += _values_tried(lower(expr), instance, bounds, widths, together=written is None)
    except EvaluationError as error:
        raise InstanceError(f"{instance}: the ranges in its conditions: {error.message}") from None
    if together > MAX_TRIED_IN_ALL:
        raise InstanceError(
            f"{instance}: the ranges in its conditions may have {together:,} values in all; at most "
            f"{MAX_TRIED_IN_ALL:,} are tried; choose smaller bounds"
        )


def _values_tried(
    expr: Expr,
    instance: Instance,
    bounds: Mapping[str, Interval],
    widths: Mapping[str, int],
    together: bool,
) -> int:
    """Return an upper bound on the number of values that quantifiers and sums try, over all evaluations of ``expr``.

    widths: the number of values of each coordinate and choice. together: whether a quantifier or sum is evaluated only
    once for each combination of values of the names in it, and not for every combination of all names.
    """
    functions = instance.ruleset.functions
    if isinstance(expr, Call) and expr.name in functions:
        function = functions[expr.name]
        if isinstance(function, Function) and not function.recurrence:
            return _values_tried(functions.expand(expr), instance, bounds, widths, together)
    if not isinstance(expr, Bounded):
        return sum(_values_tried(child, instance, bounds, widths, together) for child in expr.children)
    names = free_names(expr) & set(widths) if together else widths
    return prod(widths[name] for name in names) * range_combinations(expr, bounds, functions)
