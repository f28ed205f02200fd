"""Integers of any size in NumPy's arrays: machine integers as long as known bounds say that 64 bits do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.language.intervals import Interval, between

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

_LOW, _HIGH = -(2**63), 2**63 - 1
_BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "//": np.floor_divide, "%": np.remainder,
    "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor, "<<": np.left_shift, ">>": np.right_shift,
}  # fmt: skip
_COMPARE: dict[str, Callable[[Array, Array], Array]] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal,
    ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip


@dataclass(frozen=True)
class Integers:
    """Integers (int64 or object), or truth values (bool), that all lie within bounds."""

    array: Array
    bounds: Interval

    def __post_init__(self) -> None:
        if not isinstance(self.array, np.ndarray):  # NumPy makes scalars of 0-d results
            object.__setattr__(self, "array", np.asarray(self.array))


def integers(array: Array) -> Integers:
    """The array with its bounds: int64, or object where it was. Raises TypeError if it holds no integers."""
    if array.dtype.kind not in "biuO":
        raise TypeError(f"columns hold integers, not {array.dtype}")
    if array.dtype == np.uint64:
        array = narrowed(array.astype(object))
    if array.dtype != object:
        array = array.astype(np.int64, copy=False)
    if array.size == 0:
        return Integers(array, Interval(0, 0))
    return Integers(array, Interval(int(array.min()), int(array.max())))


def narrowed(array: Array) -> Array:
    """The same in 64 bits (int64), if they are enough."""
    if array.size and not _fits(Interval(array.min(), array.max())):
        return array
    return array.astype(np.int64)


def _fits(bounds: Interval) -> bool:
    return bounds.low >= _LOW and bounds.high <= _HIGH


def constant(value: int) -> Integers:
    """One integer, as an array without dimensions."""
    bounds = Interval(value, value)
    return Integers(np.asarray(value, dtype=np.int64 if _fits(bounds) else object), bounds)


def binary(op: str, a: Integers, b: Integers) -> Integers:
    """``a op b``, at each position: it must have a value at all."""
    return combine(_BINARY[op], a, b, between(op, a.bounds, b.bounds))


def combine(
    operation: Callable[[Array, Array], Array], a: Integers, b: Integers, bounds: Interval
) -> Integers:
    """operation(a, b), of which the result is known to lie within the bounds."""
    if _fits(bounds):
        if a.array.dtype == object or b.array.dtype == object:
            a, b = integers(narrowed(a.array)), integers(narrowed(b.array))
        if a.array.dtype != object and b.array.dtype != object:
            # of two arrays without dimensions NumPy makes a bare scalar, whose later sums would wrap
            return Integers(np.asarray(operation(a.array, b.array)), bounds)
    return integers(np.asarray(operation(a.array.astype(object), b.array.astype(object)), dtype=object))


def same_type(a: Integers, b: Integers) -> tuple[Array, Array]:
    """Both arrays as int64, or both as object: NumPy would make floats of mixed kinds."""
    if a.array.dtype == b.array.dtype:
        return a.array, b.array
    return a.array.astype(object), b.array.astype(object)


def compare(op: str, a: Integers, b: Integers) -> Mask:
    """``a op b``, at each position."""
    return np.asarray(_COMPARE[op](*same_type(a, b)), dtype=bool)
