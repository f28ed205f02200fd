"""Which rows of values are equal to others, told by one number for each: how terms of one behaviour are found."""

from __future__ import annotations

import numpy as np

from grundylab.discover.base import Array
from grundylab.discover.scatter import scrambled

LARGEST = 1 << 15  # absolute value in rows, unless a greater one is asked for
_CHUNK = 1 << 21  # array cells worked on at a time


def fingerprints(rows: Array, by: Array) -> Array:
    """One int64 for each row: equal rows have equal ones, unequal rows practically never.

    rows: bool or integers of absolute value at most the ``largest`` of the ``weights``. The float64
    products are exact (below 2**53), so the result does not depend on the order of summation.
    """
    found = np.empty(len(rows), dtype=np.int64)
    step = max(_CHUNK // max(rows.shape[1], 1), 1)
    for start in range(0, len(rows), step):
        dots = (rows[start : start + step].astype(np.float64) @ by).astype(np.int64)
        found[start : start + step] = dots[:, 0] * np.int64(0x1E3779B97F4A7C15) + dots[:, 1]
    return found


def unseen(prints: Array, known: Array) -> Array:
    """The first row of each fingerprint that is not among the known ones, which are sorted."""
    values, first = np.unique(prints, return_index=True)
    place = np.searchsorted(known, values)
    seen = place < len(known)
    seen[seen] = known[place[seen]] == values[seen]
    return np.sort(first[~seen])


def with_seen(known: Array, prints: Array) -> Array:
    """The known fingerprints and these, sorted."""
    new = np.sort(prints)
    return np.insert(known, np.searchsorted(known, new), new)


def weights(positions: int, largest: int = LARGEST) -> Array:
    """Two columns of whole numbers without pattern, small enough for exact sums over the positions."""
    bits = 52 - largest.bit_length() - max(positions, 1).bit_length()
    return (scrambled(np.arange(2 * positions)) >> np.uint64(64 - bits)).astype(np.float64).reshape(-1, 2)
