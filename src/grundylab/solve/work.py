"""How much work the ranges in a ruleset's conditions ask for, estimated before a table is solved by compiled code."""

from __future__ import annotations

from collections.abc import Collection
from math import prod

from grundylab.errors import EvaluationError, InstanceError
from grundylab.games.instance import Instance
from grundylab.games.model import Ruleset
from grundylab.language.functions import Function
from grundylab.language.intervals import Bounds, tried
from grundylab.language.substitution import lower
from grundylab.language.syntax import Bounded, Call, Expr, free_names, parts
from grundylab.solve.environment import Written, written_in

MAX_TRIED_IN_ALL = 10**12  # values of bound variables in all: compiled, about half an hour


def check_work(
    instance: Instance, written: Written | None = None, kept: Collection[Expr] | None = None
) -> None:
    """Raise InstanceError if ranges in the ruleset would try too many values in all.

    kept: what is looked up in tables, where all else is evaluated for each option; without it each range is evaluated
    once for all values of the names in it, as arrays do.
    """
    if not _has_ranges(instance.ruleset):
        return
    coordinates, constants = set(instance.ruleset.coordinate_names), instance.constants
    try:
        together = 0
        for expr, known in written_in(instance) if written is None else written:
            local = set(known) - set(constants) | coordinates
            widths = {name: max(known[name].width, 1) for name in local}
            together += _Estimate(instance, known, widths, kept).of(lower(expr))
    except EvaluationError as error:
        raise InstanceError(f"{instance}: the ranges in its conditions: {error.message}") from None
    if together > MAX_TRIED_IN_ALL:
        raise InstanceError(
            f"{instance}: the ranges in its conditions may have {together:,} values in all; at most "
            f"{MAX_TRIED_IN_ALL:,} are tried; choose smaller bounds"
        )


def _has_ranges(ruleset: Ruleset) -> bool:
    bare = (ruleset.functions.expand(lower(expr)) for expr in ruleset.expressions)
    return any(isinstance(node, Bounded) for expr in bare for node in parts(expr))


class _Estimate:
    def __init__(
        self, instance: Instance, known: Bounds, widths: dict[str, int], kept: Collection[Expr] | None
    ) -> None:
        """widths: how many values each coordinate and choice has."""
        self._functions = instance.ruleset.functions
        self._known, self._widths, self._kept = known, widths, kept

    def of(self, expr: Expr) -> int:
        """At most how many values the ranges in it have, over all that it is evaluated for."""
        if self._kept is not None and expr in self._kept:
            return 0  # such a table is made by arrays, which have their own limit
        if isinstance(expr, Call) and expr.name in self._functions:
            function = self._functions[expr.name]
            if isinstance(function, Function) and not (function.recursive or function.initial):
                return self.of(self._functions.expand(expr))
        if not isinstance(expr, Bounded):
            return sum(map(self.of, expr.children))
        names = self._widths if self._kept is not None else free_names(expr) & set(self._widths)
        return prod(self._widths[name] for name in names) * tried(expr, self._known, self._functions)
