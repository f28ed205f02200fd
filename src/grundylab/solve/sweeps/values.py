"""Grundy numbers where a number of any size, or one up to a limit that depends on the pile, is taken from one pile.

For each pile and each line across there is a set of the values that its moves lead to, as a row of bits; the Grundy
number of a position is the least number in none of its rows. Going along a line, a row gains one value, and loses
those that are out of reach from there on. It never holds a value twice: if the least size that a move goes to never
decreases, the smaller of two sizes within reach is within reach of the larger, so their values differ.
"""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np
import numpy.typing as npt

from grundylab.solve.sweeps.across import decode, without
from grundylab.solve.sweeps.bits import WORD, bit, lowest

Array = npt.NDArray[Any]
_FULL = np.uint64(2**64 - 1)


@nb.njit(cache=True, nogil=True)
def grundy_numbers(sizes: Array, reach: Array, words: int, others: Array, found: Array) -> bool:
    """Fill in ``found``: int32 (cells of the piles' box,). False if some value needs more than so many words of bits.

    found: at the beginning, the values that a move of another kind leads to, or -1. others: int32 (kinds, cells),
    the same for more kinds. sizes: int64, the number of sizes of each pile. reach: int64 (piles, at least the
    greatest size), the least size that a move goes to from each size of the pile, and the size itself where there is
    none; it never decreases. words: so many words of bits hold every value.
    """
    piles = len(sizes)
    axis = sizes[piles - 1]
    starts = np.zeros(piles, dtype=np.int64)
    strides = np.ones(piles, dtype=np.int64)
    for pile in range(piles - 1, 0, -1):
        strides[pile - 1] = strides[pile] * sizes[pile]
    for pile in range(piles - 1):
        starts[pile + 1] = starts[pile] + len(found) // sizes[pile]
    used = np.zeros((starts[piles - 1], words), dtype=np.uint64)
    along = np.zeros(words, dtype=np.uint64)  # the row of the last pile
    none = np.zeros((1, words), dtype=np.uint64)  # the one row of a pile that is not there
    all_rows, one_row = np.int64(-1), np.int64(0)  # what is kept of a row's number
    ones, twos = all_rows if piles > 1 else one_row, all_rows if piles > 2 else one_row
    place = np.zeros(piles, dtype=np.int64)
    rows = np.zeros(piles, dtype=np.int64)
    for line in range(len(found) // axis):
        _enter(line, sizes, reach, starts, strides, place, rows, used, found)
        along[:] = 0
        first = used[rows[0] : rows[0] + axis] if piles > 1 else none
        second = used[rows[1] : rows[1] + axis] if piles > 2 else none
        for last in range(axis):
            cell = line * axis + last
            for left in range(reach[piles - 1, max(last - 1, 0)], reach[piles - 1, last]):
                value = found[cell - last + left]
                along[value >> 6] &= ~bit(value)
            met, value = found[cell], -1
            for word in range(words):
                taken = along[word] | first[last & ones, word] | second[last & twos, word]
                for pile in range(2, piles - 1):
                    taken |= used[rows[pile] + last, word]
                if taken != _FULL:
                    if met >> 6 == word:
                        taken |= bit(met)
                    for kind in range(len(others)):
                        if others[kind, cell] >> 6 == word:
                            taken |= bit(others[kind, cell])
                    if taken != _FULL:
                        value = word * WORD + lowest(~taken)
                        break
            if value < 0:
                return False
            found[cell] = value
            along[value >> 6] |= bit(value)
            if piles > 1:
                first[last, value >> 6] |= bit(value)
            if piles > 2:
                second[last, value >> 6] |= bit(value)
            for pile in range(2, piles - 1):
                used[rows[pile] + last, value >> 6] |= bit(value)
    return True


@nb.njit(cache=True, nogil=True)
def _enter(
    line: int,
    sizes: Array,
    reach: Array,
    starts: Array,
    strides: Array,
    place: Array,
    rows: Array,
    used: Array,
    found: Array,
) -> None:
    """Fill in the other piles' sizes on this line, ``place``, and where each one's rows are in ``used``, ``rows``; what
    is out of their reach from here on leaves these rows.
    """
    piles, axis = len(sizes), sizes[len(sizes) - 1]
    decode(line, sizes, place)
    for pile in range(piles - 1):
        rows[pile] = starts[pile] + without(place, sizes, pile) * axis
        for left in range(reach[pile, max(place[pile] - 1, 0)], reach[pile, place[pile]]):
            gone = line * axis - (place[pile] - left) * strides[pile]
            for last in range(axis):
                value = found[gone + last]
                used[rows[pile] + last, value >> 6] &= ~bit(value)
