"""What evaluating is given and may cost: the values of names, and a meter of its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grundylab.errors import GrundylabError, LimitError, WorkError

MAX_BITS = 1 << 16  # of a value that is kept, or that a product has
RANGE_STEPS = 10**9  # within ranges, of one table made by Python's own integers: some minutes

Environment = Mapping[str, int]
Evaluator = Callable[[Environment], int]


class Meter:
    """How many steps may still be spent on evaluating: what looks things over unasked must come to an end.

    A step is an operator or number, once; 64 bits of a large product count as one, too. ``error`` is raised at the end.
    """

    def __init__(self, steps: int, error: type[GrundylabError] = WorkError) -> None:
        self._steps = self._left = steps
        self._error = error

    def spend(self, steps: int) -> None:
        """Raise WorkError, or the error asked for, if so many are not left."""
        self._left -= steps
        if self._left < 0:
            raise self._error(f"takes more than {self._steps:,} steps; give it smaller ranges")

    def product(self, value: int) -> int:
        """The value; LimitError if it is one that only a row of products or shifts makes so large."""
        bits = value.bit_length()
        if bits > MAX_BITS:
            raise LimitError(f"a number of more than {MAX_BITS:,} binary digits")
        self.spend(bits // 64)
        return value


class RangeMeter(Meter):
    """Counts only what is evaluated within ranges, so that all else is as fast as without a meter."""

    def __init__(self, error: type[GrundylabError]) -> None:
        super().__init__(RANGE_STEPS, error)
