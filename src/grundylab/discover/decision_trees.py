"""Decision trees: nodes with counts of positions, the trees as text, and the formulas read from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from grundylab.check.samples import Samples
from grundylab.check.shares import percent
from grundylab.discover.rewriting import simplify
from grundylab.language import Expr, Kind
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import FALSE, TRUE, Compare, If, Int, compare, conjunction, disjunction, negate
from grundylab.numeric import Array

SHOWN = 4  # most labels of a node that are listed with their counts

Span = tuple[int, int]  # the least and the greatest value
Intervals = Mapping[Expr, tuple[int | None, int | None]]  # by feature: its bounds, None if there is none


@dataclass(frozen=True)
class Counts:
    """Counts of the positions at a node.

    positions: the number of all positions. right: the number of those at which the tree has the target's value.
    by_label: for each label of the tree, in order, the number of positions counted for it. A position counts for one
    label that has the target's value there: the label of its leaf if possible, else the first such label.
    """

    positions: int = 0
    right: int = 0
    by_label: tuple[int, ...] = ()

    def __add__(self, other: Counts) -> Counts:
        by_label = (a + b for a, b in zip(self.by_label, other.by_label, strict=True))
        return Counts(self.positions + other.positions, self.right + other.right, tuple(by_label))

    @property
    def share(self) -> float:
        """The share of the node's positions at which the tree is right, from 0 to 1; 1 if there are none."""
        return self.right / self.positions if self.positions else 1.0

    @property
    def others(self) -> int:
        """The number of positions at which no label has the target's value."""
        return self.positions - sum(self.by_label)


@dataclass(frozen=True)
class Leaf:
    """A leaf; its label is the value at its positions: True, False, or an expression for a number."""

    label: Expr
    counts: Counts = Counts()


@dataclass(frozen=True)
class Split:
    """An inner node. Positions with ``feature <= threshold`` go to ``low``, the others to ``high``.

    feature: an expression for a number, or a condition, whose values count as 0 and 1 and whose threshold is 0. span:
    the least and the greatest value of the feature at all positions of the tree.
    """

    feature: Expr
    threshold: int
    low: TreeNode
    high: TreeNode
    span: Span = (0, 0)
    counts: Counts = Counts()

    @property
    def is_condition(self) -> bool:
        """True if the feature is a condition, which is then false in ``low`` and true in ``high``."""
        return self.feature.kind is Kind.CONDITION

    @property
    def conditions(self) -> tuple[Expr, Expr]:
        """The conditions under which a position goes to ``low`` and to ``high``."""
        if self.is_condition:
            return negate(self.feature), self.feature
        least = Int(self.threshold)
        return compare("<=", self.feature, least), compare(">", self.feature, least)


TreeNode = Leaf | Split


@dataclass(frozen=True)
class Tree:
    """A decision tree, counted on the training positions, and the formula read from it.

    labels: the different labels of its leaves; for a condition always False and True. where: the condition of the
    positions that the tree concerns.
    """

    root: TreeNode
    labels: tuple[Expr, ...]
    formula: Expr
    where: Expr = TRUE

    @property
    def nodes(self) -> tuple[TreeNode, ...]:
        """All nodes in preorder, ``low`` before ``high``."""
        return tuple(_below(self.root))

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """The leaves, in the same order."""
        return tuple(node for node in self.nodes if isinstance(node, Leaf))


def _below(node: TreeNode) -> Iterator[TreeNode]:
    yield node
    if isinstance(node, Split):
        yield from _below(node.low)
        yield from _below(node.high)


# -- counting ----------------------------------------------------------------------------------------------------


def count_positions(root: TreeNode, samples: Samples) -> Tree:
    """Return the tree with this root, the positions of the samples counted at its nodes, and its formula.

    Counts that the nodes have already are discarded. Raises EvaluationError if a feature has no value at some position.
    """
    labels = tuple(dict.fromkeys(node.label for node in _below(root) if isinstance(node, Leaf)))
    if samples.values.dtype == bool:
        labels = (FALSE, TRUE)
    counted = _Counter(samples, labels).count(root, np.arange(len(samples)))
    return Tree(counted, labels, read_formula(counted))


def values_of(root: TreeNode, samples: Samples) -> Array:
    """Return the tree's value at each position. Raise EvaluationError if a feature has no value at some position."""
    if isinstance(root, Leaf):
        return _values(root.label, samples)
    low = _values(root.feature, samples) <= root.threshold
    return np.where(low, values_of(root.low, samples), values_of(root.high, samples))


def _values(expr: Expr, samples: Samples) -> Array:
    return np.broadcast_to(evaluate_arrays(expr, samples.columns, samples.functions), len(samples))


@dataclass
class _Counter:
    samples: Samples
    labels: tuple[Expr, ...]
    evaluated: dict[Expr, Array] = field(default_factory=dict)  # expressions at all positions

    def count(self, node: TreeNode, rows: Array) -> TreeNode:
        """Return a copy of the node and its descendants in which these positions are counted."""
        if isinstance(node, Leaf):
            left, by_label = np.ones(len(rows), dtype=bool), dict.fromkeys(self.labels, 0)
            for label in (node.label, *self.labels):
                fits = left & (self._evaluate(label)[rows] == self.samples.values[rows])
                by_label[label] += int(fits.sum())
                left &= ~fits
            return replace(node, counts=Counts(len(rows), by_label[node.label], tuple(by_label.values())))
        values = self._evaluate(node.feature)
        low = values[rows] <= node.threshold
        below = self.count(node.low, rows[low]), self.count(node.high, rows[~low])
        span = (int(values.min()), int(values.max()))
        return Split(node.feature, node.threshold, *below, span, below[0].counts + below[1].counts)

    def _evaluate(self, expr: Expr) -> Array:
        if expr not in self.evaluated:
            self.evaluated[expr] = _values(expr, self.samples)
        return self.evaluated[expr]


