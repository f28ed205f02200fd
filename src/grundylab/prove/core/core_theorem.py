"""Theorems of the core, and what they say. ``solution.py`` alone makes theorems."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.errors import GrundylabError
from grundylab.games.model import Ranged, Ruleset, Target
from grundylab.language.syntax import TRUE, Expr, Kind
from grundylab.prove.core.evidence_types import CoreEvidence


class Refused(GrundylabError):
    """The error that evidence does not prove its statement; the message names the side condition that fails."""


@dataclass(frozen=True)
class Formulas:
    """Formulas for the values of a game at the positions of ``region``.

    They give the Grundy values (``grundy``), or the sets of positions with the values 0, 1, … (``levels``). Under
    misère play the only level is the set of the P-positions. Raises Refused for both, or for neither.
    """

    region: Expr
    grundy: Expr | None
    levels: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if (self.grundy is None) == (not self.levels):
            raise Refused("a solution gives either Grundy values or levels")
        if any(each.kind is not Kind.CONDITION for each in (self.region, *self.levels)):
            raise Refused("a region and levels are conditions")
        if self.grundy is not None and self.grundy.kind is not Kind.NUMBER:
            raise Refused("Grundy values are a number")

    @property
    def values(self) -> tuple[Expr, ...]:
        """The formula for the Grundy values, or those for the levels."""
        return self.levels if self.grundy is None else (self.grundy,)


@dataclass(frozen=True)
class WellFounded:
    """A property of rules: every move leads to positions and lowers a natural number, and all rules have values."""


@dataclass(frozen=True)
class Solved:
    """A property of formulas: they give the values of the positions in their region."""

    formulas: Formulas


@dataclass(frozen=True)
class Claimed:
    """A claim: the formula describes the target wherever ``where`` is true, for all variables."""

    target: Target
    formula: Expr
    where: Expr = TRUE
    variables: tuple[Ranged, ...] = ()


Said = WellFounded | Solved | Claimed


@dataclass(frozen=True)
class CoreTheorem:
    """A proved sentence about a game, for all its parameters that fulfil ``assumed``, and positions of all sizes.

    A theorem may be about no position at all. game: the rules alone, so that theorems about games with the same rules
    are about the same game. premises: the theorems on which this one rests.
    """

    game: Ruleset
    assumed: Expr
    said: Said
    evidence: CoreEvidence
    premises: tuple[CoreTheorem, ...] = ()
