"""Interface of the engines: samples in, proposals out; and the candidates made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from grundylab.check.samples import Samples
from grundylab.check.verification import Exceptional, where_clause
from grundylab.discover.decision_trees import Tree
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, Int
from grundylab.numeric import Array

BUDGET_SHARE = 0.8  # share of its budget that an engine spends on searching, not on counting its results

Lookups = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Proposal:
    """A formula about the positions that satisfy ``where`` only.

    values: (function, ruleset): in the formula the function is the Grundy number of a position of that ruleset, as in a
    claim. equation: the formula in the engine's own notation, if it has one.
    """

    formula: Expr
    where: Expr = TRUE
    values: Lookups = ()
    equation: str = field(default="", compare=False)


@dataclass(frozen=True)
class Unread:
    """An engine's equation, in its own notation, that has no formula, with the reason.

    complexity, loss: as the engine counts them.
    """

    equation: str
    complexity: int
    loss: float
    reason: str


ParameterValues = tuple[tuple[str, int], ...]  # a value of each parameter


@dataclass(frozen=True)
class Candidate:
    """A formula that an engine proposes, and the number of training positions that it describes exactly.

    where, values: as in ``Proposal``; where may also restrict the parameter values for which it is proposed, inferred
    from the training ones. The positions of others are not counted. exact_for: the parameter settings at all of whose
    positions it is right, unless it is right at all positions. exceptions: the positions that were added to an engine's
    formula one by one. equation: as in ``Proposal``.
    """

    formula: Expr
    target: Target
    engine: str
    seed: int
    correct: int
    total: int
    where: Expr = TRUE
    values: Lookups = ()
    exact_for: tuple[ParameterValues, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    equation: str = field(default="", compare=False)

    def __repr__(self) -> str:
        about = f"{self.target}: {self.formula}{where_clause(self.where)}"
        return f"<Candidate {about}; {self.correct:,} of {self.total:,} right>"

    @property
    def plain(self) -> bool:
        """True if the formula concerns all positions, and has no lookups."""
        return self.where == TRUE and not self.values

    @property
    def exact(self) -> bool:
        """True if the formula describes every training position."""
        return self.correct == self.total

    @property
    def share(self) -> float:
        """Share of the training positions that the formula describes, from 0 to 1."""
        return self.correct / self.total

    @property
    def size(self) -> int:
        """Number of nodes of the formula."""
        return self.formula.size


@dataclass(frozen=True)
class Proposals:
    """Result of one engine.

    formulas: best guess first. equations: the formulas in the engine's own notation. unread: equations that have no
    formula. unavailable: the reason why the engine cannot run here. notes: facts about the formulas, or the reason why
    there are none; one sentence each, without a full stop. parts: formulas that concern some positions only, or have
    lookups. further: the engine that continues on larger tables, which are worth their cost while the result still
    changes a little. none_up_to: no formula of at most this cost is right at all positions; 0 if that was not
    established. tree: the decision tree from which the best formula was read, for an engine that grows trees.
    """

    formulas: tuple[Expr, ...] = ()
    notes: tuple[str, ...] = ()
    parts: tuple[Proposal, ...] = ()
    further: EngineFunction | None = field(default=None, compare=False)
    none_up_to: int = 0
    equations: Mapping[Expr, str] = field(default_factory=dict, compare=False)
    unread: tuple[Unread, ...] = ()
    unavailable: str = ""
    tree: Tree | None = None


# An engine finds formulas from samples only. It is deterministic for a given seed; the budget in seconds is a safety
# stop and does not affect the result otherwise.
EngineFunction = Callable[[Samples, Target, int, float], Proposals]


def out_of_time(budget_seconds: float) -> str:
    """Return the note of an engine that its budget stopped."""
    return f"stopped by the budget of {budget_seconds:g} seconds: with a larger one there may be more"


def span(column: Array) -> int:
    """Return the largest value less the smallest, as a Python integer."""
    return int(column.max()) - int(column.min())


def constant_formula(values: Array) -> Expr | None:
    """Return the formula of a target with only one value; None if it has more."""
    if (values != values[0]).any():
        return None
    if values.dtype == bool:
        return TRUE if values[0] else FALSE
    return Int(int(values[0]))
