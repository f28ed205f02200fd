"""Which of the proposed formulas are candidates, and in what order: exact first, then the smallest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array, Candidate, Proposal
from grundylab.discover.rewriting import plainness
from grundylab.discover.sampling import settings
from grundylab.errors import EvaluationError
from grundylab.games.model import Target
from grundylab.games.statements import THIS
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.functions import Tabulated
from grundylab.language.syntax import TRUE, called, free_names
from grundylab.solve.table import NO_POSITION

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


def exact(formula: Expr, samples: Samples) -> bool:
    """Whether it describes every position."""
    return correct(formula, samples) == len(samples)


def rank(
    formulas: Iterable[Expr | Proposal], samples: Samples, target: Target, engine: str, seed: int
) -> list[Candidate]:
    """The formulas that are ones for the target, counted on all training positions that they are about, best first.

    Those about more positions come first. A partial candidate is kept only if no smaller one describes as many.
    """
    found = []
    for proposal in dict.fromkeys(f if isinstance(f, Proposal) else Proposal(f) for f in formulas):
        if proposal.formula.kind is not target.kind or not _known(proposal, samples):
            continue
        wrong = _wrong(proposal, samples)
        if wrong is not None and len(wrong):
            count = len(wrong) - int(np.count_nonzero(wrong))
            found.append(
                Candidate(
                    proposal.formula, target, engine, seed, count, len(wrong), proposal.where, proposal.values
                )
            )
    whole = sorted((c for c in found if c.exact), key=lambda c: (-c.total, *plainness(c.formula)))
    partial = sorted((c for c in found if not c.exact), key=lambda c: (-c.correct, *plainness(c.formula)))
    kept: list[Candidate] = []
    for candidate in partial:
        if not kept or candidate.size < kept[-1].size:
            kept.append(candidate)
    ties = sum((c.total, c.size) == (whole[0].total, whole[0].size) for c in whole)  # all of them are told
    return whole[: max(MOST_EXACT, ties)] + kept[:MOST_PARTIAL]


def _known(proposal: Proposal, samples: Samples) -> bool:
    """Whether everything that is mentioned has a meaning."""
    lookups = {name for name, of in proposal.values if of == THIS and name not in samples.functions}
    return all(
        free_names(tree) <= set(samples.names)
        and all(name in samples.functions or name in lookups for name in called(tree))
        for tree in (proposal.formula, proposal.where)
    )


def _wrong(proposal: Proposal, samples: Samples) -> Array | None:
    """Where it is wrong, of the positions that it is about; None if it has no value at one of them."""
    if not proposal.values and proposal.where == TRUE:
        return errors(proposal.formula, samples)
    parts = []
    setting = settings(samples) if proposal.values else np.zeros(len(samples), dtype=np.int64)
    for number in range(int(setting.max()) + 1):
        these = samples.at(np.flatnonzero(setting == number))
        functions = samples.functions.given(*(_lookup(name, these) for name, _ in proposal.values))
        these = replace(these, functions=functions)
        try:
            inside = np.flatnonzero(evaluate_arrays(proposal.where, these.columns, functions))
        except EvaluationError:
            return None
        wrong = errors(proposal.formula, these.at(inside)) if len(inside) else np.empty(0, dtype=bool)
        if wrong is None:
            return None
        parts.append(wrong)
    return np.concatenate(parts)


def _lookup(name: str, samples: Samples) -> Tabulated:
    """The target's values at the samples (of one setting of the parameters) as a function of the coordinates."""
    columns = [samples.columns[coordinate] for coordinate in samples.coordinates]
    lows = tuple(int(column.min()) for column in columns)
    shape = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
    values = np.full(shape, NO_POSITION, dtype=np.int64)
    values[tuple(column - low for column, low in zip(columns, lows, strict=True))] = samples.values
    return Tabulated(name, samples.coordinates, values, lows, "the training positions", NO_POSITION)
