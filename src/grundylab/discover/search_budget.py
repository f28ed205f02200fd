"""A budget for a search, counted in work instead of time: it ends the search at the same step on every machine.

Some steps are not counted, and some machines are slow. So a clock also ends a search that takes LATE times its budget.
"""

from __future__ import annotations

from math import inf
from time import process_time

SECONDS_A_CELL = 4e-9  # one cell of an array in one plain operation, on two cores of 2020
LATE = 2  # processor time after which a search ends in any case, as a multiple of its budget
DISPATCH = 2000  # cells that take as long as the overhead of one step in Python


class SearchBudget:
    """The remaining work of a search, counted in cells of arrays; a costly operation on a cell counts for several."""

    def __init__(self, seconds: float, around: SearchBudget | None = None) -> None:
        """Start with the work of so many seconds.

        around: a larger budget of which this one is a part. Work spent here is subtracted there, too, and this budget
        ends when the larger one does. The amount of this budget does not depend on the larger one. So with a larger
        budget around it, a search takes the same steps and only goes on longer.
        """
        self._left = seconds
        self._until = inf if around else process_time() + LATE * seconds
        self._around = around

    def spend(self, cells: float) -> None:
        """Subtract the work of so many cells, here and in the budgets around."""
        self._left -= cells * SECONDS_A_CELL
        if self._around:
            self._around.spend(cells)

    def part(self, share: float) -> SearchBudget:
        """Return a budget of this share of the remaining work; work spent there is subtracted here, too."""
        return SearchBudget(share * max(self._left, 0.0), self)

    @property
    def over(self) -> bool:
        """True if this budget, or one around it, is used up."""
        if self._around is not None and self._around.over:
            return True
        return self._left <= 0 or process_time() > self._until

    @property
    def cut(self) -> bool:
        """True if the outermost budget is used up, so that a step of the search may have been interrupted.

        The result of an interrupted step is accidental: with a larger budget it might be another one.
        """
        return self._around.cut if self._around else self.over


UNLIMITED = SearchBudget(inf)
