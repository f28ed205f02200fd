"""Grundy numbers of one heap for the checker of certificates, by what the moves may do, and no code of the sweeps.

By the definition: G(n) is the least number that no option of n has. Of a heap of a million that is 10^12 nim-sums, and
most need not be looked at (Berlekamp, Conway & Guy, *Winning Ways*, chapter 4, "Sparse Space Spells Speed"). Choose a
mask, and call a value common if it has an odd number of digits 1 in common with the mask. That number's parity adds
under nim-sum: so a common nim-sum is of one common value and one that is not. Whoever has looked at all pairs of which
at least one heap has a value that is not common has therefore seen each common nim-sum that there is. Of any other
value it is asked, when it might be the least, whether a pair has it: all pairs are gone through until one does, of all
ways to take at once, from the most unequal pair on and from the most equal one on (0 is always found there). That is
true of every mask; with a good one few heaps have values that are not common, and few pairs are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numba as nb
import numpy as np
import numpy.typing as npt

from grundylab.games.heaps import Shape
from grundylab.prove.outcome import CertificateError

Array = npt.NDArray[Any]
_AGAIN = 4_000  # sizes below which it is not asked which mask is a good one
MOST_STEPS = 10_000_000_000  # heaps and pairs of heaps that are looked at: some fifteen seconds


def by_shape(shape: Shape, known: Sequence[int], least: int, count: int) -> list[int]:
    """The Grundy numbers of the heaps below ``count``, from those of small ones on, by what the moves may do.

    Raises CertificateError where that takes too many steps.
    """
    values = np.zeros(max(count, least + len(known)), dtype=np.int64)
    values[least : least + len(known)] = known
    size, room, left = least + len(known), 8, MOST_STEPS
    splits = sorted(shape.splits)
    takes, constants = _whole(sorted(shape.takes)), _whole(sorted(shape.constants))
    taken, smallest = _whole(taken for taken, _ in splits), _whole(each for _, each in splits)
    while size < count:
        seen = values[least:size]
        room = max(room, 1 << int(seen.max(initial=0)).bit_length())
        common = _common(np.bincount(seen, minlength=room))
        others = np.zeros(count, dtype=np.int64)
        there = least + np.flatnonzero(~common[seen])
        others[: len(there)] = there
        stop, begun = min(count, max(2 * size, _AGAIN)), size
        size, left = _further(
            values, size, stop, takes, constants, taken, smallest, common, others, len(there), left
        )
        if left < 0:
            raise CertificateError(f"the heaps below {count:,} take more than {MOST_STEPS:,} steps")
        if size == begun:
            room *= 2  # there is no place for the value of this one
    return [int(value) for value in values[least:]]


def _whole(numbers: Iterable[int]) -> Array:
    return np.array(list(numbers), dtype=np.int64)


def _common(counts: Array) -> Array:
    """bool (values,): which are common, by the mask by which most heaps' values are.

    counts: int64 (values,), of how many heaps each is the value; their number is a power of two.
    """
    every = np.arange(len(counts))
    best = max(range(len(counts)), key=lambda mask: int(counts[_odd(every & mask)].sum()))
    return _odd(every & best)


def _odd(numbers: Array) -> Array:
    """Which have an odd number of digits 1."""
    return np.array([int(number).bit_count() % 2 == 1 for number in numbers], dtype=np.bool_)


@nb.njit(cache=True, nogil=True)
def _pairs(values: Array, size: int, taken: Array, smallest: Array, value: int) -> tuple[bool, int]:
    """Whether a move from a heap of the size leaves two heaps with this nim-sum; and how many pairs were looked at."""
    looked = 0
    for apart in range(size // 4 + 1):
        for way in range(len(taken)):
            rest, least = size - taken[way], smallest[way]
            unequal, equal = least + apart, rest // 2 - apart
            if unequal > equal:
                continue  # all are looked at
            looked += 2
            for one in (unequal, equal):
                if values[one] ^ values[rest - one] == value:
                    return True, looked
    return False, looked


@nb.njit(cache=True, nogil=True)
def _further(
    values: Array,
    first: int,
    stop: int,
    takes: Array,
    constants: Array,
    taken: Array,
    smallest: Array,
    common: Array,
    others: Array,
    count: int,
    left: int,
) -> tuple[int, int]:
    """Fill in the values of the heaps first..stop - 1, unless one has no place or no steps are left; up to where, and
    how many are left.

    common: bool (a power of two of values,). others: the ``count`` heaps whose values are not common, in order.
    """
    seen = np.full(len(common), -1, dtype=np.int64)
    for size in range(first, stop):
        left -= len(takes) + len(constants) + count * len(taken)
        for number in takes:
            seen[values[size - number]] = size
        for constant in constants:
            seen[values[constant]] = size
        for way in range(len(taken)):
            rest, least = size - taken[way], smallest[way]
            for place in range(count):
                one = others[place]
                if one > rest - least:
                    break
                if one >= least:
                    seen[values[one] ^ values[rest - one]] = size
        value = 0
        while value < len(common):
            if seen[value] != size:
                if common[value]:
                    break
                found, looked = _pairs(values, size, taken, smallest, value)
                left -= looked
                if not found:
                    break
            value += 1
        if value == len(common) or left < 0:
            return size, left
        values[size] = value
        if not common[value]:
            others[count] = size
            count += 1
    return stop, left
