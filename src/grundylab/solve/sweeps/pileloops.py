"""Compiled loops over games of piles, line by line: a line is the positions that differ only in the last pile.

- ``outcome_lines`` finds outcomes where any number may be taken from each pile. With the other piles fixed there is at
  most one P-position along the last pile, since from any larger size a take leads down to it. It is the least size from
  which no take from another pile, and no move of another kind, leads to a P-position. So a line costs one search for a
  free bit in a few words, whatever its length.
- ``grundy_numbers`` finds Grundy numbers, with or without limits on takes. For each pile and each line along it there
  is a row of bits, the set of the values to which takes from this pile lead. The Grundy number of a position is the
  least number in none of its rows. From one position to the next along a line, a row gains one value and loses the
  values that are out of reach from there on. It never holds a value twice: the least size that a take leads to never
  decreases along the line, so of two sizes within reach the smaller is within reach of the larger, and their values
  differ.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from grundylab.numeric import Array
from grundylab.solve.sweeps.bits import FULL, WORD, lowest_bit, single_bit

NONE = -1  # no P-position on this line


@nb.njit(cache=True, nogil=True)
def decode(line: int, sizes: Array, place: Array) -> None:
    """Write into ``place`` the sizes of all piles in ``sizes`` but the last, decoded from the number of a line.

    sizes: the number of sizes of each pile.
    """
    for pile in range(len(sizes) - 2, -1, -1):
        place[pile] = line % sizes[pile]
        line //= sizes[pile]


@nb.njit(cache=True, nogil=True)
def line_across(place: Array, sizes: Array, pile: int) -> int:
    """Return the number of the line across: of the combination of the sizes in ``place`` without ``pile`` and the last.

    sizes: the number of sizes of each pile. Combinations are numbered in lexicographic order, from 0 on.
    """
    number = 0
    for other in range(len(sizes) - 1):
        if other != pile:
            number = number * sizes[other] + place[other]
    return number


@nb.njit(cache=True, nogil=True)
def outcome_lines(sizes: Array, axis: int, met: Array, alike: bool) -> Array:
    """Return int32 (lines,): the place of the P-position of each line along the last pile, or NONE.

    The place of a position is the size of its last pile. sizes: int64, the number of sizes of each other pile. axis:
    the number of sizes of the last pile. met: int32 (kinds, lines), one row for each kind of move that is no take: for
    each line the place from which such a move leads to a P-position, or NONE. alike: whether the game is symmetric in
    its piles. Then all piles have the same number of sizes, and of lines with the same sizes of the other piles in
    another order only one is computed.
    """
    piles = len(sizes)
    lines = 1
    for size in sizes:
        lines *= size
    result = np.full(lines, NONE, dtype=np.int32)
    words = (axis + WORD - 1) // WORD
    # For each pile and each line across, a row of bits: where P-positions differ from this line in that pile only.
    starts = np.zeros(piles + 1, dtype=np.int64)
    for pile in range(piles):
        starts[pile + 1] = starts[pile] + (0 if alike else lines // sizes[pile])
    rows = lines // sizes[0] if alike and piles else starts[piles]  # with one pile there is no line across
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
            offsets[pile] = starts[pile] + line_across(place, sizes, pile) * run
        here = used[starts[piles - 1] + head] if piles else many
        for last in range(first, run):
            line = head * run + last
            if piles == 2:
                free = _search(here, used[offsets[0] + last], met, line)
            else:
                many[:] = 0
                for pile in range(piles - 1):
                    many |= used[offsets[pile] + last]
                free = _search(here, many, met, line)
            if free < axis:
                result[line] = free
                mark = single_bit(free)
                for pile in range(piles - 1):
                    used[offsets[pile] + last, free >> 6] |= mark
                if piles:
                    here[free >> 6] |= mark
    if alike:
        _mirror(result, sizes, place)
    return result


@nb.njit(cache=True, nogil=True, inline="always")
def _search(one: Array, other: Array, met: Array, line: int) -> int:
    """Return the least place on the line that is free: its bit is in neither of the two rows, and it is not in ``met``.

    If there is none, the place returned is past the end of the rows.
    """
    for word in range(len(one)):
        taken = one[word] | other[word]
        if taken != FULL:
            for kind in range(len(met)):
                if met[kind, line] >> 6 == word:
                    taken |= single_bit(met[kind, line])
            if taken != FULL:
                return word * WORD + lowest_bit(~taken)
    return len(one) * WORD


@nb.njit(cache=True, nogil=True)
def _begin(sizes: Array, place: Array) -> int:
    """Return the least size of the last pile in ``sizes`` with which the sizes in ``place`` increase weakly.

    Return -1 if the earlier piles are not in increasing order.
    """
    for pile in range(len(sizes) - 2):
        if place[pile] > place[pile + 1]:
            return -1
    return place[len(sizes) - 2] if len(sizes) > 1 else 0


@nb.njit(cache=True, nogil=True)
def _mirror(result: Array, sizes: Array, place: Array) -> None:
    """Copy the result of each line with sizes in increasing order to the lines with these sizes in another order."""
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


@nb.njit(cache=True, nogil=True)
def grundy_numbers(sizes: Array, reach: Array, words: int, others: Array, result: Array) -> bool:
    """Fill ``result``, int32 (cells,), with Grundy numbers; return False if one needs more than ``words``.

    Before the call, ``result`` holds for each cell the value to which a move that is no take leads, or -1. others:
    int32 (kinds, cells), the same for further moves of this sort. sizes: int64, the number of sizes of each pile.
    reach: int64 (piles, greatest number of sizes or more), for each size of a pile the least size to which a take
    leads, or the size itself if there is no take; it must never decrease. words: the number of 64-bit words in each
    row of bits.
    """
    piles = len(sizes)
    axis = sizes[piles - 1]
    starts = np.zeros(piles, dtype=np.int64)
    strides = np.ones(piles, dtype=np.int64)
    for pile in range(piles - 1, 0, -1):
        strides[pile - 1] = strides[pile] * sizes[pile]
    for pile in range(piles - 1):
        starts[pile + 1] = starts[pile] + len(result) // sizes[pile]
    used = np.zeros((starts[piles - 1], words), dtype=np.uint64)
    along = np.zeros(words, dtype=np.uint64)  # the row of the last pile
    none = np.zeros((1, words), dtype=np.uint64)  # the one row of a missing pile
    all_rows, one_row = np.int64(-1), np.int64(0)  # masks on a row's number
    ones, twos = all_rows if piles > 1 else one_row, all_rows if piles > 2 else one_row
    place = np.zeros(piles, dtype=np.int64)
    rows = np.zeros(piles, dtype=np.int64)
    for line in range(len(result) // axis):
        _enter(line, sizes, reach, starts, strides, place, rows, used, result)
        along[:] = 0
        first = used[rows[0] : rows[0] + axis] if piles > 1 else none
        second = used[rows[1] : rows[1] + axis] if piles > 2 else none
        for last in range(axis):
            cell = line * axis + last
            for left in range(reach[piles - 1, max(last - 1, 0)], reach[piles - 1, last]):
                value = result[cell - last + left]
                along[value >> 6] &= ~single_bit(value)
            met, value = result[cell], -1
            for word in range(words):
                taken = along[word] | first[last & ones, word] | second[last & twos, word]
                for pile in range(2, piles - 1):
                    taken |= used[rows[pile] + last, word]
                if taken != FULL:
                    if met >> 6 == word:
                        taken |= single_bit(met)
                    for kind in range(len(others)):
                        if others[kind, cell] >> 6 == word:
                            taken |= single_bit(others[kind, cell])
                    if taken != FULL:
                        value = word * WORD + lowest_bit(~taken)
                        break
            if value < 0:
                return False
            result[cell] = value
            along[value >> 6] |= single_bit(value)
            if piles > 1:
                first[last, value >> 6] |= single_bit(value)
            if piles > 2:
                second[last, value >> 6] |= single_bit(value)
            for pile in range(2, piles - 1):
                used[rows[pile] + last, value >> 6] |= single_bit(value)
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
    result: Array,
) -> None:
    """Prepare ``place``, ``rows`` and ``used`` for this line.

    place: gets the sizes of all piles but the last. rows: gets, for each of these piles, the index in ``used`` of its
    first row of bits for this line. From these rows the values are removed that takes no longer reach from here on.
    """
    piles, axis = len(sizes), sizes[len(sizes) - 1]
    decode(line, sizes, place)
    for pile in range(piles - 1):
        rows[pile] = starts[pile] + line_across(place, sizes, pile) * axis
        for left in range(reach[pile, max(place[pile] - 1, 0)], reach[pile, place[pile]]):
            gone = line * axis - (place[pile] - left) * strides[pile]
            for last in range(axis):
                value = result[gone + last]
                used[rows[pile] + last, value >> 6] &= ~single_bit(value)
