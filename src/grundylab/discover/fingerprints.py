"""Fingerprints: pseudorandom numbers, the same on every machine, for orders and for comparing rows of values.

One number for each row tells which rows are equal; terms of one behaviour are found by it.
"""

from __future__ import annotations

import numpy as np

from grundylab.numeric import Array

NONE = np.empty(0, dtype=np.int64)  # no fingerprints
CELLS = 1 << 17  # cells processed at a time, so that they stay in the cache


def scrambled(numbers: Array) -> Array:
    """Return a uint64 for each whole number from 0 on, different ones for different numbers.

    The function is splitmix64 of Steele, Lea & Flood, Fast splittable pseudorandom number generators (2014).
    """
    z = (np.asarray(numbers).astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def scattered(rows: Array) -> Array:
    """Return the row numbers in a pseudorandom order, which does not depend on what other rows there are."""
    return np.asarray(rows[np.argsort(scrambled(rows), kind="stable")])


def hashing(positions: int) -> Array:
    """Return an odd pseudorandom number for each position, as coefficients of fingerprints."""
    return np.asarray(scrambled(np.arange(positions)) | np.uint64(1))


def prints(rows: Array, by: Array) -> Array:
    """Return a fingerprint for each row: equal for equal rows, and for unequal rows with probability 2**-64.

    It is linear: the fingerprint of a sum or difference of rows is that of the fingerprints. rows: integers (rows,
    positions); by: coefficients of these positions, as ``hashing`` gives them.
    """
    found, step = np.empty(len(rows), dtype=np.uint64), max(CELLS // max(rows.shape[1], 1), 1)
    for start in range(0, len(rows), step):
        block = rows[start : start + step].astype(np.int64, copy=False)
        found[start : start + step] = block.view(np.uint64) @ by
    return found.view(np.int64)


def truth_prints(rows: Array) -> Array:
    """Return a fingerprint for each row of truth values, bool (rows, positions)."""
    packed = np.packbits(rows, axis=1)
    words = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.int64)
    return prints(words, hashing(words.shape[1]))


def unseen(prints: Array, known: Array) -> Array:
    """Return the first row of each fingerprint that is not among the known ones, which are sorted."""
    values, first = np.unique(prints, return_index=True)
    place = np.searchsorted(known, values)
    seen = place < len(known)
    seen[seen] = known[place[seen]] == values[seen]
    return np.sort(first[~seen])


def with_seen(known: Array, prints: Array) -> Array:
    """Return the known fingerprints and these, sorted."""
    new = np.sort(prints)
    return np.insert(known, np.searchsorted(known, new), new)
