"""Samples: positions with the value of a target at each, and how they come from solved tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from grundylab.errors import GrundylabError
from grundylab.games.instance import Instance
from grundylab.games.model import A_CONDITION, A_NUMBER, Target
from grundylab.language import NO_FUNCTIONS, Functions
from grundylab.language.arrays import Array, evaluate_arrays
from grundylab.language.exact import constant
from grundylab.language.syntax import RESERVED, TRUE, Expr, free_names
from grundylab.solve.table import Slab, Table, truth

if TYPE_CHECKING:
    import pandas as pd

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Samples:
    """Training positions and the value of the target at each. Arrays are read-only.

    names: what a formula may mention, coordinates and then parameters. columns: for each name an int64
    array (positions,). values: bool (positions,) for a condition, int64 for a number. parameters: which of
    the names are parameters. functions: those of the rules, which a formula may call.
    """

    names: tuple[str, ...]
    columns: Mapping[str, Array]
    values: Array
    parameters: tuple[str, ...] = ()
    functions: Functions = NO_FUNCTIONS

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        columns = {name: _frozen(self.columns[name]) for name in self.names}
        object.__setattr__(self, "columns", MappingProxyType(columns))
        object.__setattr__(self, "values", _frozen(self.values))

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.values)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names that are not parameters."""
        return tuple(name for name in self.names if name not in self.parameters)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names worth mentioning: those with more than one value among the positions."""
        return tuple(name for name in self.names if np.any(self.columns[name] != self.columns[name][0]))

    def at(self, rows: Array) -> Samples:
        """Only the positions with these row numbers."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return Samples(self.names, columns, self.values[rows], self.parameters, self.functions)


def collect(tables: Sequence[Table], target: Target, where: Expr = TRUE) -> Samples:
    """The positions of the tables that fulfil ``where``: instances of one ruleset, of different parameters or bounds.

    Of the ruleset's functions they have those of the rules: others may be what a claim says the answer is. Raises
    GrundylabError if there are no positions, or if the tables do not hold what the target needs.
    """
    if not tables:
        raise GrundylabError("there is nothing to learn from: give at least one solved instance")
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
            there, found = restricted(slab, table.instance, where, ruleset.functions)
            for name in names:
                parts[name].append(there[name].astype(np.int64))
            values.append(truth(found, target))
    if not sum(map(len, values)):
        fulfilling = "" if where == TRUE else f" that fulfil {where}"
        raise GrundylabError(f"the training tables have no positions{fulfilling}")
    columns = {name: np.concatenate(part) for name, part in parts.items()}
    return Samples(names, columns, np.concatenate(values), ruleset.parameter_names, ruleset.rule_functions)


def of_frame(frame: pd.DataFrame, column: str, where: Expr = TRUE) -> tuple[Samples, Target]:
    """A table of one's own: what one column is of the others, and whether that is a condition or a number.

    where: the rows that are meant.
    The columns hold whole numbers, but for a condition, which may be True and False. Raises GrundylabError for others,
    and for names that a formula cannot mention.
    """
    if column not in frame.columns:
        known = ", ".join(map(str, frame.columns)) or "none"
        raise GrundylabError(f"there is no column '{column}'; the columns are: {known}")
    names = tuple(str(name) for name in frame.columns if name != column)
    if not names or not len(frame):
        raise GrundylabError(
            "there is nothing to learn from: give rows, and a column beside the one to explain"
        )
    for name in names:
        if not NAME.fullmatch(name) or name in RESERVED:
            raise GrundylabError(
                f"a formula cannot mention a column '{name}': name it with letters, such as x"
            )
    if unknown := sorted(free_names(where) - set(names)):
        raise GrundylabError(f"{where}: there is no column '{unknown[0]}' to ask about")
    condition = frame[column].dtype == bool
    values = frame[column].to_numpy() if condition else _whole(frame[column], column)
    samples = Samples(names, {name: _whole(frame[name], name) for name in names}, values)
    rows = np.broadcast_to(evaluate_arrays(where, samples.columns), len(samples))
    return samples.at(np.flatnonzero(rows)), A_CONDITION if condition else A_NUMBER


def _whole(column: pd.Series, name: str) -> Array:
    values = column.to_numpy()
    if values.dtype.kind not in "iu":
        raise GrundylabError(f"column '{name}' holds {values.dtype}, not whole numbers")
    return values.astype(np.int64)


def restricted(
    slab: Slab, instance: Instance, where: Expr, functions: Functions
) -> tuple[dict[str, Array], Array]:
    """Coordinates and parameters by name, and the values, at the slab's positions that fulfil ``where``."""
    columns: dict[str, Array] = dict(zip(instance.ruleset.coordinate_names, slab.coordinates, strict=True))
    columns |= {name: np.full(len(slab), constant(value).array) for name, value in instance.parameters}
    if where == TRUE:
        return columns, slab.values
    kept = evaluate_arrays(where, columns, functions)
    return {name: column[kept] for name, column in columns.items()}, slab.values[kept]


def _frozen(array: Array) -> Array:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
