"""Rows of bits that are marked and searched, for the modules that ``marksource`` writes."""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

from grundylab.solve.sweeps.bits import WORD, bit, lowest

_FULL = np.uint64(2**64 - 1)


@nb.njit(cache=True, nogil=True)
def next_free(row: Any, place: int) -> int:  # noqa: ANN401 - uint64 (words,)
    """The least place from this one on whose bit is not set; past the row if there is none."""
    if place >= len(row) * WORD:
        return len(row) * WORD
    word = place >> 6
    free = ~row[word] & (_FULL << np.uint64(place & 63))
    while free == 0:
        word += 1
        if word == len(row):
            return word * WORD
        free = ~row[word]
    return word * WORD + lowest(free)  # type: ignore[no-any-return]


@nb.njit(cache=True, nogil=True, inline="always")
def mark(row: Any, place: int) -> None:  # noqa: ANN401 - uint64 (words,)
    """Set the bit of the place."""
    row[place >> 6] |= bit(place)


@nb.njit(cache=True, nogil=True)
def fill(row: Any, first: int, last: int) -> None:  # noqa: ANN401 - uint64 (words,)
    """Set the bits of all places from ``first`` to ``last``."""
    begin, end = first >> 6, last >> 6
    head = _FULL << np.uint64(first & 63)
    tail = _FULL >> np.uint64(63 - (last & 63))
    if begin == end:
        row[begin] |= head & tail
        return
    row[begin] |= head
    for word in range(begin + 1, end):
        row[word] = _FULL
    row[end] |= tail
