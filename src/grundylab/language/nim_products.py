"""The nim product of natural numbers, the multiplication of the field whose addition is the nim-sum.

The nim product of a and b is the mex of all numbers (a' ⊗ b) ⊕ (a ⊗ b') ⊕ (a' ⊗ b') with a' < a and b' < b. For F = 2,
4, 16, 256, …, each the square of the one before, the numbers below F are a field, F ⊗ F is F ⊕ F/2, and F ⊗ a is F * a
for a < F (Conway, *On Numbers and Games*, chapter 6; Siegel, *Combinatorial Game Theory*, Section VIII.4). Here the
product is 0 if a factor is negative, so that it always has a value.
"""

from __future__ import annotations

import numpy as np

from grundylab.language.infinity import INFINITY
from grundylab.numeric import Array

MOST = 2**64 - 1  # greatest factor: beyond it a product would take long
_PLACES = 32  # of a machine integer whose products with others fit 64 bits


def nim_product(a: int, b: int) -> int:
    """Return the nim product of two numbers; 0 if one of them is negative."""
    if a <= 1 or b <= 1:
        return a * b if min(a, b) >= 0 else 0
    half = 1  # the root of the least field with both numbers has so many digits
    while max(a, b) >> 2 * half:
        half *= 2
    below = (1 << half) - 1
    high, low = nim_product(a >> half, b >> half), nim_product(a & below, b & below)
    whole = nim_product((a >> half) ^ (a & below), (b >> half) ^ (b & below))
    return (whole ^ low) << half | (low ^ nim_product(high, 1 << half - 1))


def greatest_product(factor: int) -> int:
    """Return a number that no nim product of numbers up to ``factor`` exceeds; both may be infinite."""
    if factor is INFINITY:
        return factor
    field = 2
    while field <= factor:
        field *= field
    return field - 1


_POWERS = np.array([[nim_product(1 << i, 1 << j) for j in range(_PLACES)] for i in range(_PLACES)])


def machine_nim_product(a: int, b: int) -> int:
    """Return the nim product of two numbers below 2**32, as numba compiles it."""
    product, i = 0, 0
    if a < 0 or b < 0:
        return 0
    while a >> i > 0 and i < _PLACES:
        j = 0
        while b >> j > 0 and j < _PLACES:
            if a >> i & 1 and b >> j & 1:
                product ^= _POWERS[i, j]
            j += 1
        i += 1
    return product


def nim_products(a: Array, b: Array) -> Array:
    """Return the nim products of two arrays of integers of the same type; those of machine integers fit 64 bits."""
    if a.dtype == object:
        return np.asarray(np.frompyfunc(nim_product, 2, 1)(a, b))
    natural = (a >= 0) & (b >= 0)
    a, b = np.where(natural, a, 0), np.where(natural, b, 0)
    product = np.zeros(a.shape, dtype=np.int64)
    for i, j in np.ndindex(*(int(numbers.max(initial=0)).bit_length() for numbers in (a, b))):
        product ^= (a >> i & b >> j & 1) * _POWERS[i, j]
    return product
