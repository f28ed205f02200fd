"""Conditions that are the target: comparisons, and two of them joined by ``and``; or that are its opposite.

Two conditions that both hold wherever the target does are it if elsewhere never both do. So all conditions around the
target are listed, in blocks of one kind each, with where else they hold, and every two of them are tried at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from grundylab.discover.bank import Bank
from grundylab.discover.base import Array
from grundylab.discover.comparisons import (
    COMPARED,
    MODULI,
    MOST,
    PREDICATES,
    Condition,
    Terms,
    compared,
    equations,
    of_one,
    of_two,
    predicate,
    related,
    remainder,
    truth_of,
)
from grundylab.discover.cost import PREDICATE, digits
from grundylab.discover.fingerprints import NONE, truth_prints, unseen
from grundylab.discover.rewriting import negate
from grundylab.discover.work import DISPATCH, Work
from grundylab.language.syntax import Expr, conjunction

JOINED = 4_000  # conditions of which every two are joined
SMALL = 300  # of the cheapest terms every two are compared
WORK = 30  # what a cell of the terms counts
BLOCK = 10  # dispatches that a block of conditions counts as


def exact(bank: Bank, target: Array, work: Work, beside: Sequence[Terms] = ()) -> Iterator[Condition]:
    """Conditions that are the target on the sample. beside: other terms, which are compared with numbers only."""
    for wanted, turned in ((target, False), (~target, True)):
        single = chain(*(of_one(terms, wanted, work) for terms in (bank, *beside)))
        # every comparison of two is looked at with its opposite
        pairs = chain(() if turned else of_two(bank, target, work), equations(bank, wanted, work))
        for condition in chain(single, pairs, conjunctions(bank, wanted, work)):
            yield Condition(condition.cost, partial(_opposite, condition.tree)) if turned else condition


def _opposite(tree: Callable[[], Expr]) -> Expr:
    return negate(tree())


@dataclass(frozen=True)
class _Block:
    """Conditions of one kind. costs: of each; holds: bool (conditions, positions where the target does not hold)."""

    costs: Array
    holds: Array
    make: Callable[[int], Condition]


def conjunctions(bank: Bank, target: Array, work: Work) -> Iterator[Condition]:
    """Two conditions that hold wherever the target does, and both nowhere else; cheapest first."""
    blocks = [block for block in _around(bank, target, work) if len(block.costs)]
    if not blocks or target.all():
        return
    holds, costs = np.concatenate([b.holds for b in blocks]), np.concatenate([b.costs for b in blocks])
    work.spend(2 * holds.size + len(blocks) * BLOCK * DISPATCH)
    order = np.argsort(costs, kind="stable")
    first = order[unseen(truth_prints(holds[order]), NONE)][:JOINED]
    work.spend(len(first) ** 2 * holds.shape[1] / 50)
    beyond = holds[first].astype(np.float32)
    one, other = np.nonzero(np.triu(beyond @ beyond.T == 0, 1))
    starts = np.cumsum([0, *(len(block.costs) for block in blocks)])
    together = costs[first[one]] + costs[first[other]] + 1
    for n in np.argsort(together, kind="stable")[:MOST]:
        numbers = first[one[n]], first[other[n]]
        owners = np.searchsorted(starts, numbers, side="right") - 1
        a, b = (blocks[m].make(int(k - starts[m])) for m, k in zip(owners, numbers, strict=True))
        yield Condition(int(together[n]), partial(_both, a.tree, b.tree))


def _both(a: Callable[[], Expr], b: Callable[[], Expr]) -> Expr:
    return conjunction(a(), b())


def _around(bank: Bank, target: Array, work: Work) -> Iterator[_Block]:
    """Conditions on small terms that hold wherever the target does."""
    terms = np.flatnonzero((bank.costs <= max(bank.most - 2, 1)) & ~bank.constant(np.arange(len(bank))))
    inside, outside = bank.values[np.ix_(terms, target)], bank.values[np.ix_(terms, ~target)]
    work.spend(WORK * (inside.size + outside.size))
    low, high = inside.min(axis=1), inside.max(axis=1)
    yield _with_numbers(bank, terms, "<=", high, outside <= high[:, None])
    yield _with_numbers(bank, terms, ">=", low, outside >= low[:, None])
    same = np.flatnonzero(low == high)
    yield _with_numbers(bank, terms[same], "==", low[same], outside[same] == low[same, None])
    common = np.gcd.reduce(inside - inside[:, :1], axis=1)
    for by in MODULI:
        some = np.flatnonzero((common > 0) & (common % by == 0))
        rests = inside[some, 0] % by
        yield _Block(
            bank.costs[terms[some]] + 4,
            outside[some] % by == rests[:, None],
            lambda k, by=by, some=some, rests=rests: remainder(bank, int(terms[some[k]]), by, int(rests[k])),  # type: ignore[misc]
        )
    for n, term in enumerate(terms):  # holes
        values = np.setdiff1d(outside[n], inside[n])
        yield _with_numbers(bank, np.full(len(values), term), "!=", values, outside[n] != values[:, None])
    for name in PREDICATES:
        some = np.flatnonzero(truth_of(name, inside).all(axis=1))
        yield _Block(
            bank.costs[terms[some]] + PREDICATE,
            truth_of(name, outside[some]),
            lambda k, name=name, some=some: predicate(bank, int(terms[some[k]]), name),  # type: ignore[misc]
        )
    yield from _of_pairs(bank, terms, inside, outside)


def _with_numbers(bank: Bank, terms: Array, op: str, values: Array, holds: Array) -> _Block:
    costs = bank.costs[terms] + 2 + digits(values)
    return _Block(costs, holds, lambda k: compared(bank, int(terms[k]), op, int(values[k])))


def _of_pairs(bank: Bank, terms: Array, inside: Array, outside: Array) -> Iterator[_Block]:
    small = np.flatnonzero(bank.costs[terms] <= max((bank.most + 1) // 2, 1))[:SMALL]
    for n in small:
        for op, relates in COMPARED.items():
            others = small[small < n]
            others = others[relates(inside[n], inside[others]).all(axis=1)]
            yield _Block(
                bank.costs[terms[n]] + bank.costs[terms[others]] + 1,
                relates(outside[n], outside[others]),
                lambda k, op=op, n=n, others=others: related(bank, op, int(terms[n]), int(terms[others[k]])),  # type: ignore[misc]
            )
