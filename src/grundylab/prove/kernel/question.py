"""Questions to automata: a statement and its induction hypothesis, with numbers in place of fixed parameters."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.games.model import Target
from grundylab.language.syntax import Expr


@dataclass(frozen=True)
class Hypothesis:
    """An induction hypothesis: the Grundy values, or some level sets, at the positions of ``region``.

    Level set g is the set of positions with Grundy value g; level set 0 is the P-positions. grundy: a formula for the
    Grundy value, or None. levels: the conditions for the level sets 0, 1, … in order; empty if ``grundy`` is given.
    """

    region: Expr
    grundy: Expr | None
    levels: tuple[Expr, ...]


@dataclass(frozen=True)
class Question:
    """A statement and its induction hypothesis, about a game with numbers in place of its fixed parameters.

    formula, target, where: those of the statement. condition: a condition on the parameters under which the
    statement is to be proved. exactly: the statement is also to be shown false for all other parameters.
    """

    formula: Expr
    target: Target
    where: Expr
    hypothesis: Hypothesis
    condition: Expr
    exactly: bool = False


def level_of(target: Target) -> int:
    """Return the Grundy value of the level set that the target names; 0 for the P-positions (and any other target)."""
    return target.value if target.name == "level" else 0
