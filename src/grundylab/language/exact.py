"""Integers of any size in NumPy's arrays: machine integers as long as known bounds say that 64 bits do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

_LOW, _HIGH = -(2**63), 2**63 - 1


@dataclass(frozen=True)
class Integers:
    """Integers (int64 or object) that all lie in low..high."""

    array: Array
    low: int
    high: int

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
        return Integers(array, 0, 0)
    return Integers(array, int(array.min()), int(array.max()))


def narrowed(array: Array) -> Array:
    """The same in 64 bits (int64), if they are enough."""
    if array.size and not _fits(array.min(), array.max()):
        return array
    return array.astype(np.int64)


def _fits(low: int, high: int) -> bool:
    return low >= _LOW and high <= _HIGH


def constant(value: int) -> Integers:
    """One integer, as an array without dimensions."""
    return Integers(np.asarray(value, dtype=np.int64 if _fits(value, value) else object), value, value)


def subtract(a: Integers, b: Integers) -> Integers:
    """``a - b``."""
    return combine(np.subtract, a, b, a.low - b.high, a.high - b.low)


def combine(
    operation: Callable[[Array, Array], Array], a: Integers, b: Integers, low: int, high: int
) -> Integers:
    """operation(a, b), of which the result is known to lie in low..high."""
    if _fits(low, high):
        if a.array.dtype == object or b.array.dtype == object:
            a, b = integers(narrowed(a.array)), integers(narrowed(b.array))
        if a.array.dtype != object and b.array.dtype != object:
            # of two arrays without dimensions NumPy makes a bare scalar, whose later sums would wrap
            return Integers(np.asarray(operation(a.array, b.array)), low, high)
    return integers(np.asarray(operation(a.array.astype(object), b.array.astype(object)), dtype=object))


def same_type(a: Integers, b: Integers) -> tuple[Array, Array]:
    """Both arrays as int64, or both as object: NumPy would make floats of mixed kinds."""
    if a.array.dtype == b.array.dtype:
        return a.array, b.array
    return a.array.astype(object), b.array.astype(object)


def compare(op: str, a: Integers, b: Integers) -> Mask:
    """``a op b``, at each position."""
    tests: dict[str, Callable[[Array, Array], Any]] = {
        "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal,
        ">": np.greater, ">=": np.greater_equal,
    }  # fmt: skip
    return np.asarray(tests[op](*same_type(a, b)), dtype=bool)
