"""Arithmetic periodicity of sequences v: from some index on, v(i + period) = v(i) + saltus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grundylab.language.integer_arrays import binary, integers
from grundylab.numeric import Array


@dataclass(frozen=True)
class Period:
    """A period of a sequence v: v(i + period) == v(i) + saltus for all i >= preperiod, as far as the sequence goes.

    confirmed: the number of indices i at which this was seen. If it is less than ``period``, the values at some
    residues modulo the period were seen only once.
    """

    preperiod: int
    period: int
    saltus: int
    confirmed: int


def find_period(values: Array) -> Period | None:
    """Return the period with the least preperiod + period, or None if no period was seen at least twice in full.

    values: integers of any size (length,). The time is proportional to the length. If the differences of the values
    repeat up to the end, the reversed sequence of differences has a prefix with a long *border*: a part that both
    begins and ends the prefix. The longest border follows from the failure function of Knuth, Morris & Pratt (SIAM J.
    Comput. 6, 1977).
    """
    numbers = integers(values).array
    steps = binary("-", integers(numbers[1:]), integers(numbers[:-1])).array
    if not len(steps):
        return None
    from grundylab.solve.rowloops import longest_border  # numba takes a second to import

    if steps.dtype == object:  # beyond 64 bits: equal steps get equal numbers
        steps = np.unique(steps, return_inverse=True)[1]
    border, length = longest_border(np.ascontiguousarray(steps[::-1]))
    if border == 0:
        return None
    period, preperiod = int(length - border), int(len(steps) - length)
    return Period(preperiod, period, int(values[-1]) - int(values[-1 - period]), int(border) + 1)
