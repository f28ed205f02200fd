"""Numbers of positions at which a formula is right, as counts, as shares and as percentages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from grundylab.check.verification import Counterexample


@dataclass(frozen=True, kw_only=True)
class SplitCounts:
    """The comparison of a statement with the tables of one split, in numbers of positions.

    total: the positions that the question asks about. checked: those of them that the statement is about. right: those
    at which it is right. true_right, true_total: for a target that is a condition, ``right`` and ``total`` of the
    positions where it is true; None for a target that is a number. instances: by their labels, the positions checked in
    each instance, without those in which there are none. counterexample: a position where the statement is wrong, the
    smallest if all were looked at. exceptions: all such positions, if they are few and far from the edge of the tables.
    Each share is from 0 to 1, or None if there are no positions to take it of.
    """

    right: int = 0
    checked: int = 0
    total: int = 0
    true_right: int | None = None
    true_total: int | None = None
    instances: Mapping[str, int] = field(default_factory=dict)
    counterexample: Counterexample | None = None
    exceptions: tuple[Counterexample, ...] = ()

    @property
    def wrong(self) -> int:
        """The number of positions checked at which the statement is wrong."""
        return self.checked - self.right

    @property
    def share(self) -> float | None:
        """The share of all positions at which the formula is right."""
        return _ratio(self.right, self.total)

    @property
    def recall(self) -> float | None:
        """The share of the positions where the target is true at which the formula is right, too."""
        return None if self.true_right is None else _ratio(self.true_right, self.true_total or 0)

    @property
    def specificity(self) -> float | None:
        """The share of the positions where the target is false at which the formula is right."""
        if self.true_right is None or self.true_total is None:
            return None
        return _ratio(self.right - self.true_right, self.total - self.true_total)

    @property
    def balanced(self) -> float | None:
        """The balanced accuracy: the mean of recall and specificity; a constant has one half."""
        if self.recall is None or self.specificity is None:
            return None
        return (self.recall + self.specificity) / 2


NO_COUNTS = SplitCounts()


def all_checked(right: int, total: int) -> SplitCounts:
    """Return the comparison of a statement that is right at ``right`` of ``total`` positions."""
    return SplitCounts(right=right, checked=total, total=total)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def right_share(correct: int, total: int, validation_correct: int, validation_total: int) -> float:
    """Return the share of training positions at which a formula is right.

    If it is right at all of these, return its share of the validation positions, so that the share is 1 only for a
    formula that is right at all positions on which it was counted.
    """
    if correct < total:
        return correct / total
    return validation_correct / validation_total if validation_total else 1.0


def percent(share: float, digits: int = 2) -> str:
    """Return ``97.5 %`` for a share from 0 to 1, rounded down to ``digits`` decimals.

    Only 1 is 100 %, and only 0 is 0 %: the smallest other share that is shown is 0.01 %.
    """
    whole = 100 * 10**digits
    units = math.floor(round(share * whole, 6))  # rounded first: 0.57 * 10,000 is less than 5,700
    if 0 < share < 1:
        units = min(max(units, 1), whole - 1)
    return f"{units * 100 / whole:g} %"
