"""Pseudorandom numbers, the same on every machine: for random orders, and as fingerprints of rows of values.

A fingerprint is one number for a row, equal for equal rows. It serves to find terms with the same values.
"""

from __future__ import annotations

import numpy as np

from grundylab.numeric import Array

NONE = np.empty(0, dtype=np.int64)  # no fingerprints
CELLS = 1 << 17  # number of cells processed at a time, so that they stay in the cache


def scrambled(numbers: Array) -> Array:
    """Return a pseudorandom uint64 for each of the numbers, which are not negative; different for different numbers.

    The function is splitmix64 of Steele, Lea & Flood, Fast splittable pseudorandom number generators (2014).
    """
    z = (np.asarray(numbers).astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def scattered(rows: Array, draw: int = 0) -> Array:
    """Return the row numbers in a pseudorandom order; the order of two rows does not depend on the other rows.

    draw: the number of the order, less than 2**23.
    """
    return np.asarray(rows[np.argsort(scrambled(rows + (draw << 40)), kind="stable")])


def hashing(positions: int) -> Array:
    """Return an odd pseudorandom number for each position, which ``prints`` takes as coefficients."""
    return np.asarray(scrambled(np.arange(positions)) | np.uint64(1))


def prints(rows: Array, by: Array) -> Array:
    """Return a fingerprint for each row: equal for equal rows; unequal rows have equal ones with probability 2**-64.

    The fingerprint of the sum of two rows is the sum of their fingerprints, and likewise for differences. rows:
    integers (rows, positions). by: the positions' coefficients, as ``hashing`` returns them.
    """
    marks, step = np.empty(len(rows), dtype=np.uint64), max(CELLS // max(rows.shape[1], 1), 1)
    for start in range(0, len(rows), step):
        block = rows[start : start + step].astype(np.int64, copy=False)
        marks[start : start + step] = block.view(np.uint64) @ by
    return marks.view(np.int64)


def truth_prints(rows: Array) -> Array:
    """Return a fingerprint for each row of a bool array (rows, positions)."""
    packed = np.packbits(rows, axis=1)
    words = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.int64)
    return prints(words, hashing(words.shape[1]))


def unseen(prints: Array, earlier: Array) -> Array:
    """Return, in order, the number of the first row with each fingerprint that is not in the sorted ``earlier``."""
    values, first = np.unique(prints, return_index=True)
    place = np.searchsorted(earlier, values)
    seen = place < len(earlier)
    seen[seen] = earlier[place[seen]] == values[seen]
    return np.sort(first[~seen])


def distinct_splits(rows: Array) -> Array:
    """Return, in order, the numbers of the conditions that divide the positions in ways that no earlier one does.

    rows: bool (conditions, positions). Conditions that are always true, or always false, are left out.
    """
    alike = rows ^ rows[:, :1]  # a negation only exchanges the branches
    first = unseen(truth_prints(alike), NONE)
    return np.asarray(first[alike[first].any(axis=1)])


def with_seen(seen: Array, prints: Array) -> Array:
    """Return the known fingerprints, which are sorted, and the new ones, sorted together."""
    new = np.sort(prints)
    return np.insert(seen, np.searchsorted(seen, new), new)
