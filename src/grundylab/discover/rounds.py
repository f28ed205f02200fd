"""Rounds of an engine that draws at random: it fits a sample, then also positions where its best formula is wrong.

This is counterexample-guided synthesis, as in ``complete.py``; but the sample stays small, and the positions that are
no counterexamples are drawn anew. Few positions of a large table may tell a nearly right formula from the right one. A
single sample has a handful of these, and no setting of an engine makes up for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.base import EngineWork, HallRow, Proposals, Unread
from grundylab.discover.genetic import (
    GeneticProblem,
    NoFormula,
    genetic_problem,
    shorten_formula,
    solved_coordinate,
)
from grundylab.discover.ranking import error_mask
from grundylab.language import Expr

SAMPLE = 200  # positions of a round
ADDED = 50  # most counterexamples that join after a round
FRESH = 50  # fewest positions of a round that are drawn anew
ROUNDS = 5  # a round has this share of the budget


@dataclass(frozen=True)
class Equation:
    """A row of an engine's hall of fame.

    text: the equation in the engine's own notation. complexity, loss: as the engine counts them. formula: the formula
    for the target; None if there is none, for this reason.
    """

    text: str
    complexity: int
    loss: float
    formula: Expr | None
    reason: str = ""

    @classmethod
    def read(
        cls, text: str, complexity: int, loss: float, problem: GeneticProblem, term: Callable[[], Expr]
    ) -> Equation:
        """Return the row with the formula that follows from the term, or with the reason if this raises NoFormula."""
        try:
            return cls(text, complexity, loss, problem.formula(term()))
        except NoFormula as reason:
            return cls(text, complexity, loss, None, str(reason))


def round_size(rounds: int) -> int:
    """Return the positions of a round, so that as many are drawn in all whatever the number of rounds."""
    return SAMPLE * ROUNDS // rounds


# A round of an engine: (problem, seed) -> its equations, the shortest first; None if its budget is used up.
Fit = Callable[[GeneticProblem, int], Sequence[Equation] | None]


@dataclass(frozen=True)
class Fitted:
    """The formulas of all rounds, shortened, each with its equation; those of the last round come first.

    exact: whether one of them is right at all positions. hall: the equations of the round with the best formula.
    unread: those of all rounds that have no formula.
    """

    formulas: dict[Expr, str]
    exact: bool
    hall: tuple[HallRow, ...]
    unread: tuple[Unread, ...]

    def proposals(self, notes: tuple[str, ...], work: EngineWork) -> Proposals:
        """Return the formulas as the engine's proposals."""
        return Proposals(
            tuple(self.formulas),
            notes,
            equations=self.formulas,
            unread=self.unread,
            hall=self.hall,
            work=work,
        )


def fit_in_rounds(samples: Samples, seed: int, fit: Fit, size: int = SAMPLE) -> Fitted:
    """Run rounds of an engine until a formula is right at all positions, or the engine's budget is used up.

    size: the positions of a round.
    """
    draws = np.random.default_rng(seed)
    solved = solved_coordinate(samples)
    # the problem to find a coordinate has no rows but those where the condition holds
    usable = samples.values if solved else np.ones(len(samples), dtype=bool)
    kept = np.empty(0, dtype=np.int64)
    formulas, unread = dict[Expr, str](), list[Unread]()
    hall, fewest, fewer = tuple[HallRow, ...](), len(samples) + 1, len(samples)
    while fewest:
        more = max(size - len(kept), FRESH)
        if usable.all():
            drawn = sampling.draw_rows(samples, more, int(draws.integers(2**23)))
        else:
            drawn = draws.permutation(np.setdiff1d(np.flatnonzero(usable), kept))[:more]
        problem = genetic_problem(samples, solved, np.union1d(kept, drawn))
        equations = fit(problem, int(draws.integers(2**31)))
        if equations is None:
            break
        without = (e for e in equations if e.formula is None)
        unread += [Unread(e.text, e.complexity, e.loss, e.reason) for e in without]
        short = [equation.formula and shorten_formula(equation.formula, samples) for equation in equations]
        texts = dict[Expr, str]()
        for formula, written in zip(short, equations, strict=True):
            if formula is not None:
                texts.setdefault(formula, written.text)
        formulas = texts | {formula: text for formula, text in formulas.items() if formula not in texts}
        masks = {formula: mask for formula in texts if (mask := error_mask(formula, samples)) is not None}
        best = min(masks, key=lambda formula: np.count_nonzero(masks[formula]), default=None)
        if best is not None:
            fewer = int(np.count_nonzero(masks[best]))
            kept = sampling.with_counterexamples(kept, masks[best] & usable, samples, ADDED)
        if fewer < fewest or not hall:
            fewest, hall = fewer, _hall(equations, short, best)
    return Fitted(formulas, not fewest, hall, tuple(unread))


def _hall(
    equations: Sequence[Equation], formulas: Sequence[Expr | None], best: Expr | None
) -> tuple[HallRow, ...]:
    """Return the equations of a round with their formulas; the first one that became the best formula is chosen."""
    chosen = formulas.index(best) if best is not None else None
    return tuple(
        HallRow(
            equation.complexity,
            equation.loss,
            equation.text,
            "" if formula is None else str(formula),
            equation.reason,
            number == chosen,
        )
        for number, (equation, formula) in enumerate(zip(equations, formulas, strict=True))
    )
