"""The positions of an instance without their values: what a statement that plays no game is checked at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError, RulesetError
from grundylab.games.instance import Instance
from grundylab.language.arrays import evaluate_arrays
from grundylab.solve.table import NO_POSITION, Slab, Table

_SLAB = 1 << 20  # cells looked at together


def unsolved(instance: Instance) -> Table:
    """A table that has 0 at every position, terminal or not. No move is looked at.

    Raises RulesetError where a range or the condition on positions has no value.
    """
    box = Table(instance, "outcome", np.zeros(instance.shape, dtype=np.int32))
    try:
        parts = [np.where(_inside(instance, slab), 0, NO_POSITION) for slab in box.slabs(_SLAB)]
    except EvaluationError as error:
        raise RulesetError(f"{instance}: position space: {error.message}") from None
    flat = np.concatenate(parts) if parts else np.empty(0)
    return Table(instance, "outcome", flat.astype(np.int32).reshape(instance.shape))


def _inside(instance: Instance, slab: Slab) -> npt.NDArray[np.bool_]:
    """Which rows are positions. As by the definition, a range is evaluated only where those before it are kept."""
    ruleset = instance.ruleset
    rows = np.arange(len(slab))
    columns = {name: np.full(len(slab), value, dtype=np.int64) for name, value in instance.constants.items()}

    def keep(kept: npt.NDArray[np.bool_]) -> None:
        nonlocal rows, columns
        if not kept.all():
            rows, columns = rows[kept], {name: column[kept] for name, column in columns.items()}

    for coordinate, values in zip(ruleset.coordinates, slab.coordinates, strict=True):
        low, high = (
            evaluate_arrays(end, columns, ruleset.functions)
            for end in (coordinate.range.low, coordinate.range.high)
        )
        here = values[rows]
        columns[coordinate.name] = here
        keep((low <= here) & (here <= high))
    keep(evaluate_arrays(ruleset.where, columns, ruleset.functions))
    inside = np.zeros(len(slab), dtype=bool)
    inside[rows] = True
    return inside
