"""Numbers made of a bank's terms that are the target, their constants and one operand computed from it, not listed.

A number is a term; an operator of two terms; or one term under a condition and another elsewhere. With all terms that
cost up to n these are all numbers that cost up to n + 2 whose conditional, if any, is outermost, and many dearer ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grundylab.discover import comparisons
from grundylab.discover.bank import UNARY, Bank, Made
from grundylab.discover.base import Array
from grundylab.discover.comparisons import Terms
from grundylab.discover.cost import cost, of
from grundylab.discover.scatter import scattered
from grundylab.discover.work import Work
from grundylab.language.syntax import Binary, Call, Expr, If, Int, Negate

SCREENED = 8  # positions at which terms are looked at first
FEW = 1_000_000  # pairs of terms, of which all are looked at
GREATEST = 1 << 16  # constant
DIVISORS = range(2, 17)  # of a term and a number, which is computed
DIVIDED = 20_000  # of the cheapest terms
INVERTIBLE = ("+", "-", "^")  # of which one operand is computed from the target and the other
TESTS = 4_000  # conditions that a formula may turn on
BRANCHES = 2_000  # cheapest terms, and as many of those that are right most often, under each of them
MOST = 60  # formulas of one kind


@dataclass(frozen=True)
class Number:
    """A formula, and what it costs before it is tidied."""

    cost: int
    tree: Expr


def exact(bank: Bank, target: Array, work: Work, beside: Sequence[Terms] = ()) -> Iterator[Number]:
    """Numbers that are the target on the sample. beside: other terms, to which constants only are joined."""
    for n in np.flatnonzero((bank.values == target).all(axis=1))[:MOST]:
        yield _number(bank.expr(int(n)))
    for terms in (bank, *beside):
        yield from _with_constants(terms, target, work)
    yield from _next(bank, target, work)
    yield from _joined(bank, target, work)
    yield from _conditionals(bank, target, work)


def _number(tree: Expr) -> Number:
    return Number(cost(tree), tree)


def _with_constants(bank: Terms, target: Array, work: Work) -> Iterator[Number]:
    """A term and a constant that is computed."""
    values = bank.values
    work.spend(12 * values.size)
    for op, other in (("+", target - values), ("^", target ^ values)):
        for n in np.flatnonzero((other == other[:, :1]).all(axis=1))[:MOST]:
            value = int(other[n, 0])
            if op == "+" and value < 0:
                yield _number(Binary("-", bank.expr(int(n)), Int(-value)))
            else:
                yield _number(Binary(op, bank.expr(int(n)), Int(value)))
    both = target + values
    for n in np.flatnonzero((both == both[:, :1]).all(axis=1))[:MOST]:
        yield _number(Binary("-", Int(int(both[n, 0])), bank.expr(int(n))))
    place = int(np.argmax(np.abs(target)))
    if target[place]:
        at = np.where(values[:, place] == 0, 1, values[:, place])
        factor = target[place] // at
        for n in np.flatnonzero((values * factor[:, None] == target).all(axis=1) & (factor != 0))[:MOST]:
            yield _number(Binary("*", Int(int(factor[n])), bank.expr(int(n))))
    for name, beyond, limit in (
        ("min", values >= target, int(target.max())),
        ("max", values <= target, int(target.min())),
    ):
        others = np.where(values == target, limit, target)
        for n in np.flatnonzero(beyond.all(axis=1) & (others == limit).all(axis=1))[:MOST]:
            yield _number(Call(name, (bank.expr(int(n)), Int(limit))))
    yield from _divided(bank, target)


def _divided(bank: Terms, target: Array) -> Iterator[Number]:
    """``(term + a) % b`` and ``(term + a) // b``."""
    values, most = bank.values, int(target.max())
    if target.min() >= 0 and most:
        apart = target - values
        common = np.gcd.reduce(apart - apart[:, :1], axis=1)
        for n in np.flatnonzero((common > most) & (common <= GREATEST))[:MOST]:
            by = next(by for by in range(most + 1, int(common[n]) + 1) if common[n] % by == 0)
            yield _number(Binary("%", _plus(bank.expr(int(n)), int(apart[n, 0]) % by, by), Int(by)))
    few = values[:DIVIDED]
    for by in DIVISORS:
        low = (by * target - few).max(axis=1)
        high = (by * target - few).min(axis=1) + by - 1
        for n in np.flatnonzero(low <= high)[:MOST]:
            least = min(range(int(low[n]), int(high[n]) + 1), key=lambda a: (abs(a), -a))
            yield _number(Binary("//", _plus(bank.expr(int(n)), least), Int(by)))
    yield from _by_others(bank, target)


def _plus(term: Expr, more: int, by: int = 0) -> Expr:
    """The term and a number; of those that differ by a multiple of ``by`` the one nearest to 0."""
    more = more - by if by and 2 * more > by else more
    if not more:
        return term
    return Binary("+", term, Int(more)) if more > 0 else Binary("-", term, Int(-more))


