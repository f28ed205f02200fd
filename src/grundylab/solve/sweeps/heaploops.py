"""Compiled loops over the sizes of one heap, for ``heap_sweep``: Grundy numbers where a move leaves one heap or two.

``planes`` and ``mirrored`` are the arrays of ``heap_sweep._State``, with the bits of the values of smaller heaps.
"""

from __future__ import annotations

import numba as nb

from grundylab.numeric import Array
from grundylab.solve.sweeps.bits import FULL, single_bit

ALL_PAIRS, BITS, SPARSE = range(3)  # methods for the set of nim-sums
_WORDS = 8  # words of pairs that are tried for one move before the next move


@nb.njit(cache=True, nogil=True)
def has_pair(planes: Array, mirrored: Array, size: int, least: int, value: int, begin: int, end: int) -> bool:
    """Tell whether two heaps of ``size`` tokens in all, each with at least ``least``, have the nim-sum ``value``.

    Only pairs are tried whose smaller heap has its bit in the words begin..end - 1 of ``planes``. 64 pairs are tried at
    once: the heaps a, a + 1, … with size - a, size - a - 1, …, whose bits are consecutive in ``mirrored``.
    """
    last, offset = size >> 1, 64 * len(planes) - 1 - size
    across, shift = offset >> 6, nb.uint64(offset & 63)
    back = nb.uint64(63) - shift
    for word in range(max(begin, least >> 6), min(end, (last >> 6) + 1)):
        pairs = FULL
        if word == least >> 6:
            pairs <<= nb.uint64(least & 63)
        if word == last >> 6:
            pairs &= FULL >> nb.uint64(63 - (last & 63))
        for place in range(planes.shape[1]):
            other = mirrored[word + across, place] >> shift
            other |= mirrored[word + across + 1, place] << nb.uint64(1) << back
            differ = planes[word, place] ^ other
            pairs &= differ if value >> place & 1 else ~differ
            if not pairs:
                break
        if pairs:
            return True
    return False


@nb.njit(cache=True, nogil=True)
def is_left(planes: Array, mirrored: Array, size: int, taken: Array, smallest: Array, value: int) -> bool:
    """Tell whether some move from a heap of this size leaves two heaps with the nim-sum ``value``.

    taken, smallest: for each move, the number of tokens taken and the least size of the smaller heap. Every move is
    tried on a few words of pairs before any is tried on the next words: a move without such a pair would otherwise
    cost a search of all its pairs.
    """
    for begin in range(0, (size >> 7) + 1, _WORDS):
        for way in range(len(taken)):
            if has_pair(planes, mirrored, size - taken[way], smallest[way], value, begin, begin + _WORDS):
                return True
    return False


@nb.njit(cache=True, nogil=True)
def extend(
    values: Array,
    first: int,
    stop: int,
    way_on: int,
    takes: Array,
    constants: Array,
    taken: Array,
    smallest: Array,
    common: Array,
    rare: Array,
    count: int,
    planes: Array,
    mirrored: Array,
    stamps: Array,
) -> tuple[int, int]:
    """Fill in the values of the heaps first..stop - 1; return the first size without a value and the new ``count``.

    way_on: the method for the set of nim-sums: ALL_PAIRS, BITS or SPARSE. takes, constants: for moves that leave one
    heap, the numbers of tokens taken and the sizes left. taken, smallest: for moves that leave two heaps, as in
    ``is_left``. rare: the first ``count`` entries are the heaps that are paired one by one with every partner. common:
    bool (values,), the values that these pairs decide: with SPARSE the common values, with ALL_PAIRS all, with BITS
    none. The other values are tested by ``is_left``. stamps: int64 (values,), for each value the last size from which a
    move led to it. The function stops early if ``rare`` is full, or if a value needs more bits than the planes have.
    """
    end, bits = 64 * len(planes) - 1, planes.shape[1]
    most = len(common)
    for size in range(first, stop):
        if way_on == SPARSE and count == len(rare):
            return size, count
        for number in takes:
            stamps[values[size - number]] = size
        for left in constants:
            stamps[values[left]] = size
        for way in range(len(taken)):
            total, least = size - taken[way], smallest[way]
            if way_on == ALL_PAIRS:
                for one in range(least, (total >> 1) + 1):
                    # unsigned indices save a test, since no index is negative
                    stamps[nb.uint64(values[nb.uint64(one)] ^ values[nb.uint64(total - one)])] = size
            else:
                for one in rare[:count]:
                    if one > total - least:
                        break
                    if one >= least:
                        stamps[values[one] ^ values[total - one]] = size
        value = 0
        while value < most:
            if stamps[value] != size:
                if common[value]:
                    break
                if not is_left(planes, mirrored, size, taken, smallest, value):
                    break
            value += 1
        if value == most:
            return size, count
        values[size] = value
        for place in range(bits):
            if value >> place & 1:
                planes[size >> 6, place] |= single_bit(size)
                mirrored[(end - size) >> 6, place] |= single_bit(end - size)
        if way_on == SPARSE and not common[value]:
            rare[count] = size
            count += 1
    return stop, count
