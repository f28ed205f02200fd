"""What engines give: candidates, and the interface between engines and who asks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from grundylab.check.samples import Samples
from grundylab.check.verification import Exceptional, about
from grundylab.discover.trees import Tree
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, Int

BUDGET_SHARE = 0.8  # of its budget an engine spends on searching; the rest is for counting what it found

Array = npt.NDArray[Any]
Lookups = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Proposal:
    """A formula about the positions that fulfil ``where`` only.

    values: (function, ruleset): in it the function is the Grundy number of that ruleset's position, as in a claim.
    equation: the formula in the engine's own notation, if it has one.
    """

    formula: Expr
    where: Expr = TRUE
    values: Lookups = ()
    equation: str = field(default="", compare=False)


@dataclass(frozen=True)
class Unread:
    """An engine's equation, in its own notation, that has no formula, and why.

    complexity, loss: as the engine counts them.
    """

    equation: str
    complexity: int
    loss: float
    reason: str


Setting = tuple[tuple[str, int], ...]  # a value of each parameter


@dataclass(frozen=True)
class Candidate:
    """A formula that an engine proposes, and how many training positions it describes exactly.

    where, values: as in ``Proposal``; where may also be for which parameter values it is proposed, found from the
    training ones. The positions of others are not counted. exact_for: the parameter settings at all of whose positions
    it is right, if it is not at all positions of all. exceptions: the positions that were put into an engine's formula
    one by one. equation: as in ``Proposal``.
    """

    formula: Expr
    target: Target
    engine: str
    seed: int
    correct: int
    total: int
    where: Expr = TRUE
    values: Lookups = ()
    exact_for: tuple[Setting, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    equation: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return f"<Candidate {self.target}: {self.formula}{about(self.where)}; {self.correct:,} of {self.total:,} right>"

    @property
    def plain(self) -> bool:
        """Whether it is about all positions, and looks nothing up."""
        return self.where == TRUE and not self.values

    @property
    def exact(self) -> bool:
        """Whether it describes every training position."""
        return self.correct == self.total

    @property
    def share(self) -> float:
        """The share of training positions that it describes, from 0 to 1."""
        return self.correct / self.total

    @property
    def size(self) -> int:
        """The number of nodes of the formula."""
        return self.formula.size


@dataclass(frozen=True)
class Proposals:
    """What an engine answers.

    formulas: best guess first. equations: these in the engine's own notation, by formula. unread: equations that have
    no formula. unavailable: why the engine cannot be asked here.
    notes: what a reader should know about them, or why there are none; one sentence
    each, without a full stop. parts: formulas that are about some positions only, or look values up. further: who is
    asked instead of the engine of larger tables, which are worth much if what is found still changes a little.
    none_up_to: no formula that costs at most so much is right at all of the positions; 0 where that was not looked at.
    tree: the decision tree that the best formula was read off, of an engine that grows some.
    """

    formulas: tuple[Expr, ...] = ()
    notes: tuple[str, ...] = ()
    parts: tuple[Proposal, ...] = ()
    further: Engine | None = field(default=None, compare=False)
    none_up_to: int = 0
    equations: Mapping[Expr, str] = field(default_factory=dict, compare=False)
    unread: tuple[Unread, ...] = ()
    unavailable: str = ""
    tree: Tree | None = None


# A way of finding formulas, given a seed, for which it is deterministic, and a budget in seconds, which is a safety
# stop and not part of the result. It sees the samples only.
Engine = Callable[[Samples, Target, int, float], Proposals]


def out_of_time(budget_seconds: float) -> str:
    """The note of an engine that its budget stopped."""
    return f"stopped by the budget of {budget_seconds:g} seconds: with a larger one there may be more"


def span(column: Array) -> int:
    """The largest value less the smallest, of any size."""
    return int(column.max()) - int(column.min())


def constant(values: Array) -> Expr | None:
    """The formula of a target with one value only."""
    if (values != values[0]).any():
        return None
    if values.dtype == bool:
        return TRUE if values[0] else FALSE
    return Int(int(values[0]))
