"""A budget counted in work instead of time, so that it ends a search at the same step on every machine.

What is not counted, or a slow machine, may make it longer: a clock ends what takes several times as long.
"""

from __future__ import annotations

from math import inf
from time import process_time

SECONDS_A_CELL = 4e-9  # one cell of an array, in one plain operation; what two cores of 2020 need
LATE = 2  # times as much processor time as the work is counted for ends it, too
DISPATCH = 2000  # cells that a step takes as long as that is done by itself, by Python


class Work:
    """What an engine may still do. It counts cells of arrays; dearer operations count for several."""

    def __init__(self, seconds: float, around: Work | None = None) -> None:
        """around: what it is a part of, which ends it, too, but does not make it less: so a larger budget goes on
        where a smaller one ends, and does nothing else before that.
        """
        self._left = seconds
        self._until = inf if around else process_time() + LATE * seconds
        self._around = around

    def spend(self, cells: float) -> None:
        """Take off so many cells."""
        self._left -= cells * SECONDS_A_CELL
        if self._around:
            self._around.spend(cells)

    def part(self, share: float) -> Work:
        """A part of what is left, taken off as it is spent."""
        return Work(share * max(self._left, 0.0), self)

    @property
    def over(self) -> bool:
        """Whether the budget is used up, or that which it is a part of."""
        if self._around is not None and self._around.over:
            return True
        return self._left <= 0 or process_time() > self._until

    @property
    def cut(self) -> bool:
        """Whether the whole budget is used up, so that with a larger one this would have gone on.

        What was found in a step that was cut is luck: gone through to its end, the step might tell something else.
        """
        return self._around.cut if self._around else self.over


UNLIMITED = Work(inf)
