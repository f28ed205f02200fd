"""Interface of the engines, which make proposals from samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.decision_trees import Tree
from grundylab.games.fields import TargetField
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, Int
from grundylab.numeric import Array
from grundylab.records.finding import Finding, LearntTables

BUDGET_SHARE = 0.8  # share of an engine's budget for the search; the rest is for counting the results


@dataclass(frozen=True)
class Unread:
    """An equation that cannot be translated into a formula, and the reason.

    equation: in the engine's own notation. complexity, loss: as the engine counts them.
    """

    equation: str
    complexity: int
    loss: float
    reason: str


@dataclass(frozen=True)
class HallRow:
    """A row of an engine's hall of fame: its best equation of a complexity.

    complexity, loss: as the engine counts them, on the positions of its last round. equation: in the engine's own
    notation. formula: the text of the formula that it becomes; empty if there is none, for this reason. chosen: whether
    this formula is right at more training positions than the others.
    """

    complexity: int
    loss: float
    equation: str
    formula: str = ""
    reason: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class EngineWork:
    """The work of an engine that draws at random: so many rounds, and in all of these so many of its own units."""

    rounds: int
    amount: int
    unit: str

    def __str__(self) -> str:
        return f"{self.amount:,} {self.unit} in {self.rounds} rounds"

    def __add__(self, other: EngineWork) -> EngineWork:
        return EngineWork(self.rounds + other.rounds, self.amount + other.amount, self.unit)


def all_work(parts: Iterable[EngineWork | None]) -> EngineWork | None:
    """Return the sum of the works of one engine; None if there is none."""
    works = [part for part in parts if part is not None]
    return reduce(EngineWork.__add__, works) if works else None


ParameterValues = tuple[tuple[str, int], ...]  # (parameter, value) for each parameter


@dataclass(frozen=True, kw_only=True)
class EngineRun:
    """A search of one engine for one target, as results keep it.

    study: where it ran; empty until the results of studies are joined. notes: the engine's remarks on its search.
    learnt: the tables that it learnt from, in order. unread: equations that could not be read as formulas. unavailable:
    why the engine could not be asked; empty if it was. hall, work: of an engine that draws at random, its hall of fame
    and what it did.
    """

    study: str = ""
    target: TargetField
    engine: str
    seed: int = 0
    notes: tuple[str, ...] = ()
    learnt: tuple[LearntTables, ...] = ()
    unread: tuple[Unread, ...] = ()
    unavailable: str = ""
    hall: tuple[HallRow, ...] = ()
    work: EngineWork | None = None


@dataclass(frozen=True)
class Proposals:
    """Result of one engine.

    formulas: those about all positions, the best guess first. notes: facts about the formulas, or the reasons why there
    are none; one sentence each, without a full stop. parts: statements about some of the positions, or that look up
    values. further: if the result still changes a little as tables grow, the function that continues on larger tables;
    else None. none_up_to: no formula of at most this cost is right at all positions; 0 if this was not established.
    equations: the formulas in the engine's own notation. unread: equations that could not be translated. unavailable:
    the reason why the engine cannot run here, or empty. tree: the decision tree from which the best formula was read,
    if there is one. hall, work: of an engine that draws at random, its hall of fame and what it did.
    """

    formulas: tuple[Expr, ...] = ()
    notes: tuple[str, ...] = ()
    parts: tuple[Finding, ...] = ()
    further: EngineFunction | None = field(default=None, compare=False)
    none_up_to: int = 0
    equations: Mapping[Expr, str] = field(default_factory=dict, compare=False)
    unread: tuple[Unread, ...] = ()
    unavailable: str = ""
    tree: Tree | None = None
    hall: tuple[HallRow, ...] = ()
    work: EngineWork | None = None


# (samples, target, seed, budget in seconds) -> proposals. An engine learns from the samples only, and is deterministic
# for a given seed. The budget is a safety stop: it affects the result only if it ends the search.
EngineFunction = Callable[[Samples, Target, int, float], Proposals]


def out_of_time(budget_seconds: float) -> str:
    """Return the note that an engine's budget ended its search."""
    # rounded to two digits below 10: 30 seconds, 2.5 seconds, 0.01 seconds
    number = f"{budget_seconds:,.0f}" if budget_seconds >= 9.95 else f"{max(budget_seconds, 0):.2g}"
    unit = "second" if number == "1" else "seconds"
    return f"stopped by the budget of {number} {unit}: a larger budget may find more"


def ended_by_budget(note: str) -> bool:
    """Tell whether a note says that an engine's budget ended its search."""
    return note.startswith(("stopped by the budget", "used up"))


def span(column: Array) -> int:
    """Return the largest value of the column minus the smallest, as a Python integer."""
    return int(column.max()) - int(column.min())


def constant_formula(values: Array) -> Expr | None:
    """Return the formula of a target that has the same value at all positions; None if it has several values."""
    return None if (values != values[0]).any() else best_constant(values)[0]


def best_constant(values: Array) -> tuple[Expr, int]:
    """Return the constant that is right most often, the smallest of several, and the number of these positions."""
    constants, counts = np.unique(values, return_counts=True)
    place = int(counts.argmax())
    value = constants[place]
    formula = (TRUE if value else FALSE) if values.dtype == bool else Int(int(value))
    return formula, int(counts[place])
