"""Outcomes where at most so many are taken from a pile, the limit depending on that pile.

From a pile of x one may go to the sizes from ``reach(x)`` to x - 1. So there is a P-position among the options by this
pile exactly if the last P-position before x, with the other piles as they are, is at ``reach(x)`` or later: one number
for each line across is remembered, and no option is looked at.
"""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

from grundylab.solve.sweeps.across import decode, without


@nb.njit(cache=True, nogil=True)
def outcomes(sizes: Any, reach: Any, won: Any) -> None:  # noqa: ANN401 - arrays
    """Fill in ``won``: bool (cells of the piles' box,), whether each position is an N-position.

    sizes: int64, the number of sizes of each pile. reach: int64 (piles, at least the greatest size), the least size
    that a move goes to from each size of the pile, and the size itself where there is none. won: at the beginning,
    whether a move of another kind goes to a P-position.
    """
    piles = len(sizes)
    axis = sizes[piles - 1]
    lines = len(won) // axis
    # For each pile but the last, and each cell across, the size of the last P-position.
    starts = np.zeros(piles, dtype=np.int64)
    for pile in range(piles - 1):
        starts[pile + 1] = starts[pile] + len(won) // sizes[pile]
    latest = np.full(starts[piles - 1], -1, dtype=np.int32)
    place = np.zeros(piles, dtype=np.int64)
    offsets = np.zeros(piles, dtype=np.int64)
    for line in range(lines):
        decode(line, sizes, place)
        for pile in range(piles - 1):
            offsets[pile] = starts[pile] + without(place, sizes, pile) * axis
        here = won[line * axis : (line + 1) * axis]
        for pile in range(piles - 1):
            least = reach[pile, place[pile]]
            before = latest[offsets[pile] : offsets[pile] + axis]
            for cell in range(axis):
                here[cell] |= before[cell] >= least
        last = -1
        for cell in range(axis):
            if last >= reach[piles - 1, cell]:
                here[cell] = True
            if not here[cell]:
                last = cell
                for pile in range(piles - 1):
                    latest[offsets[pile] + cell] = place[pile]
