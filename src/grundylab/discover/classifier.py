"""Decision trees grown by scikit-learn's classifier, and the proposals read from them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from grundylab.check.samples import Samples
from grundylab.discover.base import Proposals, Unread
from grundylab.discover.decision_trees import Leaf, Split, Tree, TreeNode, count_positions, to_line, values_of
from grundylab.discover.plainness import plainness
from grundylab.discover.ranking import error_mask, is_exact
from grundylab.discover.rewriting import normal_form
from grundylab.errors import EvaluationError
from grundylab.language import Expr
from grundylab.numeric import Array

LARGEST = 80  # nodes of a proposed formula
FITTED = 20  # work of each feature at each position when a tree is fitted


@dataclass(frozen=True)
class Features:
    """Features by which a tree splits, simplest first: numbers, and conditions as 0 and 1.

    terms: the expression of each feature. values: (positions, features).
    """

    terms: tuple[Expr, ...]
    values: Array

    def first(self, count: int) -> Features:
        """Return only so many features, the simplest."""
        return Features(self.terms[:count], self.values[:, :count])

    def at(self, rows: Array) -> Features:
        """Return the features at these positions only."""
        return Features(self.terms, self.values[rows])


def fit_tree(
    features: Features,
    labels: Array,
    expressions: Sequence[Expr],
    leaves: int,
    weights: Array | None = None,
) -> TreeNode:
    """Return the root of a tree with at most so many leaves, fitted to labelled positions; its nodes have no counts.

    If several features split the positions of a node in the same way, the first is used, hence the simplest.
    labels: for each position the index of its label in ``expressions``. weights: for each position of a sample the
    number of positions that it stands for; a leaf with several labels gets the one of the greatest total weight.
    """
    classifier = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0)  # breaks ties
    with warnings.catch_warnings():  # that labels are many is no fault here
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        classifier.fit(features.values, labels)
    fitted = classifier.tree_

    def node(number: int, rows: Array) -> TreeNode:
        if fitted.children_left[number] < 0:
            counts = np.bincount(labels[rows], None if weights is None else weights[rows])
            return Leaf(expressions[int(np.argmax(counts))])
        feature, threshold = int(fitted.feature[number]), int(np.floor(fitted.threshold[number]))
        low = features.values[rows, feature] <= threshold
        below = rows[low], rows[~low]
        if all(map(len, below)):
            most, least = features.values[below[0]].max(axis=0), features.values[below[1]].min(axis=0)
            alike = np.flatnonzero(most < least)  # the features that separate the two sides
            if len(alike):
                feature, threshold = int(alike[0]), int((most[alike[0]] + least[alike[0]]) // 2)
        sides = node(fitted.children_left[number], below[0]), node(fitted.children_right[number], below[1])
        return Split(features.terms[feature], threshold, *sides)

    return node(0, np.arange(len(labels)))


def is_readable(tree: Tree) -> bool:
    """Tell whether the tree's formula is small enough to be proposed."""
    return tree.formula.size <= LARGEST


def proposals_of(trees: Sequence[Tree], samples: Samples, notes: tuple[str, ...] = ()) -> Proposals:
    """Return proposals: the formulas of the trees, in this order, and the tree whose formula is right most often.

    Of several such trees it is the one of plainest formula; it is counted on all positions, where its formula equals
    it. There is none if every tree lacks a value at some position. Formulas that are too large to be read become unread
    equations.
    """
    named = [replace(tree, formula=normal_form(tree.formula, samples.names)) for tree in trees]
    readable = [tree for tree in named if is_readable(tree)]
    counted = []
    for tree in readable:
        if (wrong := error_mask(tree.formula, samples)) is not None:
            counted.append(((int(wrong.sum()), *plainness(tree.formula)), tree))
    best = None
    for _, tree in sorted(counted, key=lambda pair: pair[0]):
        try:
            whole, values = count_positions(tree.root, samples), values_of(tree.root, samples)
        except EvaluationError:
            continue
        # a formula is shortened as far as a few positions allow, and may differ from the tree elsewhere
        agrees = is_exact(tree.formula, replace(samples, values=values))
        formula = tree.formula if agrees else normal_form(whole.formula, samples.names)
        best = replace(whole, formula=formula)
        break
    equations: dict[Expr, str] = {}
    for tree in (*([best] if best else []), *readable):
        equations.setdefault(tree.formula, to_line(tree.root))
    unread = dict[str, Unread]()
    for tree in (tree for tree in named if not is_readable(tree)):
        reason = f"its formula has {tree.formula.size} nodes; at most {LARGEST} are proposed"
        line, loss = to_line(tree.root), 1 - tree.root.counts.share
        unread[line] = Unread(line, len(tree.nodes), loss, reason)
    return Proposals(
        formulas=tuple(dict.fromkeys([*(tree.formula for tree in readable), *equations])),
        notes=notes,
        equations=equations,
        unread=tuple(unread.values()),
        tree=best,
    )
