"""A budget counted in work instead of time, so that it ends a search at the same step on every machine."""

from __future__ import annotations

from math import inf

SECONDS_A_CELL = 4e-9  # one cell of an array, in one plain operation; what two cores of 2020 need
DISPATCH = 2000  # cells that a step takes as long as that is done by itself, by Python


class Work:
    """What an engine may still do. It counts cells of arrays; dearer operations count for several."""

    def __init__(self, seconds: float, around: Work | None = None) -> None:
        """around: what it is a part of, which ends it, too, but does not make it less: so a larger budget goes on
        where a smaller one ends, and does nothing else before that.
        """
        self._left = seconds
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
        return self._left <= 0 or (self._around is not None and self._around.over)

    @property
    def cut(self) -> bool:
        """Whether the whole budget is used up, so that with a larger one this would have gone on.

        What was found in a step that was cut is luck: gone through to its end, the step might tell something else.
        """
        return self._around.cut if self._around else self.over


UNLIMITED = Work(inf)
