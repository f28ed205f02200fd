"""The runtime of generated kernels: operations of the language on 64-bit integers that may have no value.

Each function raises ValueError or ZeroDivisionError exactly where the plain evaluator raises EvaluationError. The
solver then takes the message from the plain evaluator.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numba as nb

from grundylab.language.builtins import BUILTINS
from grundylab.language.numba_source import MACHINE_UNDEFINED
from grundylab.language.operators import MAX_SHIFT
from grundylab.language.plain import MAX_RANGE

_njit = nb.njit(cache=True, nogil=True, error_model="python")


@_njit
def check_span(start: int, stop: int) -> None:
    """Raise ValueError if the range from ``start`` to ``stop`` is longer than the plain evaluator accepts."""
    if stop - start > MAX_RANGE:
        raise ValueError("range")


@_njit
def at_most(first: int, last: int, factor: int, room: int) -> tuple[int, int]:
    """Return the first and last of the integers n in first..last with ``factor * n <= room``; last < first if none."""
    if factor == 0:
        return first, (last if room >= 0 else first - 1)
    if factor > 0:
        end = room // factor
        return first, (end if end < last else last)
    end = -(room // -factor)
    return (end if end > first else first), last


@_njit
def shift(b: int) -> int:
    """Return by how many bits, at most 63, a 64-bit integer is shifted for a shift by ``b``.

    Raises ValueError if ``b`` is negative or too large.
    """
    if b < 0 or b > MAX_SHIFT:
        raise ValueError("shift")
    return min(b, 63)


@_njit
def from_least(n: int, least: int) -> int:
    """Return the argument ``n`` of a function. Raises ValueError if the function has values only from ``least`` on."""
    if n < least:
        raise ValueError("argument")
    return n


@_njit
def look_up(values: Any, low: int, argument: int) -> int:  # noqa: ANN401 - an int64 array
    """Return the value of a tabulated function at the argument. Raises ValueError if it has none there.

    low: the first argument of the table.
    """
    place = argument - low
    if place < 0 or place >= len(values) or values[place] == MACHINE_UNDEFINED:
        raise ValueError("undefined")
    return values[place]  # type: ignore[no-any-return]


def _compiled(function: Any) -> Any:  # noqa: ANN401 - a function as numba has it
    """Return the function compiled by numba, together with the functions of its module that it calls."""
    calls = ((name, function.__globals__.get(name)) for name in function.__code__.co_names)
    helpers = {name: _compiled(called) for name, called in calls if isinstance(called, FunctionType)}
    return _njit(FunctionType(function.__code__, function.__globals__ | helpers) if helpers else function)


# The built-in functions that numba does not have itself.
BUILT_IN = {name: _compiled(row.machine) for name, row in BUILTINS.items() if row.machine}
