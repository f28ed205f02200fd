"""Conditions made of a bank's terms: those that are the target, and those that hold wherever it does.

Constants are computed: a threshold is the least or the greatest value where the target holds, a modulus divides what
values there differ by. With all terms that cost up to n these are all conditions that cost up to n + 2, but those of
chained comparisons, and many dearer ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from grundylab.discover.bank import Bank
from grundylab.discover.base import Array
from grundylab.discover.cost import PREDICATE, of_digits
from grundylab.discover.fingerprints import NONE, hashing, prints, truth_prints, unseen
from grundylab.discover.scatter import scattered
from grundylab.discover.work import DISPATCH, Work
from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import Binary, Call, Expr, Int, compare

MODULI = range(2, 65)
SCREENED = 16  # positions at which pairs are compared first
PAIRS = 1 << 17  # compared at once
MOST = 60  # conditions of one kind
GROUP, FIRST = 40, 4  # of the terms that agree where the target holds: every two, and so many with all others
OF_ONE = 6  # equations of one term
WORK = 2  # what a cell that is compared counts
PREDICATES = tuple(name for name, row in BUILTINS.items() if row.condition)

COMPARED: Mapping[str, Callable[[Array, Array], Array]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


Test = Callable[[Array, Array], Array]  # values (terms, positions) and the target there: which terms pass


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


# -- of one term and constants ---------------------------------------------------------------------------------


def of_one(bank: Terms, target: Array, work: Work) -> Iterator[Condition]:
    """A term compared with a number, its remainder, or a function that says yes or no."""
    values = bank.values
    work.spend(WORK * 10 * len(values) * SCREENED)
    rows = scattered(np.arange(len(target)))
    few = np.sort(np.concatenate([rows[target[rows]][:SCREENED], rows[~target[rows]][:SCREENED]]))

    def all_that(test: Test) -> Array:
        return screened(test, values, target, few)[:MOST]

    for n in all_that(lambda v, t: v[:, ~t].min(axis=1) > v[:, t].max(axis=1)):
        yield compared(bank, int(n), "<=", int(values[n, target].max()))
    for n in all_that(lambda v, t: v[:, ~t].max(axis=1) < v[:, t].min(axis=1)):
        yield compared(bank, int(n), ">=", int(values[n, target].min()))
    inside = int(np.argmax(target))
    for n in all_that(lambda v, t: ((v == v[:, t][:, :1]) == t).all(axis=1)):
        yield compared(bank, int(n), "==", int(values[n, inside]))
    same = values[:, few[target[few]]]
    common = np.gcd.reduce(same - same[:, :1], axis=1)
    for by in MODULI:
        terms = np.flatnonzero((common > 0) & (common % by == 0))
        for n in terms[screened(partial(_apart, by), values[terms], target, few)][:MOST]:
            yield remainder(bank, int(n), by, int(values[n, inside] % by))
    for name in PREDICATES:
        for n in all_that(partial(_says, name)):
            yield predicate(bank, int(n), name)


def screened(test: Test, values: Array, target: Array, few: Array) -> Array:
    """The rows of the values that pass the test; it is first made at a few positions."""
    likely = np.flatnonzero(test(values[:, few], target[few]))
    return np.asarray(likely[test(values[likely], target)])


def _apart(by: int, values: Array, target: Array) -> Array:
    """Rows that have one remainder where the target holds, and others elsewhere."""
    rests = values % by
    return np.asarray(((rests == rests[:, target][:, :1]) == target).all(axis=1))


def _says(name: str, values: Array, target: Array) -> Array:
    return np.asarray((truth_of(name, values) == target).all(axis=1))


def truth_of(name: str, values: Array) -> Array:
    """Where a built-in function says yes of the values."""
    row = BUILTINS[name]
    assert row.array is not None
    return np.asarray(row.array(values)).astype(bool)


def predicate(bank: Terms, term: int, name: str) -> Condition:
    """A built-in function that says yes of the term."""
    return Condition(int(bank.costs[term]) + PREDICATE, lambda: Call(name, (bank.expr(term),)))


def compared(bank: Terms, term: int, op: str, value: int) -> Condition:
    """The term compared with a number."""
    paid = int(bank.costs[term]) + 2 + of_digits(value)
    return Condition(paid, lambda: compare(op, bank.expr(term), Int(value)))


def remainder(bank: Terms, term: int, by: int, rest: int) -> Condition:
    """The term has this remainder."""
    return Condition(
        int(bank.costs[term]) + 4, lambda: compare("==", Binary("%", bank.expr(term), Int(by)), Int(rest))
    )


# -- of two terms ----------------------------------------------------------------------------------------------


def of_two(bank: Bank, target: Array, work: Work) -> Iterator[Condition]:
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
    for op, relates in COMPARED.items():
        some = np.flatnonzero((relates(a, b) == wanted).all(axis=1))
        whole = relates(bank.values[i[some]], bank.values[j[some]])
        for n in some[(whole == target).all(axis=1)][:MOST]:
            yield related(bank, op, int(i[n]), int(j[n]))


def related(bank: Terms, op: str, one: int, other: int) -> Condition:
    """Two terms compared."""
    paid = int(bank.costs[one] + bank.costs[other]) + 1
    return Condition(paid, lambda: compare(op, bank.expr(one), bank.expr(other)))


def equations(terms: Terms, target: Array, work: Work) -> list[Condition]:
    """Terms ``t == u`` of any cost that are equal just where the target holds, cheapest first."""
    if not target.any() or target.all():
        return []
    holds, fails = np.ascontiguousarray(terms.values[:, target]), terms.values[:, ~target]
    work.spend(WORK * terms.values.size)
    marks = prints(holds, hashing(holds.shape[1]))
    order = np.lexsort((terms.costs, marks))
    starts = np.flatnonzero(np.concatenate([[True], marks[order][1:] != marks[order][:-1]]))
    groups = [order[a:b] for a, b in zip(starts, [*starts[1:], len(order)], strict=True) if b - a > 1]
    if not groups:
        return []
    one, other = (np.concatenate(side) for side in zip(*map(_of_group, groups), strict=True))
    work.spend(WORK * len(one) * SCREENED)
    differ = _differ(fails, one, other)
    one, other = _first_of_each(one[differ], other[differ])
    cheapest = np.lexsort((other, one, terms.costs[one] + terms.costs[other]))[:MOST]
    return [related(terms, "==", int(one[n]), int(other[n])) for n in cheapest]


def _of_group(group: Array) -> tuple[Array, Array]:
    """Pairs of a group: those of the cheapest terms, and of a few with all others."""
    number, with_ = np.triu_indices(len(group[:GROUP]), 1)
    more = np.arange(GROUP, len(group))
    with_ = np.concatenate([with_, np.tile(more, FIRST if len(more) else 0)])
    number = np.concatenate([number, np.repeat(np.arange(FIRST), len(more))])
    order = np.lexsort((with_, number))
    return group[number[order]], group[with_[order]]


def _differ(fails: Array, one: Array, other: Array) -> Array:
    """Which pairs of terms differ at all of these positions; a few are looked at first."""
    some = scattered(np.arange(fails.shape[1]))[:SCREENED]
    few, found = np.ascontiguousarray(fails[:, some]), np.ones(len(one), dtype=bool)
    for start in range(0, len(one), PAIRS):
        part = slice(start, start + PAIRS)
        found[part] = (few[one[part]] != few[other[part]]).all(axis=1)
    for pair in np.flatnonzero(found):
        found[pair] = (fails[one[pair]] != fails[other[pair]]).all()
    return found


def _first_of_each(one: Array, other: Array) -> tuple[Array, Array]:
    """Of each first term no more than the first few pairs, which stand together."""
    begins = np.concatenate([[True], one[1:] != one[:-1]]) if len(one) else np.ones(0, dtype=bool)
    numbers = np.arange(len(one))
    kept = numbers - np.maximum.accumulate(np.where(begins, numbers, 0)) < OF_ONE
    return one[kept], other[kept]


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
            add(compared(bank, term, "<=", int(value)), row <= value)
        for value in np.unique(row):
            add(compared(bank, term, "==", int(value)), row == value)
        for name in PREDICATES:
            add(predicate(bank, term, name), truth_of(name, values[term : term + 1])[0])
        if len(found) > 4 * most:
            break
    some = terms[bank.costs[terms] <= bank.most // 2][:100]
    for n, one in enumerate(map(int, some)):
        for other in map(int, some[:n]):
            for op in ("<", "<=", "=="):
                add(related(bank, op, one, other), COMPARED[op](values[one], values[other]))
    work.spend(len(found) * (DISPATCH + 2 * count))
    order = sorted(range(len(found)), key=lambda n: found[n].cost)
    holds = np.array([rows[n] for n in order], dtype=bool).reshape(len(order), count)
    alike = holds ^ holds[:, :1]  # an opposite only exchanges the branches
    first = unseen(truth_prints(alike), NONE)
    first = first[alike[first].any(axis=1)][:most]
    return [found[order[n]] for n in first], holds[first]
