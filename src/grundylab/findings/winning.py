"""A strategy of a study, with its comparison with tables and its proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from grundylab.check.shares import SplitCounts
from grundylab.games.fields import ConditionField, FormulaField, TargetField
from grundylab.games.model import P_POSITIONS
from grundylab.language.syntax import TRUE
from grundylab.records.proofs import ProofRecord, Texts
from grundylab.strategy.lines import Line

STATUSES = ("proved", "holds", "partial")  # of strategies, the best first


@dataclass(frozen=True, kw_only=True)
class WinningMove:
    """A line of a strategy: where ``when`` is true, and no earlier line's condition is, make this move.

    move, number: the name of the move in the rules, and its index. choices: a formula for each of its choices. left:
    for each coordinate that changes, its value after the move. passes: the move is a pass.
    """

    move: str
    number: int
    when: ConditionField = TRUE
    choices: Mapping[str, FormulaField] = field(default_factory=dict)
    left: Mapping[str, FormulaField] = field(default_factory=dict)
    passes: bool = False

    @property
    def line(self) -> Line:
        """The line."""
        return Line(self.number, self.when, tuple(self.choices.values()))


@dataclass(frozen=True, kw_only=True)
class Winning:
    """A strategy: what to do at N-positions.

    rules: in a study's file of its strategy, the digest of the rules for which it was found. play: of the rules; under
    misère play nothing is said of positions without a move, where the player to move has won. status: ``proved`` if a
    listed move is proved to lead to a P-position from every N-position where ``where`` is true; ``holds`` if this is so
    in all tables; ``partial`` if it names a winning move only where ``complete`` is true, and no wrong one. formula,
    target: the formula for P-positions or Grundy numbers by which positions to leave are known. test: the comparison
    with the N-positions of the test tables. proof: of a strategy that is proved, or the failed attempt.
    """

    study: str = ""
    ruleset: str
    rules: str = ""
    play: Literal["normal", "misere"] = "normal"
    status: Literal["proved", "holds", "partial"]
    where: ConditionField = TRUE
    complete: ConditionField = TRUE
    moves: tuple[WinningMove, ...]
    formula: FormulaField | None = None
    target: TargetField = P_POSITIONS
    test: SplitCounts = field(default_factory=SplitCounts)
    proof: ProofRecord | None = None

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the strategy."""
        return tuple(move.line for move in self.moves)

    @property
    def procedures(self) -> Texts:
        """The procedures that independently prove it."""
        return self.proof.procedures if self.proof else ()


def strategies_for(strategies: Iterable[Winning], ruleset: str) -> list[Winning]:
    """Return the strategies for a game, as its studies order them; one without moves only if there is no other."""
    mine = [winning for winning in strategies if winning.ruleset == ruleset]
    return [winning for winning in mine if winning.moves] or mine[:1]
