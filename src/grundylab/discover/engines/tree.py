"""The engine ``tree``: scikit-learn decision trees over exact integer features, read back as formulas.

For a number the leaves are features too: every position is labelled with one that equals its value, and the
tree learns which label applies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.bank import Bank
from grundylab.discover.base import BUDGET_SHARE, Array, Proposals, constant, out_of_time
from grundylab.discover.comparisons import PREDICATES, says
from grundylab.discover.fingerprints import NONE, hashing, prints, unseen
from grundylab.discover.forms import together
from grundylab.discover.ranking import exact
from grundylab.discover.rewriting import negate, reduced, simplify, spelled
from grundylab.discover.work import Work
from grundylab.games.model import Target
from grundylab.language import Expr, Kind
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import FALSE, TRUE, Call, Compare, If, Int, compare, conjunction, disjunction

SAMPLE = 5_000  # positions that trees are grown from
LEAVES = (2, 3, 4, 6, 8, 12, 16)  # sizes of tree tried; larger ones are no formulas to look at
LARGEST = 80  # nodes of a formula that is proposed
ROUNDS = 4  # of adding counterexamples
FITTED = 20  # what a feature at a position counts as work when a tree is fitted
TERMS, KEPT = 1_000, 250  # numbers, and those of them that are features
FEW = 30  # that are looked at first: of features that split alike, a tree takes any
ASKED = 80  # of which it is asked whether a function says yes
INSIDE = range(5)  # constants in them
LABELS = 8  # different terms at the leaves for a number

Intervals = Mapping[int, tuple[int | None, int | None]]  # by feature


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """One formula for each size of tree, up to the first exact one."""
    if (trivial := constant(samples.values)) is not None:
        return Proposals((trivial,))
    work = Work(BUDGET_SHARE * budget_seconds)
    rows = sampling.draw(samples, SAMPLE)
    found: list[Expr] = []
    for _ in range(ROUNDS):
        sample = samples.at(rows)
        formulas = list(_formulas(sample, work))
        found += formulas
        if not formulas or work.over:
            break
        wrong = evaluate_arrays(formulas[-1], samples.columns, samples.functions) != samples.values
        if not wrong.any():
            found.append(reduced(formulas[-1], partial(exact, samples=samples)))
            break
        if not exact(formulas[-1], sample):
            break  # not even the sample is described: more of it does not help
        rows = np.union1d(rows, sampling.counterexamples(wrong, samples, SAMPLE // 10))
    notes = (out_of_time(budget_seconds),) if work.over else ()
    return Proposals(tuple(spelled(formula, samples.names) for formula in found), notes)


def _formulas(sample: Samples, work: Work) -> Iterator[Expr]:
    """Formulas of growing size, the last one exact on the sample if any is."""
    features = _features(sample, work)
    for bank in (features.first(FEW), features):
        yield from _of_features(sample, bank, work)
        if work.over or len(bank.trees) == len(features.trees):
            return


def _of_features(sample: Samples, bank: Features, work: Work) -> Iterator[Expr]:
    labels, leaves = _labelled(sample, bank)
    known = labels >= 0
    for count in LEAVES:
        classifier = DecisionTreeClassifier(
            max_leaf_nodes=count, random_state=0
        )  # which decides between equal splits
        work.spend(FITTED * bank.values.size)
        classifier.fit(bank.values[known], labels[known])
        formula = _ReadBack(classifier, bank, leaves).formula()
        if formula.size <= LARGEST:
            yield formula
            if exact(formula, sample):
                return
        if work.over:
            return


@dataclass(frozen=True)
class Features:
    """What a tree splits by. trees: numbers, or conditions that count as 0 and 1. values: (positions, features)."""

    trees: tuple[Expr, ...]
    values: Array

    def first(self, count: int) -> Features:
        """The simplest."""
        return Features(self.trees[:count], self.values[:, :count])


def _features(sample: Samples, work: Work) -> Features:
    """The simplest terms, and of the first of them the built-in functions that say yes or no."""
    bank = Bank(sample, INSIDE, together(sample))
    bank.fill(work, TERMS)
    numbers = np.flatnonzero(~bank.constant(np.arange(len(bank))))
    ranks = np.stack([_ranks(bank.values[n]) for n in numbers]) if len(numbers) else bank.values[:0]
    numbers = numbers[unseen(prints(ranks, hashing(len(sample))), NONE)][:KEPT]
    trees, rows = [bank.expr(int(n)) for n in numbers], [bank.values[numbers]]
    for name in PREDICATES:
        truth = says(name, bank.values[numbers[:ASKED]])
        varied = np.flatnonzero(truth.any(axis=1) & ~truth.all(axis=1))
        trees += [Call(name, (trees[n],)) for n in varied]
        rows.append(truth[varied].astype(np.int64))
    if not trees:
        return Features((Int(0),), np.zeros((len(sample), 1), dtype=np.int64))
    return Features(tuple(trees), np.concatenate(rows).T)


def _ranks(row: Array) -> Array:
    """The place of each value among all, or of all in the opposite order: a split sees no more of them."""
    ranks = np.unique(row, return_inverse=True)[1].reshape(-1)
    return np.asarray(ranks if 2 * ranks[0] < ranks.max() else ranks.max() - ranks)


def _labelled(sample: Samples, bank: Features) -> tuple[Array, list[Expr]]:
    """A label for each position (-1 if none fits), and the expression that each label stands for."""
    if sample.values.dtype == bool:
        return sample.values.astype(np.int64), [FALSE, TRUE]
    numbers = [i for i, tree in enumerate(bank.trees) if tree.kind is Kind.NUMBER]
    trees = [*(bank.trees[i] for i in numbers), *map(Int, range(4))]
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


@dataclass(frozen=True)
class _ReadBack:
    """A fitted tree as a formula."""

    classifier: DecisionTreeClassifier
    bank: Features
    leaves: list[Expr]

    def formula(self) -> Expr:
        """The smallest of: nested conditionals, the paths to True, the opposite of the paths to False."""
        nested = simplify(self._nested(0))
        if self.leaves != [FALSE, TRUE]:
            return nested
        paths = simplify(disjunction(*self._paths(TRUE)))
        opposite = simplify(negate(simplify(disjunction(*self._paths(FALSE)))))
        return min(nested, paths, opposite, key=lambda e: (e.size, str(e)))

    def _leaf(self, node: int) -> Expr:
        tree = self.classifier.tree_
        label = self.classifier.classes_[int(np.argmax(tree.value[node][0]))]
        return self.leaves[int(label)]

    def _nested(self, node: int) -> Expr:
        tree = self.classifier.tree_
        if tree.children_left[node] < 0:
            return self._leaf(node)
        feature, most = int(tree.feature[node]), int(np.floor(tree.threshold[node]))
        below, above = self._nested(tree.children_left[node]), self._nested(tree.children_right[node])
        return If(self._within(feature, None, most), below, above)

    def _paths(
        self, leaf: Expr, node: int = 0, intervals: Intervals = MappingProxyType({})
    ) -> Iterator[Expr]:
        """For every leaf of this kind the condition that leads there, one interval for each feature."""
        tree = self.classifier.tree_
        if tree.children_left[node] < 0:
            if self._leaf(node) == leaf:
                yield conjunction(*(self._within(f, low, high) for f, (low, high) in intervals.items()))
            return
        feature, most = int(tree.feature[node]), int(np.floor(tree.threshold[node]))
        low, high = intervals.get(feature, (None, None))
        yield from self._paths(leaf, tree.children_left[node], {**intervals, feature: (low, most)})
        yield from self._paths(leaf, tree.children_right[node], {**intervals, feature: (most + 1, high)})

    def _within(self, feature: int, low: int | None, high: int | None) -> Expr:
        """low <= feature <= high, as short as the feature's own range allows."""
        tree, values = self.bank.trees[feature], self.bank.values[:, feature]
        least, most = int(values.min()), int(values.max())
        low = None if low is None or low <= least else low
        high = None if high is None or high >= most else high
        if tree.kind is Kind.CONDITION:
            return tree if low == 1 else negate(tree) if high == 0 else TRUE
        if least == 0 and (low, high) == (None, 0):
            return compare("==", tree, Int(0))
        if least == 0 and (low, high) == (1, None):
            return compare("==", tree, Int(1)) if most == 1 else compare("!=", tree, Int(0))
        if low is not None and high is not None:
            return (
                compare("==", tree, Int(low))
                if low == high
                else Compare(("<=", "<="), (Int(low), tree, Int(high)))
            )
        if low is not None:
            return compare(">=", tree, Int(low))
        return TRUE if high is None else compare("<=", tree, Int(high))
