"""From solved tables to training samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grundylab.discovery.base import Array, Samples
from grundylab.errors import GrundylabError
from grundylab.rulesets.model import Target
from grundylab.solving.table import Table, truth


def collect(tables: Sequence[Table], target: Target) -> Samples:
    """All positions of the tables, which are instances of one ruleset with different parameters or bounds.

    Raises GrundylabError if there are no positions, or if the tables do not hold what the target needs.
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
        constants = dict(table.instance.parameters)
        for slab in table.slabs():
            for name, column in zip(ruleset.coordinate_names, slab.coordinates, strict=True):
                parts[name].append(column.astype(np.int64))
            for name in ruleset.parameter_names:
                parts[name].append(np.full(len(slab), constants[name], dtype=np.int64))
            values.append(truth(slab.values, target))
    if not values:
        raise GrundylabError("the training tables have no positions")
    columns = {name: np.concatenate(part) for name, part in parts.items()}
    return Samples(names, columns, np.concatenate(values), ruleset.parameter_names, ruleset.functions)
