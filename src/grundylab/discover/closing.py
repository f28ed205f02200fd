"""Numbers made of a bank's terms that are the target, their constants and one operand computed from it, not listed.

A number is a term; an operator of two terms; or one term under a condition and another elsewhere. With all terms that
cost up to n these are all numbers that cost up to n + 2 whose conditional, if any, is outermost, and many dearer ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from grundylab.discover import comparisons
from grundylab.discover.bank import UNARY, Bank, Made, of_one
from grundylab.discover.base import Array
from grundylab.discover.comparisons import Terms, Test, screened
from grundylab.discover.cost import cost, of
from grundylab.discover.fingerprints import hashing, prints
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
COVERING = 400  # terms of which two may together be the target
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
        yield from with_constants(terms, target, work)
    yield from _next(bank, target, work)
    yield from joined(bank, target, work)
    yield from _conditionals(bank, target, work)


def _number(tree: Expr) -> Number:
    return Number(cost(tree), tree)


def with_constants(bank: Terms, target: Array, work: Work) -> Iterator[Number]:
    """A term and a constant that is computed."""
    values = bank.values
    work.spend(60 * len(values) * SCREENED)
    few = np.sort(scattered(np.arange(len(target)))[:SCREENED])

    def all_that(test: Test) -> Array:
        return screened(test, values, target, few)[:MOST]

    for n in all_that(lambda v, t: _one_value(t - v)):
        yield _number(_plus(bank.expr(int(n)), int(target[0] - values[n, 0])))
    for n in all_that(lambda v, t: _one_value(t ^ v)):
        yield _number(Binary("^", bank.expr(int(n)), Int(int(target[0] ^ values[n, 0]))))
    for n in all_that(lambda v, t: _one_value(t + v)):
        yield _number(Binary("-", Int(int(target[0] + values[n, 0])), bank.expr(int(n))))
    for n in all_that(_is_multiple):
        place = int(np.argmax(np.abs(target)))
        yield _number(Binary("*", Int(int(target[place] // values[n, place])), bank.expr(int(n))))
    for name, limit in (("min", int(target.max())), ("max", int(target.min()))):
        cut = np.minimum if name == "min" else np.maximum
        for n in all_that(lambda v, t, cut=cut, limit=limit: (cut(v, limit) == t).all(axis=1)):  # type: ignore[misc]
            yield _number(Call(name, (bank.expr(int(n)), Int(limit))))
    yield from _divided(bank, target, few)


def _one_value(rows: Array) -> Array:
    return np.asarray((rows == rows[:, :1]).all(axis=1))


def _is_multiple(values: Array, target: Array) -> Array:
    """Rows of which the target is a multiple."""
    place = int(np.argmax(np.abs(target)))
    at = values[:, place]
    factor = np.where(at == 0, 0, target[place] // np.where(at == 0, 1, at))
    return np.asarray((factor != 0) & (values * factor[:, None] == target).all(axis=1))


def _divided(bank: Terms, target: Array, few: Array) -> Iterator[Number]:
    """``(term + a) % b`` and ``(term + a) // b``."""
    values, most = bank.values, int(target.max())
    if target.min() >= 0 and most:
        for n in screened(partial(_is_rest, most), values, target, few)[:MOST]:
            apart = target - values[n]
            common = int(np.gcd.reduce(apart - apart[0]))
            by = next(by for by in range(most + 1, common + 1) if common % by == 0)
            yield _number(Binary("%", _plus(bank.expr(int(n)), int(apart[0]) % by, by), Int(by)))
    for by in DIVISORS:
        for n in screened(partial(_is_quotient, by), values[:DIVIDED], target, few)[:MOST]:
            low, high = int((by * target - values[n]).max()), int((by * target - values[n]).min()) + by - 1
            least = min(range(low, high + 1), key=lambda a: (abs(a), -a))
            yield _number(Binary("//", _plus(bank.expr(int(n)), least), Int(by)))
    yield from _by_others(bank, target, few)


def _is_rest(most: int, values: Array, target: Array) -> Array:
    """Rows whose distances from the target differ by multiples of a number greater than all of it."""
    apart = target - values
    common = np.gcd.reduce(apart - apart[:, :1], axis=1)
    return np.asarray((common > most) & (common <= GREATEST))


