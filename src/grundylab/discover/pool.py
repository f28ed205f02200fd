"""What the leaves and the splits of a formula are made of: simple conditions on terms."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from grundylab.discover.bank import Bank
from grundylab.discover.base import Array
from grundylab.discover.fingerprints import truth_prints
from grundylab.discover.rewriting import relation
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, TRUE, Call, Not

CONSTANTS = (0, 1, 2, 3)
SMALL = 2500  # of so many of the cheapest terms the order comparisons are tried too
LOOKED_AT = 8  # times as many of the smallest, many of which behave alike
# The sorts of condition, the nicest first among those of one cost.
TRUTH, EQUAL, LESS, POWER = range(4)


@dataclass(frozen=True)
class Atoms:
    """Conditions. rows: bool (conditions, positions of the sample); costs: what each costs; cheapest first."""

    rows: Array
    costs: Array
    keys: Array = field(repr=False)  # int64 (conditions, 4): sort, term, constant, whether negated
    terms: Bank = field(repr=False)

    def expr(self, index: int) -> Expr:
        """The condition as a tree."""
        sort, term, constant, negated = (int(part) for part in self.keys[index])
        if sort == TRUTH:
            return FALSE if negated else TRUE
        tree = self.terms.expr(term)
        if sort == POWER:
            power = Call("is_power_of_two", (tree,))
            return Not(power) if negated else power
        if sort == EQUAL:
            return relation("!=" if negated else "==", tree, constant)
        return relation(">=" if negated else "<", tree, constant)


@dataclass(frozen=True, repr=False)
class Pool:
    """All conditions on the terms, positive and negated, held against a target: what leaves and splits are chosen from.

    keys, costs: as in ``Atoms``. hits, false_hits: at how many positions each holds where the target does, or does not.
    holds, fails: at how many positions of the sample the target does.
    """

    terms: Bank
    keys: Array
    costs: Array
    hits: Array
    false_hits: Array
    holds: int
    fails: int


def leaves(pool: Pool, most: int) -> Atoms:
    """The conditions most like the target or a part of it, and the smallest ones; True and False."""
    recall, spill = pool.hits / max(pool.holds, 1), pool.false_hits / max(pool.fails, 1)
    few = np.lexsort((pool.keys[:, 1], pool.costs))[: most // 4]
    informed = np.argsort(-(recall - spill), kind="stable")[: most // 2]
    purity = recall * recall / np.maximum(recall + spill, 1e-9)
    pure = np.argsort(-purity, kind="stable")[: most // 2]
    return _distinct(pool, np.unique(np.concatenate([few, informed, pure])))


def guards(pool: Pool, most: int) -> Atoms:
    """Conditions to split by: the smallest, and the few most like the target.

    Of a condition and its opposite only one is there.
    """
    plain = np.flatnonzero(pool.keys[:, 3] == 0)
    plain = plain[np.lexsort((pool.keys[plain, 1], pool.keys[plain, 0], pool.costs[plain]))]
    balance = np.abs(pool.hits / max(pool.holds, 1) - pool.false_hits / max(pool.fails, 1))
    alike = np.argsort(-balance, kind="stable")[: most // 5]
    return _distinct(pool, np.concatenate([plain[: most * LOOKED_AT], alike]), splits=most)


def pooled(terms: Bank, target: Array) -> Pool:
    """All conditions on the terms. target: bool (positions of the sample,)."""
    positive, negative = int(target.sum()), int((~target).sum())
    order = np.argsort(~target, kind="stable")
    values = np.ascontiguousarray(terms.values[:, order], dtype=np.int32)
    difference = terms.rooted("-")
    either = difference | terms.rooted("^")
    count = np.arange(len(terms))
    parts: list[tuple[Array, ...]] = [
        (np.array([[TRUTH, 0, 0, 0]]), np.array([1]), np.array([positive]), np.array([negative]))
    ]
    for constant in CONSTANTS:
        short = (constant == 0) & either
        paid = terms.costs + np.where(short, 0, 2)
        parts.append(_count(EQUAL, constant, values == constant, positive, count, paid))
        few = slice(0, SMALL)
        short = (constant <= 1) & difference[few]
        paid = terms.costs[few] + np.where(short, 0, 2)
        parts.append(_count(LESS, constant, values[few] < constant, positive, count[few], paid))
    powers = (values.max(axis=1, keepdims=True) > 3) & (values > 0) & (values & (values - 1) == 0)
    parts.append(_count(POWER, 0, powers, positive, count, terms.costs + 1))
    keys, costs, hits, false_hits = map(np.concatenate, zip(*parts, strict=True))
    opposite = keys.copy()
    opposite[:, 3] = 1
    return Pool(
        terms,
        np.concatenate([keys, opposite]),
        np.concatenate([costs, costs + (keys[:, 0] == POWER)]),
        np.concatenate([hits, positive - hits]),
        np.concatenate([false_hits, negative - false_hits]),
        positive,
        negative,
    )


def _count(
    sort: int, constant: int, truth: Array, positive: int, index: Array, paid: Array
) -> tuple[Array, ...]:
    """The keys, costs, hits and false hits of those that are not the same everywhere."""
    hits, false_hits = truth[:, :positive].sum(axis=1), truth[:, positive:].sum(axis=1)
    keys = np.stack(
        [np.full(len(index), sort), index, np.full(len(index), constant), np.zeros(len(index), int)], 1
    )
    # True or False everywhere is one of the two constants
    some = np.flatnonzero((hits + false_hits > 0) & (hits + false_hits < truth.shape[1]))
    return keys[some], paid[some], hits[some], false_hits[some]


def _distinct(pool: Pool, chosen: Array, splits: int = 0) -> Atoms:
    """The smallest condition of every behaviour, smallest first; if ``splits``, as many, and no opposites."""
    keys, costs = pool.keys[chosen], pool.costs[chosen]
    order = np.lexsort((keys[:, 3], keys[:, 1], keys[:, 0], costs))
    keys, costs = keys[order], costs[order]
    rows = _rows(keys, pool.terms.values)
    compared = rows ^ rows[:, :1] if splits else rows
    _, first = np.unique(truth_prints(compared), return_index=True)
    first = np.sort(first)
    if splits:  # a split by a constant is none
        first = first[compared[first].any(axis=1)][:splits]
    return Atoms(rows[first], costs[first], keys[first], pool.terms)


def _rows(keys: Array, values: Array) -> Array:
    rows = np.empty((len(keys), values.shape[1]), dtype=bool)
    for sort in (TRUTH, EQUAL, LESS, POWER):
        at = np.flatnonzero(keys[:, 0] == sort)
        terms, constants = values[keys[at, 1]], keys[at, 2, None]
        if sort == TRUTH:
            rows[at] = True
        elif sort == EQUAL:
            rows[at] = terms == constants
        elif sort == LESS:
            rows[at] = terms < constants
        else:
            rows[at] = (terms > 0) & (terms & (terms - 1) == 0)
    return np.asarray(rows ^ (keys[:, 3:] == 1))