# -- the formula -------------------------------------------------------------------------------------------------


def read_formula(root: TreeNode) -> Expr:
    """Return the smallest formula with the tree's value at every position on which the tree was counted.

    It is the smallest of several forms: nested conditionals, and for a condition also the disjunction of the paths to
    True, and the negated disjunction of the paths to False.
    """
    nested = simplify(_nested(root))
    if nested.kind is Kind.NUMBER:
        return nested
    paths = simplify(disjunction(*_paths(root, TRUE)))
    opposite = simplify(negate(simplify(disjunction(*_paths(root, FALSE)))))
    return min(nested, paths, opposite, key=lambda e: (e.size, str(e)))


def _nested(node: TreeNode) -> Expr:
    if isinstance(node, Leaf):
        return node.label
    test = _within(node.feature, node.span, None, node.threshold)
    return If(test, _nested(node.low), _nested(node.high))


def _paths(root: TreeNode, label: Expr) -> Iterator[Expr]:
    """Yield for each leaf with this label the condition that leads to it: an interval for each feature on the way."""
    spans = {node.feature: node.span for node in _below(root) if isinstance(node, Split)}
    for intervals in _intervals(root, label, MappingProxyType({})):
        yield conjunction(*(_within(f, spans[f], low, high) for f, (low, high) in intervals.items()))


def _intervals(node: TreeNode, label: Expr, intervals: Intervals) -> Iterator[Intervals]:
    if isinstance(node, Leaf):
        if node.label == label:
            yield intervals
        return
    low, high = intervals.get(node.feature, (None, None))
    yield from _intervals(node.low, label, {**intervals, node.feature: (low, node.threshold)})
    yield from _intervals(node.high, label, {**intervals, node.feature: (node.threshold + 1, high)})


def _within(feature: Expr, span: Span, low: int | None, high: int | None) -> Expr:
    """Return ``low <= feature <= high`` without bounds that all values in ``span`` meet; None stands for no bound."""
    least, most = span
    low = None if low is None or low <= least else low
    high = None if high is None or high >= most else high
    if feature.kind is Kind.CONDITION:
        return feature if low == 1 else negate(feature) if high == 0 else TRUE
    if least == 0 and (low, high) == (None, 0):
        return compare("==", feature, Int(0))
    if least == 0 and (low, high) == (1, None):
        return compare("==", feature, Int(1)) if most == 1 else compare("!=", feature, Int(0))
    if low is not None and high is not None:
        if low == high:
            return compare("==", feature, Int(low))
        return Compare(("<=", "<="), (Int(low), feature, Int(high)))
    if low is not None:
        return compare(">=", feature, Int(low))
    return TRUE if high is None else compare("<=", feature, Int(high))


# -- text --------------------------------------------------------------------------------------------------------


def to_text(tree: Tree) -> str:
    """Return the tree as text: a line for each branch, with its condition and counts; at the end the formula."""
    about = "" if tree.where == TRUE else f"where {tree.where}: "
    head = f"{about}{_positions(tree.root.counts)}; {labels_text(tree, tree.root)}"
    return "\n".join([head, *_lines(tree, tree.root, ""), "", f"formula: {tree.formula}", ""])


def _lines(tree: Tree, node: TreeNode, indent: str) -> Iterator[str]:
    if isinstance(node, Leaf):
        yield f"{indent}|--- {node.label}"
        return
    for condition, side in zip(node.conditions, (node.low, node.high), strict=True):
        yield f"{indent}|--- {condition}: {_positions(side.counts)}; {labels_text(tree, side)}"
        yield from _lines(tree, side, f"{indent}|   ")


def _positions(counts: Counts) -> str:
    """Return the counts as text: ``100 positions, right at 97 (97 %)``."""
    noun = "position" if counts.positions == 1 else "positions"
    return f"{counts.positions:,} {noun}, right at {counts.right:,} ({percent(counts.share)})"


def labels_text(tree: Tree, node: TreeNode) -> str:
    """Return the most frequent labels of the node's positions, and the number of others: ``False: 90, True: 10``."""
    counted = zip(tree.labels, node.counts.by_label, strict=True)
    ordered = sorted(((count, label) for label, count in counted if count), key=lambda pair: -pair[0])
    others = node.counts.positions - sum(count for count, _ in ordered[:SHOWN])
    words = [f"{label}: {count:,}" for count, label in ordered[:SHOWN]]
    return ", ".join([*words, *([f"others: {others:,}"] if others else [])]) or "none"


def to_line(node: TreeNode) -> str:
    """Return the tree in one line: ``[x ^ y <= 0: True; else: False]``."""
    if isinstance(node, Leaf):
        return str(node.label)
    return f"[{node.conditions[0]}: {to_line(node.low)}; else: {to_line(node.high)}]"
