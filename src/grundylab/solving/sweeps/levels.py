"""Lines of positions where a move leads to the same place of another line, or to an interval of one.

The positions that differ in one coordinate only, the axis, form a line. If a move leaves the axis alone, and its
choices do not ask about it, then it leads from each place of a line to the same place of another line: a *level*
edge, perhaps only at some places. If a move takes from the axis, it leads to an interval of one line (this one or
another): a *window*. So moves are looked at once for a whole line.
"""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np
import numpy.typing as npt

from grundylab.solving.sweeps.bits import WORD, bit, lowest

Array = npt.NDArray[Any]
Edges = tuple[Array, Array, Array]
_FULL = np.uint64(2**64 - 1)


@nb.njit(cache=True, nogil=True)
def outcomes(order: Array, levels: Edges, windows: Edges, masks: Array, spans: Array, won: Array) -> None:
    """Fill in ``won``: bool (lines, places), whether each position is an N-position.

    order: int64 (lines,), each after all that edges lead to from it. levels: (starts, targets, masks), where the
    edges of line i are those from starts[i] to starts[i + 1] - 1, and a mask is the number of one in ``masks`` or
    -1. windows: (starts, targets, spans). masks: bool (masks, places). spans: int32 (spans, 2, places): from place a
    to the places from spans[s, 0, a] to spans[s, 1, a]. won: at the beginning, where there is no move and yet the
    player to move has won.
    """
    level_starts, level_to, level_mask = levels
    window_starts, window_to, window_span = windows
    places = won.shape[1]
    # how many P-positions each line has before each place
    before = np.zeros((len(won), places + 1), dtype=np.int32)
    for line in order:
        here = won[line]
        for edge in range(level_starts[line], level_starts[line + 1]):
            there, mask = won[level_to[edge]], level_mask[edge]
            if mask < 0:
                for place in range(places):
                    here[place] |= not there[place]
            else:
                for place in range(places):
                    here[place] |= masks[mask, place] and not there[place]
        for place in range(places):
            for edge in range(window_starts[line], window_starts[line + 1]):
                low, high = spans[window_span[edge], 0, place], spans[window_span[edge], 1, place]
                count = before[window_to[edge]]
                if low <= high and count[high + 1] > count[low]:
                    here[place] = True
            before[line, place + 1] = before[line, place] + (not here[place])


@nb.njit(cache=True, nogil=True)
def grundy_numbers(
    order: Array,
    levels: Edges,
    windows: Edges,
    masks: Array,
    spans: Array,
    sliding: Array,
    words: int,
    found: Array,
) -> None:
    """Fill in ``found``: int32 (lines, places), the Grundy numbers; the rest as for ``outcomes``.

    sliding: bool (spans,), whether each ends right before the place and never begins at a smaller one than the last;
    then a window of the line itself never holds a value twice (as in ``values``). words: of bits that hold every
    value.
    """
    level_starts, level_to, level_mask = levels
    window_starts, window_to, window_span = windows
    places = found.shape[1]
    seen = np.zeros((places, words), dtype=np.uint64)
    along = np.zeros(words, dtype=np.uint64)  # the values in the last window of the line itself
    for line in order:
        seen[:] = 0
        for edge in range(level_starts[line], level_starts[line + 1]):
            there, mask = found[level_to[edge]], level_mask[edge]
            for place in range(places):
                if mask < 0 or masks[mask, place]:
                    seen[place, there[place] >> 6] |= bit(there[place])
        along[:] = 0
        for place in range(places):
            for edge in range(window_starts[line], window_starts[line + 1]):
                there = found[window_to[edge]]
                span = window_span[edge]
                low, high = spans[span, 0, place], spans[span, 1, place]
                if sliding[span] and window_to[edge] == line:
                    if place > 0:
                        _slide(along, there, spans[span, 0, place - 1], low, place)
                    seen[place] |= along
                else:
                    for to in range(low, high + 1):
                        seen[place, there[to] >> 6] |= bit(there[to])
            for word in range(words):
                if seen[place, word] != _FULL:
                    found[line, place] = word * WORD + lowest(~seen[place, word])
                    break


@nb.njit(cache=True, nogil=True, inline="always")
def _slide(row: Array, found: Array, before: int, low: int, place: int) -> None:
    """From the values in before..place - 2 to those in low..place - 1."""
    row[found[place - 1] >> 6] |= bit(found[place - 1])
    for gone in range(before, low):
        row[found[gone] >> 6] &= ~bit(found[gone])
