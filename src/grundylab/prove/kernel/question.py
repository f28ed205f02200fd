"""Questions to automata: a statement and its induction hypothesis, with the fixed parameters put in."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.games.model import Target
from grundylab.language.syntax import Expr


@dataclass(frozen=True)
class Hypothesis:
    """Formulas for the positions of ``region``: of the Grundy number, or of the level sets 0, 1, …, last.

    grundy: a NUMBER, or None. levels: a CONDITION a level (level 0 is the P-positions); empty with grundy.
    """

    region: Expr
    grundy: Expr | None
    levels: tuple[Expr, ...]


@dataclass(frozen=True)
class Question:
    """A statement and its induction, in a game where the parameters that have one value are that value.

    where: the positions and parameters that it is about. condition: those of the parameters for which it is proved.
    exactly: for no others.
    """

    formula: Expr
    target: Target
    where: Expr
    hypothesis: Hypothesis
    condition: Expr
    exactly: bool = False


def level_of(target: Target) -> int:
    """Return the Grundy number that a target is about; 0 for p."""
    return target.value if target.name == "level" else 0
