"""From solved tables to training samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grundylab.discovery.base import Array, Samples
from grundylab.errors import GrundylabError
from grundylab.formula.arrays import evaluate_arrays
from grundylab.formula.functions import Function, Functions
from grundylab.formula.syntax import TRUE, Expr, called
from grundylab.rulesets.model import Ruleset, Target
from grundylab.solving.table import Table, truth


def collect(tables: Sequence[Table], target: Target, where: Expr = TRUE) -> Samples:
    """The positions of the tables that fulfil ``where``: instances of one ruleset, of different parameters or bounds.

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
    return Samples(
        names, columns, np.concatenate(values), ruleset.parameter_names, functions_of_the_rules(ruleset)
    )


def functions_of_the_rules(ruleset: Ruleset) -> Functions:
    """The functions that the rules of play call; others are there for claims, and would give away what these say."""
    ranges = [coordinate.range for coordinate in ruleset.coordinates]
    ranges += [choice.range for move in ruleset.moves for choice in move.choices]
    said = [end for range_ in ranges for end in (range_.low, range_.high)] + [ruleset.where, ruleset.measure]
    for move in ruleset.moves:
        said += [move.when, *(value for part in move.parts for value in part)]
    names = frozenset[str]().union(*map(called, said))
    for function in reversed(ruleset.functions.items):  # each calls earlier ones only
        if function.name in names and isinstance(function, Function):
            names |= called(function.body)
    kept = tuple(function for function in ruleset.functions if function.name in names)
    return Functions(kept, ruleset.functions.parameters)
