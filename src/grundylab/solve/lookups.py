"""Parts of a ruleset's expressions that depend on one name alone and take long to compute: looked up in tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Functions
from grundylab.language.intervals import MACHINE_LIMIT, Interval
from grundylab.language.substitution import lower, rebuild
from grundylab.language.syntax import (
    Accepts,
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Name,
    free_names,
    parts,
)


@dataclass(frozen=True)
class Lookup:
    """An expression of one name, beside parameters and bounds; a condition counts as 0 or 1."""

    expr: Expr
    variable: str

    def table(
        self, span: Interval, constants: Mapping[str, int], functions: Functions
    ) -> npt.NDArray[np.int64] | None:
        """Its values over the span, cut to what a machine holds; None if it has none somewhere."""
        fixed = {name: value for name, value in constants.items() if name != self.variable}
        arguments = np.arange(span.low, span.high + 1)
        try:
            found = evaluate_arrays(self.expr, {**fixed, self.variable: arguments}, functions)
        except EvaluationError:
            return None
        wide = found if found.dtype == object else found.astype(np.int64)
        return np.asarray(np.clip(wide, -MACHINE_LIMIT, MACHINE_LIMIT), dtype=np.int64)


@dataclass
class Lookups:
    """Puts calls in the place of such parts. found: what each called name, which no user can write, stands for.

    once: names for each value of which little is computed, so that a table does not pay.
    """

    functions: Functions
    constants: frozenset[str]
    once: frozenset[str]
    found: dict[str, Lookup] = field(default_factory=dict)

    def replace(self, expr: Expr, local: Iterable[str]) -> Expr:
        """The expression, lowered, with a call for each part that depends on one of the local names alone."""
        return self._replace(lower(expr), frozenset(local))

    def _replace(self, expr: Expr, local: frozenset[str]) -> Expr:
        names = free_names(expr)
        mine = names & local
        if len(mine - self.once) == len(mine) == 1 and names <= mine | self.constants and self._is_slow(expr):
            (variable,) = mine
            call = Call(self._name(Lookup(expr, variable)), (Name(variable),))
            return call if expr.kind is Kind.NUMBER else Compare(("!=",), (call, Int(0)))
        if isinstance(expr, Bounded) or not expr.children:  # its variable may hide a local name
            return expr
        return rebuild(expr, tuple(self._replace(child, local) for child in expr.children))

    def _name(self, lookup: Lookup) -> str:
        known = next((name for name, other in self.found.items() if other == lookup), None)
        name = known or f"lookup {len(self.found)}"
        self.found[name] = lookup
        return name

    def _is_slow(self, expr: Expr) -> bool:
        return any(_takes_long(node, self.functions) for node in parts(lower(self.functions.expand(expr))))


def _takes_long(node: Expr, functions: Functions) -> bool:
    match node:
        case Binary(op="//" | "%", right=divisor):
            return not isinstance(divisor, Int)
        case Call(name=name):
            return name in functions or BUILTINS[name].least is not None
    return isinstance(node, Bounded | Accepts)


def span_of(lookup: Lookup, written: Iterable[tuple[Expr, Mapping[str, Interval]]]) -> Interval | None:
    """All that its name may be in the expressions in which it occurs, each with bounds on its names."""
    span: Interval | None = None
    for expr, known in written:
        if lookup.variable in known and any(node == lookup.expr for node in parts(lower(expr))):
            side = known[lookup.variable]
            if side.width:
                span = span.hull(side) if span else side
    return span
