"""Arrays of integers of any size: int64 where bounds on the values fit in 64 bits, else Python's integers.

Equal rows can be grouped, so that each is evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grundylab.language.intervals import Interval, operation_bounds
from grundylab.language.operators import OPERATORS
from grundylab.language.plain import COMPARE
from grundylab.numeric import Array

Mask = npt.NDArray[np.bool_]

_LOW, _HIGH = -(2**63), 2**63 - 1


@dataclass(frozen=True)
class Integers:
    """An array of integers (int64 or object) or truth values (bool), with bounds on all its elements."""

    array: Array
    bounds: Interval

    def __post_init__(self) -> None:
        if not isinstance(self.array, np.ndarray):  # NumPy makes scalars of 0-d results
            object.__setattr__(self, "array", np.asarray(self.array))


def integers(array: Array) -> Integers:
    """Return the array with its least and greatest element as bounds (0 and 0 if it is empty).

    It becomes int64, unless its elements are Python's integers or exceed 64 bits. Raises TypeError unless it holds
    integers or truth values.
    """
    if array.dtype.kind not in "biuO":
        raise TypeError(f"columns hold integers, not {array.dtype}")
    if array.dtype == np.uint64:
        array = in_64_bits(array.astype(object))
    if array.dtype != object:
        array = array.astype(np.int64, copy=False)
    if array.size == 0:
        return Integers(array, Interval(0, 0))
    return Integers(array, Interval(int(array.min()), int(array.max())))


def in_64_bits(array: Array) -> Array:
    """Return the array as int64 if all elements fit in 64 bits, else unchanged."""
    if array.dtype == np.int64:
        return array
    if array.size and not _fits(Interval(array.min(), array.max())):
        return array
    return array.astype(np.int64)


def _fits(bounds: Interval) -> bool:
    return bounds.low >= _LOW and bounds.high <= _HIGH


def constant_array(value: int) -> Integers:
    """Return one integer as an array without dimensions."""
    bounds = Interval(value, value)
    return Integers(np.asarray(value, dtype=np.int64 if _fits(bounds) else object), bounds)


def binary(op: str, a: Integers, b: Integers) -> Integers:
    """Return ``a op b`` at each position; the operation must be defined at all of them."""
    return combine(OPERATORS[op].at_once, a, b, operation_bounds(op, a.bounds, b.bounds))


def combine(
    operation: Callable[[Array, Array], Array], a: Integers, b: Integers, bounds: Interval
) -> Integers:
    """Return ``operation(a, b)``, in int64 if the bounds fit in 64 bits. bounds: known bounds on all results."""
    if _fits(bounds):
        if a.array.dtype == object or b.array.dtype == object:
            a, b = integers(in_64_bits(a.array)), integers(in_64_bits(b.array))
        if a.array.dtype != object and b.array.dtype != object:
            # NumPy turns arrays without dimensions into bare scalars, whose later sums would wrap
            return Integers(np.asarray(operation(a.array, b.array)), bounds)
    return integers(np.asarray(operation(a.array.astype(object), b.array.astype(object)), dtype=object))


def same_type(a: Integers, b: Integers) -> tuple[Array, Array]:
    """Return both arrays unchanged if their types are the same, else both as object arrays."""
    if a.array.dtype == b.array.dtype:
        return a.array, b.array
    return a.array.astype(object), b.array.astype(object)


def compare_arrays(op: str, a: Integers, b: Integers) -> Mask:
    """Return the truth value of the comparison ``a op b`` at each position."""
    return np.asarray(COMPARE[op](*same_type(a, b)), dtype=bool)


def equal_row_groups(columns: Sequence[Array]) -> tuple[Array, Array] | None:
    """Group equal rows: return the index of one row for each group, and the group's number for each row.

    columns: one or more arrays of the same length; row i consists of their i-th integers. Returns None if the rows
    vary too much for the groups to be worth while, or if integers may exceed 64 bits.
    """
    key, sorts = np.zeros(columns[0].shape, dtype=np.int64), 1
    for column in columns:
        if column.dtype == object or not column.size:
            return None
        low, high = int(column.min()), int(column.max())
        sorts *= high - low + 1
        if sorts > 2 * len(column):
            return None
        key = key * (high - low + 1) + (column - low)
    first = np.full(sorts, -1, dtype=np.intp)
    first[key] = np.arange(len(key))
    used = first >= 0
    return first[used], (np.cumsum(used) - 1)[key]


def apply_by_value(function: Callable[[int], int], array: Array) -> Array:
    """Apply a function of integers, once for each distinct element; the result is int64 if its values fit."""
    flat = array.reshape(-1)
    first, places = equal_row_groups([flat]) or np.unique(flat, return_index=True, return_inverse=True)[1:]
    results = in_64_bits(np.array([function(int(value)) for value in flat[first]], dtype=object))
    return np.asarray(results[places]).reshape(array.shape)


def spread_groups(values: Array, place: Array, live: Array) -> Array:
    """Return an array of the shape of ``live``: where this mask is true, the value of the position's group, else 0.

    values: the value of each group, or one value for all. place: for each True in ``live``, the number of its group.
    """
    whole = np.zeros(live.shape, dtype=values.dtype)
    whole[live] = np.broadcast_to(values, (int(place.max(initial=0)) + 1,))[place]
    return whole
