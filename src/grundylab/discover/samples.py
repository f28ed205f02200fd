"""From solved tables to training samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grundylab.discover.base import Array, Samples
from grundylab.errors import GrundylabError
from grundylab.games.model import Target
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE, Expr
from grundylab.solve.table import Table, truth


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
        constants = dict(table.instance.parameters)
        for slab in table.slabs():
            there = dict(zip(ruleset.coordinate_names, slab.coordinates, strict=True))
            there |= {name: np.full(len(slab), constants[name]) for name in ruleset.parameter_names}
            wanted = truth(slab.values, target)
            if where != TRUE:
                kept = evaluate_arrays(where, there, ruleset.functions)
                there, wanted = {name: column[kept] for name, column in there.items()}, wanted[kept]
            for name in names:
                parts[name].append(there[name].astype(np.int64))
            values.append(wanted)
    if not sum(map(len, values)):
        fulfilling = "" if where == TRUE else f" that fulfil {where}"
        raise GrundylabError(f"the training tables have no positions{fulfilling}")
    columns = {name: np.concatenate(part) for name, part in parts.items()}
    return Samples(names, columns, np.concatenate(values), ruleset.parameter_names, ruleset.rule_functions)
