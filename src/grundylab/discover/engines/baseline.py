"""The engine ``baseline``: scikit-learn decision trees on the bare coordinates and parameters.

There are no derived features, and for a number each leaf is a constant. So the formulas are seldom right: the engine
serves as a baseline with which the others are compared.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Proposals, constant_formula, out_of_time
from grundylab.discover.classifier import FITTED, Features, fit_tree, proposals_of
from grundylab.discover.decision_trees import Leaf, Tree, count_positions
from grundylab.discover.fingerprints import scattered
from grundylab.discover.search_budget import SearchBudget
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, Int, Name
from grundylab.numeric import Array

SAMPLE = 20_000  # positions from which trees are grown
LEAVES = (2, 3, 4, 6, 8, 12, 16)  # numbers of leaves of the trees


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the formula of one tree for each number of leaves, and the best of these trees."""
    if (trivial := constant_formula(samples.values)) is not None:
        return proposals_of([count_positions(Leaf(trivial), samples)], samples)
    work = SearchBudget(BUDGET_SHARE * budget_seconds)
    trees = list(_trees(samples.at(np.sort(scattered(np.arange(len(samples)))[:SAMPLE])), work))
    return proposals_of(trees, samples, (out_of_time(budget_seconds),) if work.over else ())


def _trees(sample: Samples, work: SearchBudget) -> Iterator[Tree]:
    names = sample.variables or sample.names
    features = Features(tuple(map(Name, names)), np.stack([sample.columns[name] for name in names], axis=1))
    labels, leaves = _labels(sample.values)
    for count in LEAVES:
        work.spend(FITTED * features.values.size)
        yield count_positions(fit_tree(features, labels, leaves, count), sample)
        if work.over:
            return


def _labels(values: Array) -> tuple[Array, list[Expr]]:
    """Return a label for each position and the list of constants: label n stands for the n-th constant."""
    if values.dtype == bool:
        return values.astype(np.int64), [FALSE, TRUE]
    constants, labels = np.unique(values, return_inverse=True)
    return labels.reshape(-1), [Int(int(value)) for value in constants]
