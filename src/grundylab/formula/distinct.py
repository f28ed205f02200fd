"""Which rows of integers are alike: what depends on them alone need be found only once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def sorts_of(columns: Sequence[Array]) -> tuple[Array, Array] | None:
    """(a row of each sort, for each row the number of its sort); None where sorts are about as many as rows.

    columns: one or more of the same length; row number i is made of the i-th integers of all.
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
