"""Conditions made of a bank's terms: those that are the target, and those that hold wherever it does.

Constants are computed: a threshold is the least or the greatest value where the target holds, a modulus divides what
values there differ by. With all terms that cost up to n these are all conditions that cost up to n + 2, but those of
chained comparisons, and many dearer ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np

from grundylab.discover.bank import Bank
from grundylab.discover.base import Array
from grundylab.discover.cost import PREDICATE, of_digits
from grundylab.discover.fingerprints import unseen
from grundylab.discover.rewriting import negate
from grundylab.discover.scatter import scattered
from grundylab.discover.work import Work
from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import Binary, Call, Expr, Int, compare, conjunction

MODULI = range(2, 65)
SCREENED = 16  # positions at which pairs are compared first
PAIRS = 1 << 17  # compared at once
MOST = 60  # conditions of one kind
JOINED = 4_000  # conditions of which every two are joined by ``and``
GROUP = 200  # of the smallest terms that agree where the target holds, every two are tried
WORK = 2  # what a cell that is compared counts
PREDICATES = tuple(name for name, row in BUILTINS.items() if row.condition)

_OPERATORS: Mapping[str, Callable[[Array, Array], Array]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@dataclass(frozen=True)
class Condition:
    """A condition that costs so much; ``tree`` makes it, since most are never looked at."""

    cost: int
    tree: Callable[[], Expr]


class Terms(Protocol):
    """Numbers to compare with others: a bank, or what is like one."""

    @property
    def values(self) -> Array:
        """int64 (terms, positions)."""

    @property
    def costs(self) -> Array:
        """int64 (terms,)."""

    def expr(self, number: int, /) -> Expr:
        """A term as a tree."""


def exact(bank: Bank, target: Array, work: Work, beside: Sequence[Terms] = ()) -> Iterator[Condition]:
    """Conditions that are the target on the sample; and, the other way round, those that are its opposite.

    beside: other terms, which are compared with numbers only.
    """
    for wanted, turned in ((target, False), (~target, True)):
        found = _exact(bank, wanted, work, turned)
        for condition in chain(found, *(of_one(terms, wanted) for terms in beside)):
            yield Condition(condition.cost, _opposite(condition.tree)) if turned else condition


def _opposite(tree: Callable[[], Expr]) -> Callable[[], Expr]:
    return lambda: negate(tree())


def _exact(bank: Bank, target: Array, work: Work, turned: bool) -> Iterator[Condition]:
    work.spend(WORK * 10 * bank.values.size)
    yield from of_one(bank, target)
    if not turned:  # every comparison of two is looked at with its opposite
        yield from _of_two(bank, target, work)
    yield from _equations(bank, target, work)
    yield from _conjunctions(bank, target, work)


# -- of one term and constants ---------------------------------------------------------------------------------


def of_one(bank: Terms, target: Array) -> Iterator[Condition]:
    """A term compared with a number, its remainder, or a function that says yes or no."""
    inside, outside = bank.values[:, target], bank.values[:, ~target]
    low, high = inside.min(axis=1), inside.max(axis=1)
    for n in np.flatnonzero(outside.min(axis=1) > high)[:MOST]:
        yield _compared(bank, int(n), "<=", int(high[n]))
    for n in np.flatnonzero(outside.max(axis=1) < low)[:MOST]:
        yield _compared(bank, int(n), ">=", int(low[n]))
    for n in np.flatnonzero((low == high) & (outside != low[:, None]).all(axis=1))[:MOST]:
        yield _compared(bank, int(n), "==", int(low[n]))
    yield from _remainders(bank, inside, outside)
    for name in PREDICATES:
        for n in np.flatnonzero((_truth(name, bank.values) == target).all(axis=1))[:MOST]:
            yield _predicate(bank, int(n), name)


def _truth(name: str, values: Array) -> Array:
    row = BUILTINS[name]
    assert row.array is not None
    return np.asarray(row.array(values)).astype(bool)


def _predicate(bank: Terms, term: int, name: str) -> Condition:
    return Condition(int(bank.costs[term]) + PREDICATE, lambda: Call(name, (bank.expr(term),)))


def _compared(bank: Terms, term: int, op: str, value: int) -> Condition:
    paid = int(bank.costs[term]) + 2 + of_digits(value)
    return Condition(paid, lambda: compare(op, bank.expr(term), Int(value)))


def _remainder(bank: Terms, term: int, by: int, rest: int) -> Condition:
    return Condition(
        int(bank.costs[term]) + 4, lambda: compare("==", Binary("%", bank.expr(term), Int(by)), Int(rest))
    )


def _remainders(bank: Terms, inside: Array, outside: Array) -> Iterator[Condition]:
    """Of terms whose values where the target holds differ by multiples of a number, and no others do."""
    common = np.gcd.reduce(inside - inside[:, :1], axis=1)
    for by in MODULI:
        some = np.flatnonzero((common > 0) & (common % by == 0))
        rest = inside[some, 0] % by
        clear = (outside[some] % by != rest[:, None]).all(axis=1)
        for n, r in zip(some[clear][:MOST], rest[clear][:MOST], strict=True):
            yield _remainder(bank, int(n), by, int(r))


# -- of two terms ----------------------------------------------------------------------------------------------


def _of_two(bank: Bank, target: Array, work: Work) -> Iterator[Condition]:
    """All comparisons of two terms that cost together one more than the bank's dearest terms at most."""
    some = scattered(np.arange(len(target)))[:SCREENED]
    few, wanted = np.ascontiguousarray(bank.values[:, some]), target[some]
    for first in range(1, bank.most + 1):
        for second in range(1, min(first, bank.most + 1 - first) + 1):
            left, right = bank.of_cost(first), bank.of_cost(second)
            right = right[~bank.constant(right)]
            step = max(PAIRS // max(len(right), 1), 1)
            for start in range(0, len(left) if len(right) else 0, step):
                i = np.repeat(left[start : start + step], len(right))
                j = np.tile(right, len(i) // len(right))
                work.spend(WORK * i.size * SCREENED)
                if work.over:
                    return
                yield from _pairs(bank, few, wanted, i, j, target)


def _pairs(bank: Bank, few: Array, wanted: Array, i: Array, j: Array, target: Array) -> Iterator[Condition]:
    a, b = few[i], few[j]
    for op, compared in _OPERATORS.items():
        some = np.flatnonzero((compared(a, b) == wanted).all(axis=1))
        whole = compared(bank.values[i[some]], bank.values[j[some]])
        for n in some[(whole == target).all(axis=1)][:MOST]:
            yield _related(bank, op, int(i[n]), int(j[n]))


def _related(bank: Bank, op: str, one: int, other: int) -> Condition:
    paid = int(bank.costs[one] + bank.costs[other]) + 1
    return Condition(paid, lambda: compare(op, bank.expr(one), bank.expr(other)))


def _equations(bank: Bank, target: Array, work: Work) -> Iterator[Condition]:
    """Equations of two terms of any cost: both have the same values wherever the target holds."""
    holds, fails = bank.values[:, target], bank.values[:, ~target]
    work.spend(WORK * bank.values.size)
    prints = bank.prints(np.ascontiguousarray(holds), target)
    order = np.argsort(prints, kind="stable")  # and so by cost
    edges = np.flatnonzero(np.diff(prints[order])) + 1
    found = 0
    for group in sorted((g for g in np.split(order, edges) if len(g) > 1), key=lambda g: int(g[0] + g[1])):
        few = group[:GROUP]
        for place, one in enumerate(few[:-1]):
            others = few[place + 1 :]
            work.spend(WORK * len(others) * fails.shape[1])
            for other in others[(fails[others] != fails[one]).all(axis=1)][:2]:
                yield _related(bank, "==", int(one), int(other))
                found += 1
        if work.over or found > MOST:
            return


# -- of two conditions -----------------------------------------------------------------------------------------


def _conjunctions(bank: Bank, target: Array, work: Work) -> Iterator[Condition]:
    """Two conditions joined by ``and``: each holds wherever the target does, and both nowhere else."""
    around = list(_around(bank, target, work))
    around.sort(key=lambda found: found[0].cost)
    rows = np.array([beyond for _, beyond in around], dtype=bool).reshape(len(around), -1)
    if not rows.shape[1] or not len(rows):
        return
    first = unseen(bank.prints(rows.astype(np.int64), ~target), np.empty(0, dtype=np.int64))[:JOINED]
    work.spend(len(first) ** 2 * rows.shape[1] / 50)
    beyond = rows[first].astype(np.float32)
    one, other = np.nonzero(np.triu(beyond @ beyond.T == 0, 1))
    paid = np.array([around[n][0].cost for n in first])
    together = paid[one] + paid[other] + 1
    for n in np.argsort(together, kind="stable")[:MOST]:
        a, b = around[first[one[n]]][0].tree, around[first[other[n]]][0].tree
        yield Condition(int(together[n]), _both(a, b))


def _both(a: Callable[[], Expr], b: Callable[[], Expr]) -> Callable[[], Expr]:
    return lambda: conjunction(a(), b())


def _around(bank: Bank, target: Array, work: Work) -> Iterator[tuple[Condition, Array]]:
    """Conditions on small terms that hold wherever the target does, and where else they hold."""
    terms = np.flatnonzero((bank.costs <= max(bank.most - 2, 1)) & ~bank.constant(np.arange(len(bank))))
    inside, outside = bank.values[np.ix_(terms, target)], bank.values[np.ix_(terms, ~target)]
    work.spend(WORK * 20 * inside.size + WORK * 20 * outside.size)
    low, high = inside.min(axis=1), inside.max(axis=1)
    common = np.gcd.reduce(inside - inside[:, :1], axis=1)
    for n, term in enumerate(map(int, terms)):
        yield _compared(bank, term, "<=", int(high[n])), outside[n] <= high[n]
        yield _compared(bank, term, ">=", int(low[n])), outside[n] >= low[n]
        if low[n] == high[n]:
            yield _compared(bank, term, "==", int(low[n])), outside[n] == low[n]
        else:
            for by in (by for by in MODULI if common[n] % by == 0):
                yield (
                    _remainder(bank, term, by, int(inside[n, 0] % by)),
                    outside[n] % by == inside[n, 0] % by,
                )
        for value in np.unique(outside[n]):  # a hole
            if not (inside[n] == value).any():
                yield _compared(bank, term, "!=", int(value)), outside[n] != value
        for name in PREDICATES:
            truth = _truth(name, inside[n : n + 1])
            if truth.all():
                yield _predicate(bank, term, name), _truth(name, outside[n : n + 1])[0]
    small = np.arange(len(terms))[bank.costs[terms] <= max((bank.most + 1) // 2, 1)][:300]
    for n in small:
        for op, compared in _OPERATORS.items():
            others = small[small < n]
            always = compared(inside[n], inside[others]).all(axis=1)
            for m in others[always]:
                yield _related(bank, op, int(terms[n]), int(terms[m])), compared(outside[n], outside[m])


# -- whatever the target is ------------------------------------------------------------------------------------


def small(bank: Bank, most: int, work: Work) -> tuple[list[Condition], Array]:
    """Conditions on small terms, one of each behaviour and its opposite, smallest first; and where each holds."""
    values, found, rows = bank.values, list[Condition](), list[Array]()
    terms = np.flatnonzero(~bank.constant(np.arange(len(bank))) & (bank.costs <= max(bank.most - 2, 1)))
    count = values.shape[1]

    def add(condition: Condition, holds: Array) -> None:
        found.append(condition)
        rows.append(holds)

    for term in map(int, terms):
        row = values[term]
        for value in np.unique(row)[:-1]:
            add(_compared(bank, term, "<=", int(value)), row <= value)
        for value in np.unique(row):
            add(_compared(bank, term, "==", int(value)), row == value)
        for name in PREDICATES:
            add(_predicate(bank, term, name), _truth(name, values[term : term + 1])[0])
        if len(found) > 4 * most:
            break
    some = terms[bank.costs[terms] <= bank.most // 2][:100]
    for n, one in enumerate(map(int, some)):
        for other in map(int, some[:n]):
            for op in ("<", "<=", "=="):
                add(_related(bank, op, one, other), _OPERATORS[op](values[one], values[other]))
    work.spend(WORK * 2 * len(found) * count)
    order = sorted(range(len(found)), key=lambda n: found[n].cost)
    holds = np.array([rows[n] for n in order], dtype=bool).reshape(len(order), count)
    alike = (holds ^ holds[:, :1]).astype(np.int64)  # an opposite only exchanges the branches
    first = unseen(bank.prints(alike), np.empty(0, dtype=np.int64))
    first = first[alike[first].any(axis=1)][:most]
    return [found[order[n]] for n in first], holds[first]
