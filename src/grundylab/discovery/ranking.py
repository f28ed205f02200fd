"""Which of the proposed formulas are candidates, and in what order: exact first, then the smallest."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from grundylab.discovery.base import Array, Candidate, Samples
from grundylab.discovery.rewriting import plainness
from grundylab.errors import EvaluationError
from grundylab.formula import Expr
from grundylab.formula.arrays import evaluate_arrays
from grundylab.formula.syntax import called, free_names
from grundylab.rulesets.model import Target

MOST_EXACT = 5  # candidates kept of each sort; of the smallest exact ones all
MOST_PARTIAL = 3


def errors(formula: Expr, samples: Samples) -> Array | None:
    """Where the formula is wrong; None if it has no value at some position."""
    try:
        return np.asarray(evaluate_arrays(formula, samples.columns, samples.functions) != samples.values)
    except EvaluationError:
        return None


def correct(formula: Expr, samples: Samples) -> int | None:
    """The number of positions that it describes exactly; None if it has no value at some position."""
    wrong = errors(formula, samples)
    return None if wrong is None else len(samples) - int(np.count_nonzero(wrong))


def rank(
    formulas: Iterable[Expr], samples: Samples, target: Target, engine: str, seed: int
) -> list[Candidate]:
    """The formulas that are ones for the target, counted on all training positions, best first.

    A partial candidate is kept only if no smaller one describes as many positions.
    """
    found = []
    for formula in dict.fromkeys(formulas):
        known = free_names(formula) <= set(samples.names) and all(
            name in samples.functions for name in called(formula)
        )
        if formula.kind is not target.kind or not known:
            continue
        count = correct(formula, samples)
        if count is not None:
            found.append(Candidate(formula, target, engine, seed, count, len(samples)))
    exact = sorted((c for c in found if c.exact), key=lambda c: plainness(c.formula))
    partial = sorted((c for c in found if not c.exact), key=lambda c: (-c.correct, *plainness(c.formula)))
    kept: list[Candidate] = []
    for candidate in partial:
        if not kept or candidate.size < kept[-1].size:
            kept.append(candidate)
    smallest = sum(candidate.size == exact[0].size for candidate in exact)  # ties are all told
    return exact[: max(MOST_EXACT, smallest)] + kept[:MOST_PARTIAL]
