"""Arithmetic periodicity of sequences: v(i + period) = v(i) + saltus from the preperiod on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grundylab.numeric import Array


@dataclass(frozen=True)
class Period:
    """A period: v(i + period) == v(i) + saltus for all i >= preperiod, as far as the sequence goes.

    confirmed: the number of places at which that was seen; with fewer than ``period`` some residues rest on one value
    each.
    """

    preperiod: int
    period: int
    saltus: int
    confirmed: int


def find_period(values: Array) -> Period | None:
    """Return the period with the least preperiod + period, if it was seen through at least twice.

    values: integers (length,). The time is proportional to the length: where differences repeat up to the end, a
    beginning of the reversed sequence of differences occurs again further on, and the longest such *border* follows
    from the failure function of Knuth, Morris & Pratt (SIAM J. Comput. 6, 1977).
    """
    steps = np.diff(np.asarray(values, dtype=np.int64))
    if not len(steps):
        return None
    from grundylab.solve.rowloops import longest_border  # numba takes a second to import

    border, length = longest_border(np.ascontiguousarray(steps[::-1]))
    if border == 0:
        return None
    period, preperiod = int(length - border), int(len(steps) - length)
    return Period(preperiod, period, int(values[-1]) - int(values[-1 - period]), int(border) + 1)
