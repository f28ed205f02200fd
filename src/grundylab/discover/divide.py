"""Divide and conquer: decision trees with conditions or terms as leaves, grown by a beam search.

After Alur, Radhakrishna & Udupa, Scaling Enumerative Program Synthesis via Divide and Conquer (TACAS 2017). A leaf must
be right only at the positions to which the splits above lead. One matrix product counts the errors of every leaf on
either side of every split. The conditions at leaves and splits come from a pool: all comparisons of a bank's terms with
few numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import log2
from types import MappingProxyType

import numpy as np

from grundylab.discover.bank import Bank
from grundylab.discover.comparisons import ConditionList, Conditions, predicate_conditions
from grundylab.discover.fingerprints import NONE, distinct_splits, truth_prints, unseen
from grundylab.discover.search_budget import SearchBudget
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, If, negate
from grundylab.numeric import Array

ERROR_WEIGHT = 5.0  # halving the errors is worth so much more cost
PROBES = 250  # leaves with which splits are tested first
LIKELY = 120  # splits that are then tried with all leaves
REGION = 1  # work of a cell of a region's errors
PRODUCT = 1 / 50  # work of a step of a matrix product
SPLITS_KEPT = 12  # splits kept of every region, before the beam chooses
CONSTANTS = range(4)  # numbers with which terms are compared
SMALL = 2500  # cheapest terms for which order comparisons are tried, too
LOOKED_AT = 8  # smallest conditions examined for each one kept, since many behave alike
BLOCK = 1 << 11  # conditions counted at once
RAREST = 16  # greatest weight of a position where the target holds


@dataclass(frozen=True)
class Choices:
    """Choices for splits or for leaves, cheapest first.

    rows: for splits the values of each condition, bool (conditions, positions of the sample). For leaves float32
    (leaves, positions): 0 where the leaf is right, else the position's weight, a whole number. costs: of each choice.
    tree: builds the formula of the choice with a given number.
    """

    rows: Array
    costs: Array
    tree: Callable[[int], Expr] = field(repr=False)


class Pool:
    """All conditions on a bank's terms, and then their negations, with counts of their agreement with a target."""

    def __init__(self, bank: Bank, target: Array) -> None:
        """Build the pool. The target is bool, (positions of the sample,)."""
        every = np.arange(len(bank))
        kinds = [Conditions(bank, "==", every, np.full(len(every), n)) for n in CONSTANTS]
        kinds += [Conditions(bank, "<", every, np.full(len(every), n)).at(slice(SMALL)) for n in CONSTANTS]
        kinds += predicate_conditions(bank, every)
        self._target, sides = target, np.stack([target, ~target], axis=1)
        weights = sides.astype(np.float32)
        blocks, counts, costs = [], [], []
        for kind in kinds:
            parts = [kind.at(slice(n, n + BLOCK)).holds() for n in range(0, len(kind), BLOCK)]
            held = np.concatenate([np.zeros((0, 2)), *(part.astype(np.float32) @ weights for part in parts)])
            varied = np.flatnonzero((held.sum(axis=1) > 0) & (held.sum(axis=1) < len(target)))
            blocks.append(kind.at(varied))
            counts.append(held[varied])
            # x - y == 0 and the like can be shorter as comparisons of two terms, x == y
            number = int(kind.beside[0]) if len(kind) else 0
            shorter = {("==", 0): "-^", ("<", 0): "-", ("<", 1): "-"}.get((kind.kind, number), "")
            costs.append(blocks[-1].costs - 2 * bank.rooted(*shorter)[blocks[-1].rows])
        self._listed = ConditionList(blocks)
        terms, paid = np.concatenate([block.rows for block in blocks]), np.concatenate(costs)
        self._terms, self._costs = np.tile(terms, 2), np.tile(paid, 2)
        held = np.concatenate(counts)
        # the share of each side at which a condition holds
        self._recall, self._spill = np.concatenate([held, sides.sum(axis=0) - held]).T / np.maximum(
            sides.sum(axis=0), 1
        ).reshape(2, 1)

    def leaves(self, most: int) -> Choices:
        """Return leaves for a tree, about as many as ``most``: True, False, and conditions.

        The conditions are cheap, or agree best with the target, or are seldom true where the target is false.
        """
        few = np.lexsort((self._terms, self._costs))[: most // 4]
        informed = np.argsort(self._spill - self._recall, kind="stable")[: most // 2]
        purity = self._recall**2 / np.maximum(self._recall + self._spill, 1e-9)
        pure = np.argsort(-purity, kind="stable")[: most // 2]
        chosen = self._distinct(np.unique(np.concatenate([few, informed, pure])))
        always = np.ones((1, len(self._target)), dtype=bool)
        holding = max(int(self._target.sum()), 1)
        rarity = np.clip((len(self._target) - holding) // holding, 1, RAREST)
        weights = np.where(self._target, rarity, 1).astype(np.float32)
        return Choices(
            (np.concatenate([always, ~always, chosen.rows]) != self._target) * weights,
            np.concatenate([[1, 1], chosen.costs]),
            lambda n: (TRUE, FALSE)[n] if n < 2 else chosen.tree(n - 2),
        )

    def guards(self, most: int) -> Choices:
        """Return at most so many conditions to split by: the cheapest ones, and a few that are closest to the target.

        Of a condition and its negation only one is included.
        """
        half = len(self._costs) // 2
        plain = np.argsort(self._costs[:half], kind="stable")
        balance = np.abs(self._recall - self._spill)
        alike = np.argsort(-balance, kind="stable")[: most // 5]
        return self._distinct(np.concatenate([plain[: most * LOOKED_AT], alike]), splits=most)

    def _distinct(self, chosen: Array, splits: int = 0) -> Choices:
        """Return these conditions, cheapest first; of those that agree on the sample only the cheapest.

        splits: if not 0, return at most so many, and of a condition and its negation only one.
        """
        half = max(len(self._costs) // 2, 1)
        chosen = chosen[np.lexsort((chosen // half, chosen % half, self._costs[chosen]))]
        rows = self._listed.at(chosen % half) ^ (chosen >= half)[:, None]
        first = distinct_splits(rows)[:splits] if splits else unseen(truth_prints(rows), NONE)
        numbers = chosen[first]

        def tree(n: int) -> Expr:
            formula = self._listed.formula(int(numbers[n] % half)).tree()
            return formula if numbers[n] < half else negate(formula)

        return Choices(rows[first], self._costs[numbers], tree)


def terms_as_leaves(bank: Bank, target: Array, most: int) -> Choices:
    """Return at most ``most`` terms as leaves: the cheapest, and those that most often equal the target."""
    right = bank.values == target
    few = np.argsort(bank.costs, kind="stable")[: most // 4]
    best = np.argsort(-right.sum(axis=1), kind="stable")[: most * 3 // 4]
    chosen = np.unique(np.concatenate([few, best]))  # cheapest first, as in the bank
    wrong = (~right[chosen]).astype(np.float32)
    return Choices(wrong, bank.costs[chosen], lambda number: bank.expr(int(chosen[number])))


@dataclass(frozen=True)
class Region:
    """A leaf of a partition: a mask of positions, the number of the leaf chosen for them, and its weighted errors."""

    mask: Array = field(repr=False, compare=False)
    leaf: int
    errors: int


@dataclass(frozen=True)
class GuardSplit:
    """A split of positions into ``yes``, where the condition with the number ``guard`` holds, and ``no`` elsewhere."""

    guard: int
    yes: PartitionNode
    no: PartitionNode


PartitionNode = Region | GuardSplit


@dataclass(frozen=True)
class Partition:
    """A tree of splits and regions, with its errors on the sample and its cost."""

    root: PartitionNode
    errors: int
    cost: int

    @property
    def score(self) -> float:
        """Cost and errors on one scale; the beam search minimises it."""
        return self.cost + ERROR_WEIGHT * log2(1 + self.errors)


class Divider:
    """Beam search for trees of splits and leaves on one sample."""

    def __init__(self, leaves: Choices, guards: Choices, work: SearchBudget) -> None:
        """Prepare the search; it ends early when the work is used up."""
        self._leaves = leaves
        self._guards = guards
        self._sides = guards.rows.T.astype(np.float32)
        self._work = work
        # the best splits of a region: guard, leaf and errors where it holds, leaf and errors elsewhere
        self._known: dict[bytes, list[tuple[int, ...]]] = {}

    def grow(self, beam: int, depth: int) -> list[Partition]:
        """Return partitions with at most ``depth`` splits: exact ones, cheapest first, then others by score.

        beam: the number of partitions that are split further at each depth.
        """
        wrong = self._leaves.rows.sum(axis=1)
        leaf = int(np.argmin(wrong))
        whole = Region(np.ones(self._leaves.rows.shape[1], dtype=bool), leaf, int(wrong[leaf]))
        start = Partition(whole, whole.errors, int(self._leaves.costs[leaf]))
        exact, partial, current = [], [start], [start]
        if start.errors == 0:
            return [start]
        for _ in range(depth):
            children: dict[object, Partition] = {}
            for partition in current:
                if self._work.over:
                    break
                for child in self._children(partition):
                    same = tuple((region.leaf, region.mask.tobytes()) for region in regions(child.root))
                    children.setdefault(same, child)
            ordered = sorted(children.values(), key=lambda p: (p.score, p.cost))
            exact += [child for child in ordered if child.errors == 0][: 2 * beam]
            current = [child for child in ordered if child.errors][:beam]
            partial += current
            if not current or self._work.over:
                break
            if exact and min(p.cost for p in exact) <= min(p.cost for p in current) + 4:
                break
        return sorted(exact, key=lambda p: p.cost) + sorted(partial, key=lambda p: p.score)

    def tree(self, node: PartitionNode, better: Mapping[bytes, Expr] = MappingProxyType({})) -> Expr:
        """Return the node as a formula.

        better: formulas that replace the leaves of some regions; the key is ``region.mask.tobytes()``.
        """
        if isinstance(node, Region):
            return better.get(node.mask.tobytes()) or self._leaves.tree(node.leaf)
        return If(self._guards.tree(node.guard), self.tree(node.yes, better), self.tree(node.no, better))

    def _children(self, partition: Partition) -> Iterator[Partition]:
        """Yield the partitions in which one of the best splits divides the region with the most errors."""
        worst = max(regions(partition.root), key=lambda region: region.errors)
        key = worst.mask.tobytes()
        if key not in self._known:
            rows = np.flatnonzero(worst.mask)
            self._work.spend(REGION * self._leaves.rows.size)
            wrong = self._leaves.rows if len(rows) == len(worst.mask) else self._leaves.rows[:, rows]
            held = self._sides[rows].sum(axis=0)
            real = np.flatnonzero((held > 0) & (held < len(rows)))
            probes = np.sort(np.argsort(wrong.sum(axis=1), kind="stable")[:PROBES])
            score, *_ = self._scored(wrong[probes], probes, rows, real)
            likely = np.sort(real[np.argsort(score, kind="stable")[:LIKELY]])
            score, *sides = self._scored(wrong, np.arange(len(wrong)), rows, likely)
            best = np.argsort(score, kind="stable")[:SPLITS_KEPT]
            self._known[key] = list(
                zip(*(map(int, column[best]) for column in (likely, *sides)), strict=True)
            )
        for guard, yes, yes_errors, no, no_errors in self._known[key]:
            side = self._guards.rows[guard]
            split = GuardSplit(
                guard, Region(worst.mask & side, yes, yes_errors), Region(worst.mask & ~side, no, no_errors)
            )
            costs = self._leaves.costs
            cost = partition.cost - costs[worst.leaf] + costs[yes] + costs[no] + 1 + self._guards.costs[guard]
            errors = partition.errors - worst.errors + yes_errors + no_errors
            yield Partition(_replace(partition.root, worst, split), int(errors), int(cost))

    def _scored(self, wrong: Array, leaves: Array, rows: Array, guards: Array) -> tuple[Array, ...]:
        """Return for each guard its score, the best leaf and that leaf's errors where it holds, and the same elsewhere.

        wrong: the errors of the leaves at the positions ``rows`` of a region.
        """
        self._work.spend(PRODUCT * len(wrong) * len(rows) * len(guards))
        inside = wrong @ self._sides[np.ix_(rows, guards)]
        outside = wrong.sum(axis=1)[:, None] - inside
        # argmin takes the first among equals: the smallest leaf
        yes, no = inside.argmin(axis=0), outside.argmin(axis=0)
        numbers = np.arange(len(guards))
        yes_errors, no_errors = inside[yes, numbers], outside[no, numbers]
        yes, no = leaves[yes], leaves[no]
        cost = self._guards.costs[guards] + self._leaves.costs[yes] + self._leaves.costs[no]
        return cost + ERROR_WEIGHT * np.log2(1 + yes_errors + no_errors), yes, yes_errors, no, no_errors


def regions(node: PartitionNode) -> Iterator[Region]:
    """Yield the regions of a tree, from left to right."""
    if isinstance(node, Region):
        yield node
    else:
        yield from regions(node.yes)
        yield from regions(node.no)


def _replace(node: PartitionNode, old: Region, new: GuardSplit) -> PartitionNode:
    if node is old:
        return new
    if isinstance(node, Region):
        return node
    return GuardSplit(node.guard, _replace(node.yes, old, new), _replace(node.no, old, new))
