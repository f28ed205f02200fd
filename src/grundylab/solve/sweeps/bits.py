"""Operations on the bits of 64-bit words, for compiled code."""

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


@nb.njit(cache=True, nogil=True, inline="always")
def lowest_bit(word: Any) -> int:  # noqa: ANN401 - uint64
    """Return the place of the lowest bit that is set in a word that is not 0."""
    low = word & (~word + _ONE)
    return _PLACES[(low * _SEQUENCE) >> _SHIFT]  # type: ignore[no-any-return]


@nb.njit(cache=True, nogil=True, inline="always")
def single_bit(place: Any) -> Any:  # noqa: ANN401 - int64 -> uint64
    """Return the word in which only the bit at this place, modulo 64, is set."""
    return _ONE << np.uint64(place & 63)
