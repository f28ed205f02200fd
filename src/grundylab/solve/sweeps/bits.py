"""Bits of 64-bit words, and rows of them that are marked and searched, for compiled code."""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

WORD = 64
FULL = np.uint64(2**64 - 1)
# Leiserson, Prokop & Randall, Using de Bruijn sequences to index a 1 in a computer word (1998)
_SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
_SHIFT, _ONE = np.uint64(58), np.uint64(1)
_PLACES = np.zeros(WORD, dtype=np.int64)
for _place in range(WORD):
    _PLACES[((int(_SEQUENCE) << _place) & (2**64 - 1)) >> 58] = _place
_PLACES.flags.writeable = False


def words(bits: int) -> int:
    """How many words hold so many bits."""
    return (bits + WORD - 1) // WORD


@nb.njit(cache=True, nogil=True, inline="always")
def lowest(word: Any) -> int:  # noqa: ANN401 - uint64
    """The place of the lowest bit that is set in the word; some bit must be."""
    low = word & (~word + _ONE)
    return _PLACES[(low * _SEQUENCE) >> _SHIFT]  # type: ignore[no-any-return]


@nb.njit(cache=True, nogil=True, inline="always")
def bit(place: Any) -> Any:  # noqa: ANN401 - int64 -> uint64
    """The word with this bit set only."""
    return _ONE << np.uint64(place & 63)


@nb.njit(cache=True, nogil=True)
def next_free(row: Any, place: int) -> int:  # noqa: ANN401 - uint64 (words,)
    """The least place from this one on whose bit is not set; past the row if there is none."""
    if place >= len(row) * WORD:
        return len(row) * WORD
    word = place >> 6
    free = ~row[word] & (FULL << np.uint64(place & 63))
    while free == 0:
        word += 1
        if word == len(row):
            return word * WORD
        free = ~row[word]
    return word * WORD + lowest(free)


@nb.njit(cache=True, nogil=True, inline="always")
def mark(row: Any, place: int) -> None:  # noqa: ANN401 - uint64 (words,)
    """Set the bit of the place."""
    row[place >> 6] |= bit(place)


@nb.njit(cache=True, nogil=True)
def fill(row: Any, first: int, last: int) -> None:  # noqa: ANN401 - uint64 (words,)
    """Set the bits of all places from ``first`` to ``last``."""
    begin, end = first >> 6, last >> 6
    head = FULL << np.uint64(first & 63)
    tail = FULL >> np.uint64(63 - (last & 63))
    if begin == end:
        row[begin] |= head & tail
        return
    row[begin] |= head
    for word in range(begin + 1, end):
        row[word] = FULL
    row[end] |= tail
