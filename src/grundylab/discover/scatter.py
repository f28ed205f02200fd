"""Numbers without pattern that are the same for every seed, machine and library: no draw, no luck."""

from __future__ import annotations

import numpy as np

from grundylab.discover.base import Array


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
