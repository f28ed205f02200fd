"""Which rows of values are equal to others, told by one number for each: how terms of one behaviour are found."""

from __future__ import annotations

import numpy as np

from grundylab.discover.base import Array
from grundylab.discover.scatter import scrambled

NONE = np.empty(0, dtype=np.int64)  # seen


def hashing(positions: int) -> Array:
    """An odd number without pattern for each position, with which rows are told apart."""
    return np.asarray(scrambled(np.arange(positions)) | np.uint64(1))


def prints(rows: Array, by: Array) -> Array:
    """A number for each row: equal rows have equal ones, of unequal rows one pair in 2**64 has.

    rows: int64 (rows, positions); by: of these positions, as ``hashing`` gives them.
    """
    return np.asarray((rows.view(np.uint64) @ by).view(np.int64))


def truth_prints(rows: Array) -> Array:
    """The same of truth values, bool (rows, positions)."""
    packed = np.packbits(rows, axis=1)
    words = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.int64)
    return prints(words, hashing(words.shape[1]))


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
