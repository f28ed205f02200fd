"""Formulas that equal a target number at every position of a sample, made of a bank's terms.

A formula is a term, an operator applied to two terms, or a conditional with a term in each branch. Constants are
computed from the terms' values instead of enumerated. If the first of two terms and the target determine the second,
its values are looked up. If the bank has all terms that cost up to n, then all formulas that cost up to n + 2 are
found, except those with a conditional inside. Many costlier ones are found, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

import numpy as np

from grundylab.discover import comparisons
from grundylab.discover.bank import (
    UNARY,
    Bank,
    CompositeTerms,
    CostedFormula,
    TermSource,
    builtin_values,
    operator_term,
)
from grundylab.discover.cost import cost, sign_cost
from grundylab.discover.fingerprints import CELLS, NONE, hashing, prints, scattered
from grundylab.discover.polynomials import add_constant
from grundylab.discover.ranking import is_exact
from grundylab.discover.search_budget import SearchBudget
from grundylab.language.syntax import Binary, Call, Expr, If, Int, negative
from grundylab.numeric import Array

SCREENED = 8  # positions at which terms are tested first
FEW = 1_000_000  # all pairs of terms are tried if there are at most so many
GREATEST = 1 << 16  # greatest computed constant
DIVISORS = range(2, 17)  # divisors of a term plus a computed constant
INVERTIBLE = ("+", "-", "^")  # operators whose second operand is determined by the first and the target
TESTS = 4_000  # conditions that a conditional may test
BRANCHES = 2_000  # terms for the branches: so many of the cheapest, and as many of those most often right
COVERING = 400  # terms of which the minimum or maximum of two is tried
MOST = 60  # most formulas of one kind

Test = Callable[[Array, Array], Array]  # (values (terms, positions), target) -> mask of the terms that pass
Closed = Callable[[Expr, Array], Expr]  # (term, its values) -> formula


def exact_numbers(
    bank: Bank, target: Array, work: SearchBudget, beside: Sequence[TermSource] = ()
) -> Iterator[CostedFormula]:
    """Yield the formulas that equal the target at all positions of the bank's sample.

    Operators applied to two terms of the bank cost one or two more than its costliest terms; costlier ones are only
    tested if the bank is small. beside: further terms, which are combined with constants only.
    """
    for n in np.flatnonzero((bank.values == target).all(axis=1))[:MOST]:
        yield _formula(bank.expr(int(n)))
    for terms in (bank, *beside):
        yield from numbers_with_constants(terms, target, work)
    some = scattered(np.arange(len(target)))[:SCREENED]
    for total in range(bank.most + 1, 2 * bank.most + 2):
        if total > bank.most + 2 and len(bank) ** 2 > FEW:
            break
        first = total == bank.most + 1
        for made in bank.made(total, work, some, () if first else INVERTIBLE):
            yield from islice(_fitting(bank, made, some, target, first), MOST)
    yield from two_term_numbers(bank, target, work)
    yield from _conditionals(bank, target, work)


def _formula(tree: Expr) -> CostedFormula:
    return CostedFormula(cost(tree), lambda: tree)


# -- one term and constants -----------------------------------------------------------------------------------


def numbers_with_constants(terms: TermSource, target: Array, work: SearchBudget) -> Iterator[CostedFormula]:
    """Yield the formulas made of one term and computed constants that equal the target."""
    work.spend(60 * len(terms.values) * SCREENED)
    screen = _Screen(terms.values, target)
    for test, closed in _completions(target):
        for n in screen.all_that(test)[:MOST]:
            yield _formula(closed(terms.expr(int(n)), terms.values[n]))


class _Screen:
    """Terms to be tested: first all terms at a few positions, then those that pass at all positions."""

    def __init__(self, values: Array, target: Array) -> None:
        few = np.sort(scattered(np.arange(len(target)))[:SCREENED])
        self._whole, self._few = (values, target), (values.take(few, axis=1), target[few])

    def all_that(self, test: Test) -> Array:
        """Return the numbers of the terms that pass the test at all positions."""
        values, target = self._whole
        likely = np.flatnonzero(test(*self._few))
        return np.asarray(likely[test(values[likely], target)])


def _completions(target: Array) -> Iterator[tuple[Test, Closed]]:
    """Yield a pair (test, function) for each way to combine a term with a constant.

    The test returns a mask of the terms that can give the target in this way; the function builds the formula.
    """
    place, least, most = int(np.argmax(np.abs(target))), target.min(), target.max()
    yield lambda v, t: _one_value(t - v), lambda term, v: add_constant(term, int(target[0]) - int(v[0]))
    yield lambda v, t: _one_value(t ^ v), lambda term, v: Binary("^", term, Int(int(target[0] ^ v[0])))
    yield lambda v, t: _one_value(t + v), lambda term, v: Binary("-", Int(int(target[0]) + int(v[0])), term)
    yield _is_multiple, lambda term, v: Binary("*", Int(int(target[place] // v[place])), term)
    yield (
        lambda v, t: (np.minimum(v, most) == t).all(axis=1),
        lambda term, _: Call("min", (term, Int(int(most)))),
    )
    yield (
        lambda v, t: (np.maximum(v, least) == t).all(axis=1),
        lambda term, _: Call("max", (term, Int(int(least)))),
    )
    if least >= 0 and most:
        yield _rests(target)
    yield from (_quotients(target, by) for by in DIVISORS)
    if least >= 0:
        yield (
            lambda v, t: _divisors(v, t)[0],
            lambda term, v: Binary("//", term, Int(int(_divisors(v[None], target)[1][0]))),
        )


def _one_value(rows: Array) -> Array:
    return np.asarray((rows == rows[:, :1]).all(axis=1))


def _is_multiple(values: Array, target: Array) -> Array:
    """Return the mask of the terms (rows of values) that give the target when multiplied by a constant other than 0."""
    place = int(np.argmax(np.abs(target)))
    at = values[:, place]
    factor = np.where(at == 0, 0, target[place] // np.where(at == 0, 1, at))
    return np.asarray((factor != 0) & (values * factor[:, None] == target).all(axis=1))


def _rests(target: Array) -> tuple[Test, Closed]:
    """Return (test, function), as ``_completions`` yields them, for ``(term + a) % b`` with constants a and b.

    A term passes the test if the target minus the term is constant modulo some b above the target's maximum.
    """
    most = int(target.max())

    def test(values: Array, target: Array) -> Array:
        apart = target - values
        common = np.gcd.reduce(apart - apart[:, :1], axis=1)
        return np.asarray((common > most) & (common <= GREATEST))

    def closed(term: Expr, values: Array) -> Expr:
        apart = target - values
        common = int(np.gcd.reduce(apart - apart[0]))
        by = next(by for by in range(most + 1, common + 1) if common % by == 0)
        rest = int(apart[0]) % by
        return Binary("%", add_constant(term, rest if 2 * rest <= by else rest - by), Int(by))

    return test, closed


def _quotients(target: Array, by: int) -> tuple[Test, Closed]:
    """Return (test, function), as ``_completions`` yields them, for ``(term + a) // by`` with a constant a."""

    def test(values: Array, target: Array) -> Array:
        apart = by * target - values
        return np.asarray(apart.max(axis=1) <= apart.min(axis=1) + by - 1)

    def closed(term: Expr, values: Array) -> Expr:
        apart = by * target - values
        least = min(range(int(apart.max()), int(apart.min()) + by), key=lambda a: (abs(a), -a))
        return Binary("//", add_constant(term, least), Int(by))

    return test, closed


