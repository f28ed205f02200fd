"""Refusals of evidence, and the formulas that solve a game."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.errors import GrundylabError
from grundylab.language.syntax import TRUE, Expr, Kind


class Refused(GrundylabError):
    """The error that evidence does not prove its statement; the message names the side condition that fails."""


@dataclass(frozen=True)
class Formulas:
    """Formulas for the values of a game at the positions of ``region``; none if a claim is not about values.

    They give the Grundy values (``grundy``), or the sets of positions with the values 0, 1, … (``levels``). Under
    misère play the only level is the set of the P-positions. Raises Refused if both are given.
    """

    region: Expr = TRUE
    grundy: Expr | None = None
    levels: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        if self.grundy is not None and self.levels:
            raise Refused("a solution gives either Grundy values or levels")
        for condition in (self.region, *self.levels):
            if condition.kind is not Kind.CONDITION:
                raise Refused(f"'{condition}' is no condition; a region and levels are conditions")
        if self.grundy is not None and self.grundy.kind is not Kind.NUMBER:
            raise Refused(f"'{self.grundy}' is no number; Grundy values are numbers")

    @property
    def values(self) -> tuple[Expr, ...]:
        """The formula for the Grundy values, or those for the levels."""
        return self.levels if self.grundy is None else (self.grundy,)
