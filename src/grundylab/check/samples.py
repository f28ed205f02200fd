"""Samples: positions with the value of a target at each, collected from solved tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from grundylab.errors import GrundylabError
from grundylab.games.instance import Instance
from grundylab.games.model import Target
from grundylab.games.position_bounds import bounds_within, space_condition
from grundylab.language import NO_FUNCTIONS, Functions
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.integer_arrays import constant_array
from grundylab.language.intervals import ANY, Bounds, Interval
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.numeric import Array
from grundylab.solve.table import Table, TableSlab, target_values


@dataclass(frozen=True)
class Samples:
    """Positions and the value of the target at each. The arrays are read-only.

    names: the names that a formula may mention, first coordinates, then parameters. columns: for each name an int64
    array (positions,). values: bool (positions,) if the target is a condition, int64 if it is a number. parameters:
    those of the names that are parameters. functions: the functions of the rules, which a formula may call. space: the
    condition that the rules put on positions and parameters, whatever the size of a table.
    """

    names: tuple[str, ...]
    columns: Mapping[str, Array]
    values: Array
    parameters: tuple[str, ...] = ()
    functions: Functions = NO_FUNCTIONS
    space: Expr = TRUE

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        columns = {name: _frozen(self.columns[name]) for name in self.names}
        object.__setattr__(self, "columns", MappingProxyType(columns))
        object.__setattr__(self, "values", _frozen(self.values))

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.values)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names that are not parameters."""
        return tuple(name for name in self.names if name not in self.parameters)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names that have more than one value among the positions, and so are worth mentioning."""
        return tuple(name for name in self.names if np.any(self.columns[name] != self.columns[name][0]))

    def at(self, rows: Array) -> Samples:
        """Return the samples with only these positions. rows: their numbers, or a mask."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return replace(self, columns=columns, values=self.values[rows])

    @property
    def bounds(self) -> Bounds:
        """Bounds on all names in the space; without one, guesses: a number is 0 or 1, positive, natural, or any."""
        if self.space != TRUE:
            return bounds_within(self.space, self.names)
        ends = {name: (int(column.min()), int(column.max())) for name, column in self.columns.items()}
        return {
            name: Interval(min(low, 1) if low >= 0 else ANY.low, 1 if high <= 1 else ANY.high)
            for name, (low, high) in ends.items()
        }


def collect(tables: Sequence[Table], target: Target, where: Expr = TRUE) -> Samples:
    """Return the positions of the tables that satisfy ``where``, with the values of the target.

    The tables must be instances of one ruleset. The samples keep only those of its functions that the rules call, since
    other functions may give away what a claim says. Raises GrundylabError if there are no positions, or if a table does
    not have the values that the target needs.
    """
    if not tables:
        raise GrundylabError("there is nothing to train on: give at least one solved instance")
    ruleset = tables[0].instance.ruleset
    if any(table.instance.ruleset.hash != ruleset.hash for table in tables):
        raise GrundylabError("the training tables must be instances of one ruleset")
    if target.values == "grundy" and any(table.kind != "grundy" for table in tables):
        raise GrundylabError(f"target {target} needs Grundy numbers, but a table has outcomes only")
    names = ruleset.formula_names
    parts: dict[str, list[Array]] = {name: [] for name in names}
    values: list[Array] = []
    for table in tables:
        for slab in table.slabs():
            its_columns, numbers = restricted_columns(slab, table.instance, where, ruleset.functions)
            for name in names:
                parts[name].append(its_columns[name].astype(np.int64))
            values.append(target_values(numbers, target))
    if not sum(map(len, values)):
        fulfilling = "" if where == TRUE else f" that satisfy {where}"
        raise GrundylabError(f"the training tables have no positions{fulfilling}")
    columns = {name: np.concatenate(part) for name, part in parts.items()}
    functions, space = ruleset.rule_functions, conjunction(space_condition(ruleset), where)
    return Samples(names, columns, np.concatenate(values), ruleset.parameter_names, functions, space)


def restricted_columns(
    slab: TableSlab, instance: Instance, where: Expr, functions: Functions
) -> tuple[dict[str, Array], Array]:
    """Return (columns by name, values) of the slab's positions that satisfy ``where``; a slab is a part of a table."""
    columns: dict[str, Array] = dict(zip(instance.ruleset.coordinate_names, slab.coordinates, strict=True))
    columns |= {name: np.full(len(slab), constant_array(value).array) for name, value in instance.parameters}
    if where == TRUE:
        return columns, slab.values
    kept = evaluate_arrays(where, columns, functions)
    return {name: column[kept] for name, column in columns.items()}, slab.values[kept]


def _frozen(array: Array) -> Array:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
