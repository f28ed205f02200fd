"""Compiled loops over the sizes of one heap, for ``heaps``: Grundy numbers where moves leave one heap or two."""

from __future__ import annotations

import numba as nb

from grundylab.numeric import Array
from grundylab.solve.sweeps.bits import FULL, single_bit

ALL_PAIRS, BITS, SPARSE = range(3)  # methods for the set of nim-sums
_WORDS = 8  # that are tried for one move before the next


@nb.njit(cache=True, nogil=True)
def has_pair(planes: Array, mirrored: Array, size: int, least: int, value: int, begin: int, end: int) -> bool:
    """Tell whether two heaps of ``size`` tokens in all, each with at least ``least``, have this nim-sum.

    The smaller heaps are those of the words begin..end - 1. Heaps a, a + 1, … are paired with size - a, size - a - 1,
    …, whose bits are consecutive in ``mirrored``.
    """
    last, offset = size >> 1, 64 * len(planes) - 1 - size
    across, shift = offset >> 6, nb.uint64(offset & 63)
    back = nb.uint64(63) - shift
    for word in range(max(begin, least >> 6), min(end, (last >> 6) + 1)):
        found = FULL
        if word == least >> 6:
            found <<= nb.uint64(least & 63)
        if word == last >> 6:
            found &= FULL >> nb.uint64(63 - (last & 63))
        for place in range(planes.shape[1]):
            other = mirrored[word + across, place] >> shift
            other |= mirrored[word + across + 1, place] << nb.uint64(1) << back
            differ = planes[word, place] ^ other
            found &= differ if value >> place & 1 else ~differ
            if not found:
                break
        if found:
            return True
    return False


@nb.njit(cache=True, nogil=True)
def is_left(planes: Array, mirrored: Array, size: int, taken: Array, smallest: Array, value: int) -> bool:
    """Tell whether from a heap of this size some move leaves two heaps with this nim-sum.

    The moves are tried in turn on a few words at a time, as it takes long to find that a move leaves none.
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
    """Fill in the values of the heaps first..stop - 1, also in the planes; return the end and the count of rare heaps.

    common: bool (values,), the values that the pairs tried one by one decide: all pairs, or those with one of the heaps
    in ``rare``, of which there are ``count``. takes, constants: numbers of tokens that are taken, and sizes of heaps
    that are left, in moves that leave one heap; taken, smallest: of those that leave two. stamps: int64 (values,), the
    last size that had a move to the value. It stops early where there is no room in ``rare``, or none for a value in
    the planes.
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
                    # no index is negative: unsigned indices save the test
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
