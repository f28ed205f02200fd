"""The runtime of generated kernels: the language's partial operations on 64-bit integers.

Each raises ValueError or ZeroDivisionError exactly where the plain evaluator raises EvaluationError; the solver then
takes the message from the plain evaluator.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numba as nb

from grundylab.language.builtins import BUILTINS
from grundylab.language.numba_source import MACHINE_UNDEFINED
from grundylab.language.plain import MAX_RANGE, MAX_SHIFT

_njit = nb.njit(cache=True, nogil=True, error_model="python")


@_njit
def divide(a: int, b: int) -> int:
    """Return ``a // b``. Raises ZeroDivisionError."""
    if b == 0:
        raise ZeroDivisionError("division by zero")
    return a // b


@_njit
def modulo(a: int, b: int) -> int:
    """Return ``a % b``. Raises ZeroDivisionError."""
    if b == 0:
        raise ZeroDivisionError("division by zero")
    return a % b


@_njit
def check_span(start: int, stop: int) -> None:
    """Raise ValueError for a range that the plain evaluator refuses as too long."""
    if stop - start > MAX_RANGE:
        raise ValueError("range")


@_njit
def at_most(first: int, last: int, factor: int, room: int) -> tuple[int, int]:
    """Return the ends of the part of first..last where factor times the number is at most ``room``."""
    if factor == 0:
        return first, (last if room >= 0 else first - 1)
    if factor > 0:
        end = room // factor
        return first, (end if end < last else last)
    end = -(room // -factor)
    return (end if end > first else first), last


@_njit
def shift_left(a: int, b: int) -> int:
    """Return ``a << b``, which is known to fit. Raises ValueError for a negative or too large ``b``."""
    if b < 0 or b > MAX_SHIFT:
        raise ValueError("shift")
    return a << b if b < 63 else 0


@_njit
def shift_right(a: int, b: int) -> int:
    """Return ``a >> b``. Raises ValueError for a negative or too large ``b``."""
    if b < 0 or b > MAX_SHIFT:
        raise ValueError("shift")
    return a >> min(b, 63)


@_njit
def from_least(n: int, least: int) -> int:
    """Return the argument ``n``. Raises ValueError if it is below ``least``, where the function has no value."""
    if n < least:
        raise ValueError("argument")
    return n


@_njit
def look_up(values: Any, low: int, argument: int) -> int:  # noqa: ANN401 - an int64 array
    """Return the tabulated value of a function. Raises ValueError where it has none."""
    place = argument - low
    if place < 0 or place >= len(values) or values[place] == MACHINE_UNDEFINED:
        raise ValueError("undefined")
    return values[place]  # type: ignore[no-any-return]


def _compiled(function: Any) -> Any:  # noqa: ANN401 - a function as numba has it
    """Return the function as numba compiles it, with those of its module that it calls."""
    calls = ((name, function.__globals__.get(name)) for name in function.__code__.co_names)
    helpers = {name: _compiled(called) for name, called in calls if isinstance(called, FunctionType)}
    return _njit(FunctionType(function.__code__, function.__globals__ | helpers) if helpers else function)


# The built-in functions that numba does not have itself.
BUILT_IN = {name: _compiled(row.machine) for name, row in BUILTINS.items() if row.machine}
