"""Outcomes where any number may be taken from each pile: of every line along the last pile the one P-position.

With the other piles fixed there is at most one P-position along the last pile, since from any other one takes down to
it: it is the least number n such that no P-position is reached from there by taking from another pile, or by a move
of another kind. So a line costs one search for a free bit in a few words, whatever its length.
"""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

from grundylab.solve.sweeps.across import decode, without
from grundylab.solve.sweeps.bits import WORD, bit, lowest

NONE = -1  # no P-position on this line
_FULL = np.uint64(2**64 - 1)


@nb.njit(cache=True, nogil=True)
def least_free(sizes: Any, axis: int, met: Any, alike: bool) -> Any:  # noqa: ANN401 - arrays
    """int32 (lines,): the place of the P-position along the last pile, or NONE.

    sizes: int64, the number of sizes of each other pile; axis: that of the last one. met: int32 (kinds, lines),
    places on each line from where another move goes to a P-position, or NONE. alike: whether the game stays the same
    when piles are exchanged (then all sizes are equal): lines are computed once for each set of piles.
    """
    piles = len(sizes)
    lines = 1
    for size in sizes:
        lines *= size
    result = np.full(lines, NONE, dtype=np.int32)
    words = (axis + WORD - 1) // WORD
    # For each pile and each line across, one row of bits: where P-positions differ from this line in that pile only.
    starts = np.zeros(piles + 1, dtype=np.int64)
    for pile in range(piles):
        starts[pile + 1] = starts[pile] + (0 if alike else lines // sizes[pile])
    rows = starts[piles] if not alike else lines // sizes[0]
    used = np.zeros((rows, words), dtype=np.uint64)
    many = np.zeros(words, dtype=np.uint64)  # the rows of all piles but the last together
    run = sizes[piles - 1] if piles else 1
    offsets = np.zeros(piles, dtype=np.int64)
    place = np.zeros(piles, dtype=np.int64)
    for head in range(lines // run):
        decode(head, sizes, place)
        first = _begin(sizes, place) if alike else 0
        if first < 0:
            continue
        for pile in range(piles - 1):
            offsets[pile] = starts[pile] + without(place, sizes, pile) * run
        here = used[starts[piles - 1] + head] if piles else many
        for last in range(first, run):
            line = head * run + last
            if piles == 2:
                found = _search(here, used[offsets[0] + last], met, line)
            else:
                many[:] = 0
                for pile in range(piles - 1):
                    many |= used[offsets[pile] + last]
                found = _search(here, many, met, line)
            if found < axis:
                result[line] = found
                mark = bit(found)
                for pile in range(piles - 1):
                    used[offsets[pile] + last, found >> 6] |= mark
                if piles:
                    here[found >> 6] |= mark
    if alike:
        _mirror(result, sizes, place)
    return result


@nb.njit(cache=True, nogil=True, inline="always")
def _search(one: Any, other: Any, met: Any, line: int) -> Any:  # noqa: ANN401 - arrays
    """The least place whose bit is in neither row and which is not one of those met; past the rows if there is
    none."""
    for word in range(len(one)):
        taken = one[word] | other[word]
        if taken != _FULL:
            for kind in range(len(met)):
                if met[kind, line] >> 6 == word:
                    taken |= bit(met[kind, line])
            if taken != _FULL:
                return word * WORD + lowest(~taken)
    return len(one) * WORD


@nb.njit(cache=True, nogil=True)
def _begin(sizes: Any, place: Any) -> int:  # noqa: ANN401 - arrays
    """Where the last size begins so that all are in order, or -1 if those before it are not."""
    for pile in range(len(sizes) - 2):
        if place[pile] > place[pile + 1]:
            return -1
    return place[len(sizes) - 2] if len(sizes) > 1 else 0


@nb.njit(cache=True, nogil=True)
def _mirror(result: Any, sizes: Any, place: Any) -> None:  # noqa: ANN401 - arrays
    """Copy each line to those with the piles in another order."""
    piles = len(sizes)
    if piles == 2:
        width = sizes[0]
        for high in range(width):
            for low in range(high):
                result[high * width + low] = result[low * width + high]
        return
    for line in range(len(result)):
        rest = line
        for pile in range(piles - 1, -1, -1):
            place[pile] = rest % sizes[pile]
            rest //= sizes[pile]
        place.sort()
        source = 0
        for pile in range(piles):
            source = source * sizes[pile] + place[pile]
        result[line] = result[source]