def _is_quotient(by: int, values: Array, target: Array) -> Array:
    """Rows to which a number can be added so that they are the target, divided."""
    apart = by * target - values
    return np.asarray(apart.max(axis=1) <= apart.min(axis=1) + by - 1)


def _plus(term: Expr, more: int, by: int = 0) -> Expr:
    """The term and a number; of those that differ by a multiple of ``by`` the one nearest to 0."""
    more = more - by if by and 2 * more > by else more
    if not more:
        return term
    return Binary("+", term, Int(more)) if more > 0 else Binary("-", term, Int(-more))


def _by_others(bank: Terms, target: Array, few: Array) -> Iterator[Number]:
    """A term divided by a greater number."""
    if target.min() < 0:
        return
    for n in screened(lambda v, t: _divisors(v, t)[0], bank.values, target, few)[:MOST]:
        least = int(_divisors(bank.values[n : n + 1], target)[1][0])
        yield _number(Binary("//", bank.expr(int(n)), Int(least)))


def _divisors(values: Array, target: Array) -> tuple[Array, Array]:
    """Which rows can be divided by a number so that they are the target, and the least such number of each."""
    # values // c == target where values / (target + 1) < c <= values / target
    low = (values // (target + 1)).max(axis=1) + 1
    high = np.where(target > 0, values // np.maximum(target, 1), GREATEST).min(axis=1)
    return (values >= 0).all(axis=1) & (low <= high) & (low > DIVISORS[-1]), low


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
        values, defined = of_one(name, made.values)
        for n in np.flatnonzero(made.defined & defined & (values == wanted).all(axis=1)):
            tree = Call(name, (bank.tree(made.op, int(made.left[n]), int(made.right[n])),))
            if bank.fits(tree, target):
                yield _number(tree)


def joined(terms: Terms, target: Array, work: Work) -> Iterator[Number]:
    """Two terms of any cost: what one of them must be is looked up."""
    values = terms.values
    work.spend(3 * values.size)
    by = hashing(values.shape[1])
    known = prints(values, by)
    order = np.argsort(known, kind="stable")
    found: list[tuple[int, str, int, int]] = []
    for op, other in (("^", values ^ target), ("+", target - values), ("-", target + values)):
        sought = prints(other, by)
        match = order[np.minimum(np.searchsorted(known[order], sought), len(order) - 1)]
        same = np.flatnonzero(known[match] == sought)
        costs = terms.costs[same] + terms.costs[match[same]]
        found += [
            (int(paid), op, int(n), int(m)) for paid, n, m in zip(costs, same, match[same], strict=True)
        ]
    for _, op, first, second in sorted(found)[:MOST]:
        a, b = terms.expr(first), terms.expr(second)
        yield _number(Binary(op, b, a) if op == "-" else Binary(op, a, b))
    for name, beyond in (("min", np.greater_equal), ("max", np.less_equal)):
        for left, right in _covering(values, target, beyond):
            yield _number(Call(name, (terms.expr(left), terms.expr(right))))


def _covering(values: Array, target: Array, beyond: Test) -> Iterator[tuple[int, int]]:
    """Two terms that are nowhere on the wrong side of the target, one of which is the target at each position."""
    few = np.sort(scattered(np.arange(len(target)))[:SCREENED])
    fitting = screened(lambda v, t: np.asarray(beyond(v, t).all(axis=1)), values, target, few)[:COVERING]
    equal = values[fitting] == target
    for place, one in enumerate(fitting[:MOST]):
        rest = np.flatnonzero((equal[:place] | equal[place]).all(axis=1))
        if len(rest):
            yield int(fitting[rest[0]]), int(one)


def with_leaves(bank: Bank, target: Array, work: Work) -> Iterator[Number]:
    """A term of any cost and one of the cheapest, by an operator that has no inverse."""
    few = np.sort(scattered(np.arange(len(target)))[:SCREENED])
    leaves = bank.of_cost(1)
    leaves = leaves[~bank.constant(leaves)]
    some = np.arange(len(bank))
    for made in bank.by(some, leaves, few, work, INVERTIBLE):
        for n in np.flatnonzero(made.defined & (made.values == target[few]).all(axis=1))[:MOST]:
            tree = bank.tree(made.op, int(made.left[n]), int(made.right[n]))
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