def _divisors(values: Array, target: Array) -> tuple[Array, Array]:
    """Return the mask of the terms with ``term // c == target`` for a constant c, and the least c for each term.

    Only terms whose least c is above all DIVISORS are in the mask; ``_quotients`` finds the others.
    """
    # values // c == target where values / (target + 1) < c <= values / target
    low = (values // (target + 1)).max(axis=1) + 1
    high = np.where(target > 0, values // np.maximum(target, 1), GREATEST).min(axis=1)
    return (values >= 0).all(axis=1) & (low <= high) & (low > DIVISORS[-1]), low


# -- two terms ------------------------------------------------------------------------------------------------


def _fitting(
    bank: Bank, made: CompositeTerms, some: Array, target: Array, outermost: bool
) -> Iterator[CostedFormula]:
    """Yield the composite terms that equal the target on the whole sample.

    some: the positions of the sample at which ``made`` has values; they are compared first. outermost: also test the
    negative of each term, and each built-in function of cost 1 applied to it.
    """
    ways: list[tuple[Array, Array, Callable[[Expr], Expr]]] = [(made.values, made.defined, lambda tree: tree)]
    if outermost:
        ways.append((-made.values, made.defined, negative))
        for name in (name for name in UNARY if sign_cost(name) == 1):
            values, defined = builtin_values(name, made.values)
            ways.append((values, made.defined & defined, partial(operator_term, name)))
    for values, defined, around in ways:
        likely = np.flatnonzero(defined & (values[:, 0] == target[some[0]]))
        for n in likely[(values[likely] == target[some]).all(axis=1)]:
            tree = around(bank.tree(made.op, int(made.left[n]), int(made.right[n])))
            if is_exact(tree, bank.samples):
                yield _formula(tree)


def two_term_numbers(terms: TermSource, target: Array, work: SearchBudget) -> Iterator[CostedFormula]:
    """Yield the formulas of two terms, of any cost, that equal the target.

    For ``^``, ``+`` and ``-`` the values of the second term follow from the first and the target, and are looked up.
    """
    values = terms.values
    work.spend(3 * values.size)
    by = hashing(values.shape[1])
    marks, wanted = prints(values, by), prints(target[None], by)
    order = np.argsort(marks, kind="stable")
    step = max(CELLS // len(target), 1)
    blocks = (values[n : n + step] for n in range(0, len(values), step))
    nim_sums = np.concatenate([NONE, *(prints(block ^ target, by) for block in blocks)])
    pairs: list[tuple[int, str, int, int]] = []
    for op, sought in (("^", nim_sums), ("+", wanted - marks), ("-", wanted + marks)):
        match = order[np.minimum(np.searchsorted(marks[order], sought), len(order) - 1)]
        same = np.flatnonzero(marks[match] == sought)
        costs = terms.costs[same] + terms.costs[match[same]]
        pairs += [
            (int(paid), op, int(n), int(m)) for paid, n, m in zip(costs, same, match[same], strict=True)
        ]
    for _, op, first, second in sorted(pairs)[:MOST]:
        a, b = terms.expr(first), terms.expr(second)
        yield _formula(Binary(op, b, a) if op == "-" else Binary(op, a, b))
    covers: dict[str, Test] = {
        "min": lambda v, t: np.asarray((v >= t).all(axis=1)),
        "max": lambda v, t: np.asarray((v <= t).all(axis=1)),
    }
    for name, covering in covers.items():  # no term of a pair is on the other side of the target
        fitting = _Screen(values, target).all_that(covering)[:COVERING]
        equal = values[fitting] == target
        for place, one in enumerate(fitting[:MOST]):
            rest = np.flatnonzero((equal[:place] | equal[place]).all(axis=1))
            if len(rest):
                yield _formula(Call(name, (terms.expr(int(fitting[rest[0]])), terms.expr(int(one)))))


# -- two terms and a condition ------------------------------------------------------------------------------


def _conditionals(bank: Bank, target: Array, work: SearchBudget) -> Iterator[CostedFormula]:
    """Yield the conditionals that equal the target and have a term, or a constant, in each branch."""
    tests, holds = comparisons.splitting_conditions(bank, TESTS, work)
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
    inside = wrong @ sides.T  # number of positions where the test holds and the term is wrong
    outside = wrong.sum(axis=1)[:, None] - inside
    conditionals = []
    for n, test in enumerate(tests):
        a = _branch(bank, terms, inside[:, n] == 0, target[holds[n]])
        b = _branch(bank, terms, outside[:, n] == 0, target[~holds[n]])
        if a is not None and b is not None:
            conditionals.append((test.cost + cost(a) + cost(b) + 1, n, a, b))
    for _, n, a, b in sorted(conditionals, key=lambda entry: entry[:2])[:MOST]:
        yield _formula(If(tests[n].tree(), a, b))


def _branch(bank: Bank, terms: Array, fits: Array, wanted: Array) -> Expr | None:
    if (wanted == wanted[0]).all():
        return Int(int(wanted[0]))
    return bank.expr(int(terms[np.argmax(fits)])) if fits.any() else None
