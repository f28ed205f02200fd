"""Rows of a game in layers, one after another, by a recurrence that needs time and memory for one axis only.

Write r(m) = n if (m, n) is the P-position of a layer with m on the first axis. There is exactly one such n: the least n
that differs from every r(m') with m' < m and from the r(m) of every lower layer to which a move leads from (m, n). This
is why: from (m, n) with any smaller number n, or with n = r(m'), some move leads to a P-position, so these are
N-positions. From the least other n no move does. From each larger n a take leads down to the least. (Under misère play
the position without moves is an N-position, and is excluded.) So r(m) is at most m plus the number of moves to lower
layers, and a row costs little more than its length. The recurrence is a consequence of the definition, and tests
compare it with the reference solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import InstanceError
from grundylab.games.layers import MOST_DESCENTS, LayeredGame, LayerValues
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE
from grundylab.solve.memory import free_memory

TableRow = npt.NDArray[np.int32]
NONE = -1  # in place of a number of the second axis
_BYTES = 4  # for each number of a row
MOST_STEPS = 10**10  # moves times positions of a row; so many take half a minute


@dataclass(frozen=True)
class RowTables:
    """The rows of some layers and of all layers that moves reach from them.

    layers: each comes after all layers that its moves lead to. table: int32 (layers, length), the row of each layer.
    """

    game: LayeredGame
    layers: tuple[LayerValues, ...]
    table: npt.NDArray[np.int32]

    @property
    def length(self) -> int:
        """The number of positions along the first axis."""
        return int(self.table.shape[1])

    def __getitem__(self, layer: LayerValues) -> TableRow:
        """Return the row of a layer: r(0), …, r(length - 1)."""
        row: TableRow = self.table[self.layers.index(layer)]
        return row


def solve_rows(game: LayeredGame, top: LayerValues, length: int) -> RowTables:
    """Return the rows of a layer and of all layers that moves reach from it. Raises as ``solve_all_rows`` does."""
    return solve_all_rows(game, [top], length)


def solve_all_rows(game: LayeredGame, tops: Sequence[LayerValues], length: int) -> RowTables:
    """Return the rows of the layers ``tops`` and of all layers that moves reach from them, each once.

    Raises TooManyLayers if there are too many layers, InstanceError if the rows do not fit the free memory,
    EvaluationError if the condition of a move has no value.
    """
    from grundylab.solve.rowloops import fill_row  # numba takes a second to import

    most = min(MOST_DESCENTS, MOST_STEPS // length)
    layers = tuple(game.below(*tops, most=most))
    needed, free = len(layers) * length * _BYTES, free_memory()
    if needed > free:
        raise InstanceError(
            f"{game.game.name}: {len(layers)} rows of {length:,} positions do not fit into free memory"
        )
    table = np.full((len(layers), length), NONE, dtype=np.int32)
    places = {layer: place for place, layer in enumerate(layers)}
    for place, layer in enumerate(layers):
        steps = game.descents(layer)
        always = np.array([places[step.to] for step in steps if step.when == TRUE], dtype=np.intp)
        others = []  # the rows that conditional moves lead to, with NONE where the move does not exist
        for step in (step for step in steps if step.when != TRUE):
            row = table[places[step.to]]
            columns: dict[str, Any] = {game.axes[0]: np.arange(length, dtype=np.int64)}
            columns |= {name: row.astype(np.int64) for name in game.axes[1:]}
            possible = evaluate_arrays(step.when, columns, game.game.functions)
            others.append(np.where(possible, row, np.int32(NONE)))
        if game.game.play == "misere" and game.ends_at_origin(layer):
            others.append(np.where(np.arange(length) == 0, 0, NONE).astype(np.int32))
        more = np.array(others, dtype=np.int32).reshape(len(others), length)
        fill_row(table, place, always, more)
    return RowTables(game, layers, table)
