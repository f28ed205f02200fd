"""What need be found only once: which rows of integers are alike, and what is known of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import LimitError
from grundylab.language.functions import Function, Functions
from grundylab.language.intervals import MAX_TABLE, Interval, tabulate
from grundylab.language.plain import Evaluator, Meter
from grundylab.language.syntax import Expr

Array = npt.NDArray[Any]
_SHARED = 64  # values of a recurrence: fewer are found as fast as they are looked for
MAX_WORK = 20_000_000_000  # elements of arrays that ranges may ask for in one evaluation: half a minute


@dataclass(frozen=True)
class Known:
    """What is found out of functions on the way, and how much work is left.

    bodies: without fractions. recurrences: how each is evaluated, and its values so far by argument and parameters.
    """

    bodies: dict[str, Expr] = field(default_factory=dict)
    recurrences: dict[str, tuple[Evaluator, dict[tuple[int, ...], int]]] = field(default_factory=dict)
    work: Meter = field(default_factory=lambda: Meter(MAX_WORK, LimitError))


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


def by_values(function: Callable[[int], int], array: Array) -> Array:
    """An integer function of all elements (dtype object): exact, where floating point would not be."""
    values, places = np.unique(array, return_inverse=True)
    results = np.array([function(int(value)) for value in values], dtype=object)
    return np.asarray(results[places]).reshape(array.shape)


def spread(found: Array, place: Array, live: Array) -> Array:
    """What was found for each sort, at the rows in the mask ``live``, whose sorts are ``place``; 0 at the others."""
    whole = np.zeros(live.shape, dtype=found.dtype)
    whole[live] = np.broadcast_to(found, (int(place.max(initial=0)) + 1,))[place]
    return whole


def along_a_run(
    name: str, parameters: tuple[str, ...], rows: list[tuple[int, ...]], functions: Functions
) -> Mapping[tuple[int, ...], int]:
    """The recurrence's values at the rows (argument, parameters), where the rows are a run of arguments.

    These are shared with all others that ask for the same run. Empty for other rows.
    """
    if not _SHARED <= len(rows) <= MAX_TABLE or len({row[1:] for row in rows}) > 1:
        return {}
    function, given = functions[name], rows[0][1:]
    assert isinstance(function, Function)
    run = Interval(min(rows)[0], max(rows)[0])
    if run.width != len(rows):
        return {}
    bounds = {key: Interval(value, value) for key, value in zip(parameters, given, strict=True)}
    return {(n, *given): value for n, value in tabulate(function, run, bounds, functions).items()}
