"""What a kernel is given of an instance: its numbers, and tables of functions; and whether 64 bits do for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grundylab.games.instance import Instance
from grundylab.games.model import Ruleset
from grundylab.language.compiled import recurrence_table, table_uses
from grundylab.language.functions import Function
from grundylab.language.intervals import Interval, fits_machine, interval
from grundylab.language.syntax import Expr
from grundylab.solve.lookups import Lookup, span_of

_LOOKED_UP = 100_000  # arguments of lookups, where the instance has fewer cells


Written = Sequence[tuple[Expr, Mapping[str, Interval]]]


def needs_more_than_machine(instance: Instance, written: Written) -> str | None:
    """The expression of the ruleset whose values might not fit 64 bits in this instance, or None."""
    for expr, known in written:
        if not fits_machine(expr, known, instance.ruleset.functions):
            return str(expr)
    return None


def environment_of(
    instance: Instance, tables: Sequence[str | Lookup], written: Written
) -> tuple[Any, ...] | None:
    """The tuple ``E``: parameters and bounds, then values and first argument of each table, of recurrence or lookup.

    None if lookups would take more room or time than the instance itself, or have no value somewhere.
    """
    functions = instance.ruleset.functions
    values: list[Any] = [instance.constants[name] for name in constants(instance.ruleset)]
    fixed = {name: Interval(value, value) for name, value in instance.parameters}
    room = max(_LOOKED_UP, instance.cells)
    for table in tables:
        if isinstance(table, Lookup):
            span = span_of(table, written) or Interval(0, 0)
            room -= span.width
            looked_up = table.table(span, instance.constants, functions) if room >= 0 else None
            if looked_up is None:
                return None
            values += [looked_up, span.low]
        else:
            function = functions[table]
            assert isinstance(function, Function)  # others are left to the reference
            span = _arguments(table, instance, written)
            values += [recurrence_table(function, span, fixed, functions), span.low]
    return tuple(values)


def constants(ruleset: Ruleset) -> tuple[str, ...]:
    """The names at the beginning of ``E``: parameters, then bounds."""
    return ruleset.parameter_names + ruleset.bounds


def _arguments(name: str, instance: Instance, written: Written) -> Interval:
    """All that the recurrence may be asked for."""
    functions = instance.ruleset.functions
    spans = [
        interval(argument, known, functions)
        for expr, known in written
        for called, argument in table_uses(expr, functions)
        if called == name
    ]
    first, *others = spans
    for span in others:
        first = first.hull(span)
    return first


def written_in(instance: Instance) -> Written:
    """Every expression that the kernel evaluates, with bounds on the names in it."""
    ruleset = instance.ruleset
    known = instance.spans()
    found = [(end, known) for c in ruleset.coordinates for end in c.ends]
    found += [(ruleset.where, known), (ruleset.measure, known)]
    for move in ruleset.moves:
        spans, inner = instance.spans(move), known
        for choice in move.choices:
            found += [(choice.range.low, inner), (choice.range.high, inner)]
            inner = {**inner, choice.name: spans[choice.name]}
        found += [(move.when, inner), *((value, inner) for part in move.parts for value in part)]
    return found
