"""A budget counted in work instead of time, so that it ends a search at the same step on every machine.

Uncounted steps, or a slow machine, may take longer: a clock ends a search that takes several times as long.
"""

from __future__ import annotations

from math import inf
from time import process_time

SECONDS_A_CELL = 4e-9  # one cell of an array in one plain operation, on two cores of 2020
LATE = 2  # processor time that ends it, too, as a multiple of the work's seconds
DISPATCH = 2000  # cells that take as long as the overhead of one step in Python


class SearchBudget:
    """Remaining work of an engine. It counts cells of arrays; costlier operations count for several."""

    def __init__(self, seconds: float, around: SearchBudget | None = None) -> None:
        """Start with the work of so many seconds.

        around: the work of which it is a part, which ends it, too, but does not reduce it: so a larger budget continues
        where a smaller one ends, and differs in nothing before.
        """
        self._left = seconds
        self._until = inf if around else process_time() + LATE * seconds
        self._around = around

    def spend(self, cells: float) -> None:
        """Subtract the work of so many cells."""
        self._left -= cells * SECONDS_A_CELL
        if self._around:
            self._around.spend(cells)

    def part(self, share: float) -> SearchBudget:
        """Return a part of the remaining work, which is subtracted as it is spent."""
        return SearchBudget(share * max(self._left, 0.0), self)

    @property
    def over(self) -> bool:
        """True if this work, or that of which it is a part, is used up."""
        if self._around is not None and self._around.over:
            return True
        return self._left <= 0 or process_time() > self._until

    @property
    def cut(self) -> bool:
        """True if the outermost budget is used up, so that a larger one would have continued here.

        A result of an interrupted step is accidental: the completed step might give another.
        """
        return self._around.cut if self._around else self.over


UNLIMITED = SearchBudget(inf)