def _by_others(bank: Terms, target: Array) -> Iterator[Number]:
    """A term divided by a greater number."""
    values = bank.values
    usable = (values >= 0).all(axis=1) & bool(target.min() >= 0)
    # values // c == target where values / (target + 1) < c <= values / target
    low = (values // (np.maximum(target, 0) + 1)).max(axis=1) + 1
    with np.errstate(divide="ignore"):
        high = np.where(target > 0, values // np.maximum(target, 1), GREATEST).min(axis=1)
    for n in np.flatnonzero(usable & (low <= high) & (low > DIVISORS[-1]))[:MOST]:
        yield _number(Binary("//", bank.expr(int(n)), Int(int(low[n]))))


def _next(bank: Bank, target: Array, work: Work) -> Iterator[Number]:
    """All terms that cost one or two more than those of the bank, and dearer ones if they are not too many."""
    some = scattered(np.arange(len(target)))[:SCREENED]
    wanted = target[some]
    for total in range(bank.most + 1, 2 * bank.most + 2):
        if total > bank.most + 2 and len(bank) ** 2 > FEW:
            break
        found = 0
        for made in bank.made(total, work, some, INVERTIBLE if total > bank.most + 1 else ()):
            for n in np.flatnonzero(made.defined & (made.values == wanted).all(axis=1)):
                tree = bank.tree(made.op, int(made.left[n]), int(made.right[n]))
                if found < MOST and bank.fits(tree, target):
                    found += 1
                    yield _number(tree)
            if total == bank.most + 1:
                yield from _of_one(bank, made, some, target)


def _of_one(bank: Bank, made: Made, some: Array, target: Array) -> Iterator[Number]:
    """An operator of one operand, of what is not in the bank."""
    wanted = target[some]
    for n in np.flatnonzero(made.defined & (made.values == -wanted).all(axis=1)):
        tree: Expr = Negate(bank.tree(made.op, int(made.left[n]), int(made.right[n])))
        if bank.fits(tree, target):
            yield _number(tree)
    for name in (name for name in UNARY if of(name) == 1):
        values, defined = bank.of_one(name, made.values)
        for n in np.flatnonzero(made.defined & defined & (values == wanted).all(axis=1)):
            tree = Call(name, (bank.tree(made.op, int(made.left[n]), int(made.right[n])),))
            if bank.fits(tree, target):
                yield _number(tree)


def _joined(bank: Bank, target: Array, work: Work) -> Iterator[Number]:
    """Two terms of any cost: what one of them must be is looked up."""
    work.spend(12 * bank.values.size)
    known = bank.prints(bank.values)
    order = np.argsort(known, kind="stable")
    found: list[tuple[int, str, int, int]] = []
    for op, other in (("^", bank.values ^ target), ("+", target - bank.values), ("-", target + bank.values)):
        prints = bank.prints(other)
        places = np.minimum(np.searchsorted(known[order], prints), len(order) - 1)
        match = order[places]
        same = np.flatnonzero(known[match] == prints)
        costs = bank.costs[same] + bank.costs[match[same]]
        found += [
            (int(total), op, int(n), int(m)) for total, n, m in zip(costs, same, match[same], strict=True)
        ]
    for _, op, first, second in sorted(found)[:MOST]:
        a, b = bank.expr(first), bank.expr(second)
        tree = Binary(op, b, a) if op == "-" else Binary(op, a, b)
        if bank.fits(tree, target):
            yield _number(tree)


def _conditionals(bank: Bank, target: Array, work: Work) -> Iterator[Number]:
    """A term, or a constant, where a condition holds, and another one elsewhere."""
    tests, holds = comparisons.small(bank, TESTS, work)
    if not tests:
        return
    right = bank.values == target
    terms = np.unique(
        np.concatenate(
            [np.arange(len(bank))[:BRANCHES], np.argsort(-right.sum(axis=1), kind="stable")[:BRANCHES]]
        )
    )
    wrong = (~right[terms]).astype(np.float32)
    work.spend(2 * len(terms) * holds.size / 50)
    sides = holds.astype(np.float32)
    inside = wrong @ sides.T  # at how many positions where the test holds each term is wrong
    outside = wrong.sum(axis=1)[:, None] - inside
    found = []
    for n, test in enumerate(tests):
        a = _branch(bank, terms, inside[:, n] == 0, target[holds[n]])
        b = _branch(bank, terms, outside[:, n] == 0, target[~holds[n]])
        if a is not None and b is not None:
            found.append((test.cost + cost(a) + cost(b) + 1, n, a, b))
    for _, n, a, b in sorted(found, key=lambda each: each[:2])[:MOST]:
        yield _number(If(tests[n].tree(), a, b))


def _branch(bank: Bank, terms: Array, fits: Array, wanted: Array) -> Expr | None:
    if (wanted == wanted[0]).all():
        return Int(int(wanted[0]))
    return bank.expr(int(terms[np.argmax(fits)])) if fits.any() else None
