"""Decision trees from scikit-learn's classifier, and the proposals made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from grundylab.check.samples import Samples
from grundylab.discover.base import Proposals, Unread
from grundylab.discover.decision_trees import Leaf, Split, Tree, TreeNode, count_positions, to_line, values_of
from grundylab.discover.ranking import error_mask
from grundylab.discover.rewriting import normal_form, plainness
from grundylab.errors import EvaluationError
from grundylab.language import Expr
from grundylab.numeric import Array

LARGEST = 80  # nodes of a proposed formula
FITTED = 20  # work of a feature at a position when a tree is fitted


@dataclass(frozen=True)
class Features:
    """Features by which a tree splits: numbers, and conditions as 0 and 1.

    values: (positions, features).
    """

    terms: tuple[Expr, ...]
    values: Array

    def first(self, count: int) -> Features:
        """Return the simplest features, so many of them."""
        return Features(self.terms[:count], self.values[:, :count])

    def at(self, rows: Array) -> Features:
        """Return the features at some positions only."""
        return Features(self.terms, self.values[rows])


def fit_tree(
    features: Features,
    labels: Array,
    expressions: Sequence[Expr],
    leaves: int,
    weights: Array | None = None,
) -> TreeNode:
    """Return the root of a tree with at most so many leaves; its nodes have no counts.

    Of features that part the positions of a node alike the first, hence the simplest, is used. labels: for each
    position the number of one of the expressions. weights: the number of positions that each stands for, for leaves
    with several labels.
    """
    classifier = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0)  # breaks ties
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
            feature, threshold = _first_alike(features, *below) or (feature, threshold)
        sides = node(fitted.children_left[number], below[0]), node(fitted.children_right[number], below[1])
        return Split(features.terms[feature], threshold, *sides)

    return node(0, np.arange(len(labels)))


def _first_alike(features: Features, low: Array, high: Array) -> tuple[int, int] | None:
    """Return the first feature that is less throughout ``low`` than throughout ``high``, and the midpoint."""
    most, least = features.values[low].max(axis=0), features.values[high].min(axis=0)
    alike = np.flatnonzero(most < least)
    return (int(alike[0]), int((most[alike[0]] + least[alike[0]]) // 2)) if len(alike) else None


def is_readable(tree: Tree) -> bool:
    """Tell whether the tree's formula is small enough to be proposed."""
    return tree.formula.size <= LARGEST


def proposals_of(trees: Sequence[Tree], samples: Samples, notes: tuple[str, ...] = ()) -> Proposals:
    """Return the formulas of the trees, in this order, and the best tree counted on all positions."""
    named = [replace(tree, formula=normal_form(tree.formula, samples.names)) for tree in trees]
    readable = [tree for tree in named if is_readable(tree)]
    best = _best(readable, samples)
    equations: dict[Expr, str] = {}
    for tree in (*([best] if best else []), *readable):
        equations.setdefault(tree.formula, to_line(tree.root))
    unread = {to_line(tree.root): tree for tree in named if not is_readable(tree)}
    return Proposals(
        formulas=tuple(dict.fromkeys([*(tree.formula for tree in readable), *equations])),
        notes=notes,
        equations=equations,
        unread=tuple(_unread(line, tree) for line, tree in unread.items()),
        tree=best,
    )


def _unread(line: str, tree: Tree) -> Unread:
    reason = f"its formula has {tree.formula.size} nodes; at most {LARGEST} are proposed"
    return Unread(line, len(tree.nodes), 1 - tree.root.counts.share, reason)


def _best(trees: Sequence[Tree], samples: Samples) -> Tree | None:
    """Return the tree, counted on all positions, whose formula is right at most of them; the plainest among equals."""
    counted = []
    for tree in trees:
        wrong = error_mask(tree.formula, samples)
        if wrong is not None:
            counted.append(((int(wrong.sum()), *plainness(tree.formula)), tree))
    for _, tree in sorted(counted, key=lambda pair: pair[0]):
        if whole := _recount(tree, samples):
            return whole
    return None


def _recount(tree: Tree, samples: Samples) -> Tree | None:
    """Return the tree counted on all positions, with a formula that agrees with it at each; None if a value is missing.

    The formula from few positions may be shorter than all positions allow; if it disagrees, a new one is read off the
    tree.
    """
    try:
        whole, values = count_positions(tree.root, samples), values_of(tree.root, samples)
    except EvaluationError:
        return None
    agreeing = replace(samples, values=values)
    wrong = error_mask(tree.formula, agreeing)
    if wrong is not None and not wrong.any():
        return replace(whole, formula=tree.formula)
    return replace(whole, formula=normal_form(whole.formula, samples.names))
