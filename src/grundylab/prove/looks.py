"""What the gate saw of a statement, and what several looks together saw."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.check.verification import Counterexample


@dataclass(frozen=True)
class Look:
    """What the gate saw.

    positions: at how many the statement was evaluated. reach: the largest coordinate among them. beyond: whether that
    is more than the largest constant of statement and rules. missed: places where a condition in it turns
    (``places.py``) of which it could not be told whether it is right there. wrong: where the statement is wrong.
    contradiction: that it is wrong, in words. fault: that the game is none.
    """

    positions: int = 0
    reach: int = 0
    beyond: bool = False
    missed: int = 0
    wrong: Counterexample | None = None
    contradiction: str | None = None
    fault: str | None = None

    @property
    def far(self) -> bool:
        """Whether nothing that the statement mentions is further away than what was looked at."""
        return self.beyond and not self.missed

    @property
    def good(self) -> bool:
        """Whether something was looked at, and nothing was wrong."""
        return self.positions > 0 and not self.bad

    @property
    def bad(self) -> bool:
        """Whether something was wrong."""
        return any(each is not None for each in (self.wrong, self.contradiction, self.fault))


def together(one: Look, other: Look) -> Look:
    """What both saw."""
    return Look(
        one.positions + other.positions,
        max(one.reach, other.reach),
        one.beyond or other.beyond,
        one.missed + other.missed,
        min([each for each in (one.wrong, other.wrong) if each], key=lambda each: each.order, default=None),
        one.contradiction or other.contradiction,
        one.fault or other.fault,
    )
