"""The engine ``baseline``: scikit-learn decision trees on the bare coordinates and parameters.

There are no derived features, and for a number each leaf is a constant. So the formulas are seldom right: the engine
serves as a baseline with which the others are compared.
"""

from __future__ import annotations

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Proposals, constant_formula, out_of_time
from grundylab.discover.classifier import FITTED, Features, fit_tree, proposals_of
from grundylab.discover.decision_trees import Leaf, count_positions
from grundylab.discover.fingerprints import scattered
from grundylab.discover.search_budget import SearchBudget
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, Int, Name

SAMPLE = 20_000  # positions from which trees are grown
LEAVES = (2, 3, 4, 6, 8, 12, 16)  # numbers of leaves of the trees


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the formula of one tree for each number of leaves, and the best of these trees."""
    if (trivial := constant_formula(samples.values)) is not None:
        return proposals_of([count_positions(Leaf(trivial), samples)], samples)
    work = SearchBudget(BUDGET_SHARE * budget_seconds)
    sample = samples.at(np.sort(scattered(np.arange(len(samples)))[:SAMPLE]))
    names = sample.variables or sample.names
    features = Features(tuple(map(Name, names)), np.stack([sample.columns[name] for name in names], axis=1))
    constants: list[Expr] = [FALSE, TRUE]
    labels = sample.values.astype(np.int64)  # label n of a position stands for the n-th constant
    if sample.values.dtype != bool:
        values, labels = np.unique(sample.values, return_inverse=True)
        constants = [Int(int(value)) for value in values]
    trees = []
    for leaves in LEAVES:
        work.spend(FITTED * features.values.size)
        trees.append(count_positions(fit_tree(features, labels.reshape(-1), constants, leaves), sample))
        if work.over:
            break
    return proposals_of(trees, samples, (out_of_time(budget_seconds),) if work.over else ())
