"""Numbers without pattern, the same for every seed, machine and library: for orders, and to tell rows of values apart.

One number for each row tells which rows are equal: so terms of one behaviour are found.
"""

from __future__ import annotations

import numpy as np

from grundylab.discover.base import Array

NONE = np.empty(0, dtype=np.int64)  # seen
CELLS = 1 << 17  # worked on at a time, so that they are near while they are


def scrambled(numbers: Array) -> Array:
    """A uint64 for each whole number from 0 on, different ones for different numbers.

    The function is splitmix64 of Steele, Lea & Flood, Fast splittable pseudorandom number generators (2014).
    """
    z = (np.asarray(numbers).astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def scattered(rows: Array) -> Array:
    """The row numbers in an order without pattern, which does not depend on what other rows there are."""
    return np.asarray(rows[np.argsort(scrambled(rows), kind="stable")])


def hashing(positions: int) -> Array:
    """An odd number without pattern for each position, with which rows are told apart."""
    return np.asarray(scrambled(np.arange(positions)) | np.uint64(1))


def prints(rows: Array, by: Array) -> Array:
    """A number for each row: equal rows have equal ones, of unequal rows one pair in 2**64 has.

    It is linear: of a sum or a difference of rows it is that of the numbers. rows: integers (rows, positions); by: of
    these positions, as ``hashing`` gives them.
    """
    found, step = np.empty(len(rows), dtype=np.uint64), max(CELLS // max(rows.shape[1], 1), 1)
    for start in range(0, len(rows), step):
        block = rows[start : start + step].astype(np.int64, copy=False)
        found[start : start + step] = block.view(np.uint64) @ by
    return found.view(np.int64)


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
