"""The engine ``tree``: scikit-learn decision trees over exact integer features, read back as formulas.

For a number the leaves are features, too. Every position is labelled with a feature that has the target's value there,
and the tree learns which label applies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.bank import Bank
from grundylab.discover.base import BUDGET_SHARE, Proposals, constant_formula, out_of_time
from grundylab.discover.classifier import FITTED, Features, fit_tree, is_readable, proposals_of
from grundylab.discover.comparisons import predicate_values, usual_predicates
from grundylab.discover.decision_trees import Leaf, Tree, count_positions
from grundylab.discover.extra_terms import combined_terms
from grundylab.discover.fingerprints import NONE, hashing, prints, unseen
from grundylab.discover.ranking import is_exact
from grundylab.discover.rewriting import reduce_while_exact
from grundylab.discover.search_budget import SearchBudget
from grundylab.games.model import Target
from grundylab.language import Expr, Kind
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import FALSE, TRUE, Call, Int
from grundylab.numeric import Array

SAMPLE = 5_000  # positions from which trees are grown
LEAVES = (2, 3, 4, 6, 8, 12, 16)  # numbers of leaves of the trees; larger trees are not readable
ROUNDS = 4  # rounds of adding counterexamples
TERMS, KEPT = 1_000, 250  # terms of the bank, and those of them that become features
FEW = 30  # features tried first, since a tree may choose any of the features that split alike
ASKED = 80  # features to which predicates are applied
INSIDE = range(5)  # constants inside features
LABELS = 8  # different terms at the leaves for a number


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the formulas of trees with more and more leaves, up to the first exact one, and the best of the trees."""
    if (trivial := constant_formula(samples.values)) is not None:
        return proposals_of([count_positions(Leaf(trivial), samples)], samples)
    work = SearchBudget(BUDGET_SHARE * budget_seconds)
    rows = sampling.draw_rows(samples, SAMPLE)
    grown: list[Tree] = []
    for _ in range(ROUNDS):
        sample = samples.at(rows)
        trees = list(_trees(sample, samples, work))
        grown += trees
        last = next(filter(is_readable, reversed(trees)), None)
        if last is None or work.over:
            break
        wrong = evaluate_arrays(last.formula, samples.columns, samples.functions) != samples.values
        if not wrong.any():
            grown.append(
                replace(last, formula=reduce_while_exact(last.formula, partial(is_exact, samples=samples)))
            )
            break
        if not is_exact(last.formula, sample):
            break  # not even the sample is described: a larger one does not help
        rows = sampling.with_counterexamples(rows, wrong, samples, SAMPLE // 10)
    return proposals_of(grown, samples, (out_of_time(budget_seconds),) if work.over else ())


def _trees(sample: Samples, samples: Samples, work: SearchBudget) -> Iterator[Tree]:
    """Yield trees of growing size, up to one that is exact on the sample: first over few features, then over all."""
    weights = np.ones(len(sample))
    if sample.values.dtype == bool:  # the rarer truth value is oversampled, so its positions stand for fewer
        have, want = (np.bincount(part.values, minlength=2) for part in (sample, samples))
        weights = (want / np.maximum(have, 1))[sample.values.astype(np.int64)]
    features = _features(sample, work)
    for bank in (features.first(FEW), features):
        labels, leaves = _labels(sample, bank)
        labelled = np.flatnonzero(labels >= 0)
        learnt = bank.at(labelled)
        if not len(labelled):
            yield count_positions(Leaf(leaves[0]), sample)
        for count in LEAVES if len(labelled) else ():
            work.spend(FITTED * bank.values.size)
            root = fit_tree(learnt, labels[labelled], leaves, count, weights[labelled])
            yield (tree := count_positions(root, sample))
            if (is_readable(tree) and is_exact(tree.formula, sample)) or work.over:
                break
        if work.over or len(bank.terms) == len(features.terms):
            return


def _features(sample: Samples, work: SearchBudget) -> Features:
    """Return as features the simplest terms, and the built-in predicates of the first ASKED of them."""
    bank = Bank(sample, INSIDE, combined_terms(sample))
    bank.fill(work, TERMS)
    numbers = np.flatnonzero(~bank.constant(np.arange(len(bank))))
    # the splits by a term depend on the ranks of its values only; a term and its negative get equal ranks, usually
    ranks = [np.unique(bank.values[n], return_inverse=True)[1].reshape(-1) for n in numbers]
    ranks = [row if 2 * row[0] < row.max() else row.max() - row for row in ranks]
    marks = prints(np.stack(ranks) if ranks else bank.values[:0], hashing(len(sample)))
    numbers = numbers[unseen(marks, NONE)][:KEPT]
    trees, rows = [bank.expr(int(n)) for n in numbers], [bank.values[numbers]]
    for name in usual_predicates(sample):
        truth = predicate_values(name, bank.values[numbers[:ASKED]])
        varied = np.flatnonzero(truth.any(axis=1) & ~truth.all(axis=1))
        trees += [Call(name, (trees[n],)) for n in varied]
        rows.append(truth[varied].astype(np.int64))
    if not trees:
        return Features((Int(0),), np.zeros((len(sample), 1), dtype=np.int64))
    return Features(tuple(trees), np.concatenate(rows).T)


def _labels(sample: Samples, bank: Features) -> tuple[Array, list[Expr]]:
    """Return a label for each position, and the expressions; label n is the n-th, -1 means that none is right."""
    if sample.values.dtype == bool:
        return sample.values.astype(np.int64), [FALSE, TRUE]
    numbers = [i for i, tree in enumerate(bank.terms) if tree.kind is Kind.NUMBER]
    trees = [*(bank.terms[i] for i in numbers), *map(Int, range(4))]
    equal = bank.values[:, numbers] == sample.values[:, None]
    equal = np.hstack([equal, sample.values[:, None] == np.arange(4)])
    labels = np.full(len(sample), -1)
    chosen: list[Expr] = []
    while len(chosen) < LABELS and (labels < 0).any():
        best = int(np.argmax(equal[labels < 0].sum(axis=0)))
        fresh = (labels < 0) & equal[:, best]
        if not fresh.any():
            break
        labels[fresh] = len(chosen)
        chosen.append(trees[best])
    return labels, chosen or [Int(0)]
