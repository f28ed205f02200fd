"""Conditions made of a bank's terms: conditions equal to a target, and conditions that divide positions into cases.

A condition compares a term with a computed number, or two terms with each other. A threshold is the least or the
greatest value of the term where the target holds; a modulus divides the differences of the term's values there. If
the bank has all terms that cost up to n, then all conditions, and all conjunctions of two conditions, that cost up to
n + 2 are found, except chained comparisons. Many costlier ones are found, too. A condition that is true exactly where
the target is false is negated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.bank import Bank, CostedFormula, TermSource
from grundylab.discover.cost import PREDICATE, digit_costs
from grundylab.discover.fingerprints import (
    NONE,
    distinct_splits,
    hashing,
    prints,
    scattered,
    truth_prints,
    unseen,
)
from grundylab.discover.search_budget import DISPATCH, SearchBudget
from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import Binary, Call, Expr, Int, compare, conjunction, negate
from grundylab.numeric import Array

MODULI = range(2, 65)
SCREENED = 16  # positions at which conditions are tested first
PAIRS = 1 << 17  # pairs compared at once
MOST = 60  # most conditions of one kind
GROUP, FIRST = 40, 4  # of terms that agree where the target holds, 40 are all paired, the others with 4
OF_ONE = 6  # most equations with the same first term
CLOSE = 32  # greatest distance of values that count as close together
JOINED = 4_000  # conditions joined in pairs
SMALL = 300  # cheapest terms compared in pairs, for conjunctions
SPLIT = 100  # cheapest terms compared in pairs, for conditions to split by
WORK, AROUND = 2, 30  # work of a compared cell, and of a cell from which numbers are computed
PREDICATES = tuple(name for name, row in BUILTINS.items() if row.condition)
REST = "%"  # remainder of a term by a modulus

COMPARED: Mapping[str, Callable[[Array, Array], Array]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@dataclass(frozen=True)
class Conditions:
    """Conditions of one kind, each on one term or on two.

    kind: a comparison sign, ``%`` for the comparison of a remainder modulo ``by``, or a built-in predicate. rows: the
    numbers, in ``terms``, of the terms on the left. beside: for each condition the constant on the right; if ``pairs``,
    the number of the term on the right.
    """

    terms: TermSource
    kind: str
    rows: Array
    beside: Array
    by: int = 0
    pairs: bool = False

    def __len__(self) -> int:
        return len(self.rows)

    def at(self, some: Array | slice) -> Conditions:
        """Return only the conditions with these numbers."""
        return replace(self, rows=self.rows[some], beside=self.beside[some])

    @cached_property
    def costs(self) -> Array:
        """Cost of each condition."""
        costs = self.terms.costs[self.rows]
        if self.pairs:
            return costs + self.terms.costs[self.beside] + 1
        if self.kind in COMPARED:
            return costs + 2 + digit_costs(self.beside)
        return costs + (4 if self.kind == REST else PREDICATE)

    def holds(self, positions: Array | slice = slice(None)) -> Array:
        """Return the values of the conditions: bool (conditions, positions)."""
        values = _cells(self.terms, self.rows, positions)
        if self.kind in PREDICATES:
            return predicate_values(self.kind, values)
        if self.kind == REST:
            return np.asarray(values % self.by == self.beside[:, None])
        others = _cells(self.terms, self.beside, positions) if self.pairs else self.beside[:, None]
        return np.asarray(COMPARED[self.kind](values, others))

    def formula(self, number: int) -> CostedFormula:
        """Return the formula of one condition."""

        def tree() -> Expr:
            term, beside = self.terms.expr(int(self.rows[number])), int(self.beside[number])
            if self.kind in PREDICATES:
                return Call(self.kind, (term,))
            if self.kind == REST:
                return compare("==", Binary("%", term, Int(self.by)), Int(beside))
            return compare(self.kind, term, self.terms.expr(beside) if self.pairs else Int(beside))

        return CostedFormula(int(self.costs[number]), tree)


def usual_predicates(samples: Samples) -> tuple[str, ...]:
    """Return the predicates to divide these samples by: those that proofs can express.

    The others, such as is_prime, are added for games of one pile. In games of several, they would take the place of
    conditions on sums of piles.
    """
    piles = set(samples.variables) - set(samples.parameters)
    return tuple(name for name in PREDICATES if len(piles) == 1 or not BUILTINS[name].unspoken)


def predicate_conditions(bank: Bank, terms: Array) -> list[Conditions]:
    """Return the usual predicates of these terms of the bank.

    A predicate that proofs cannot express is left out for terms whose values are all close together, such as
    remainders: it would only be a list of values.
    """
    values = bank.values[terms]
    wide = terms[values.max(axis=1) - values.min(axis=1) > CLOSE]
    usual = [(name, wide if BUILTINS[name].unspoken else terms) for name in usual_predicates(bank.samples)]
    return [Conditions(bank, name, rows, rows) for name, rows in usual]


@dataclass(frozen=True)
class ConditionList:
    """Conditions of several kinds, numbered consecutively."""

    blocks: Sequence[Conditions]

    @cached_property
    def _starts(self) -> Array:
        return np.cumsum([0, *map(len, self.blocks)])

    @cached_property
    def costs(self) -> Array:
        """Cost of each condition."""
        return np.concatenate([np.empty(0, dtype=np.int64), *(block.costs for block in self.blocks)])

    def holds(self, positions: Array | slice = slice(None)) -> Array:
        """Return the values of the conditions: bool (conditions, positions)."""
        return np.concatenate([block.holds(positions) for block in self.blocks])

    def at(self, numbers: Array) -> Array:
        """Return the values of the conditions with these numbers: bool (conditions, all positions)."""
        values = np.empty((len(numbers), self.blocks[0].terms.values.shape[1]), dtype=bool)
        for start, block in zip(self._starts, self.blocks, strict=False):
            some = np.flatnonzero((start <= numbers) & (numbers < start + len(block)))
            values[some] = block.at(numbers[some] - start).holds()
        return values

    def formula(self, number: int) -> CostedFormula:
        """Return the formula of one condition."""
        block = int(np.searchsorted(self._starts, number, side="right")) - 1
        return self.blocks[block].formula(int(number - self._starts[block]))


def _cells(terms: TermSource, rows: Array, positions: Array | slice) -> Array:
    """Return the values of these terms at these positions, (terms, positions); a view if both are contiguous."""
    together = len(rows) and (np.diff(rows) == 1).all()
    cells = terms.values[rows[0] : rows[-1] + 1] if together else terms.values[rows]
    if isinstance(positions, slice):
        return np.asarray(cells[:, positions])
    return np.asarray(cells.take(np.flatnonzero(positions) if positions.dtype == bool else positions, axis=1))


def predicate_values(name: str, values: Array) -> Array:
    """Return the truth value of a built-in predicate for each of the values."""
    row = BUILTINS[name]
    assert row.array is not None
    return np.asarray(row.array(values)).astype(bool)


# -- conditions equal to the target ------------------------------------------------------------------------------


def exact_conditions(
    bank: Bank, target: Array, work: SearchBudget, beside: Sequence[TermSource] = ()
) -> Iterator[CostedFormula]:
    """Yield the conditions that equal the target at all positions of the bank's sample.

    beside: further terms, which are compared with numbers only.
    """
    for terms in (bank, *beside):
        yield from one_term_conditions(terms, target, work)
    yield from chain(two_term_conditions(bank, target, work), equations(bank, target, work))
    yield from conjunctions(bank, target, work)
    opposites = [one_term_conditions(terms, ~target, work) for terms in (bank, *beside)]
    # comparisons of two terms include their opposites
    for opposite in chain(*opposites, equations(bank, ~target, work), conjunctions(bank, ~target, work)):
        yield CostedFormula(opposite.cost, lambda tree=opposite.tree: negate(tree()))  # type: ignore[misc]


def one_term_conditions(terms: TermSource, target: Array, work: SearchBudget) -> Iterator[CostedFormula]:
    """Yield the conditions on one term that equal the target.

    These are comparisons of the term, or of its remainder, with a number, and built-in predicates.
    """
    work.spend(WORK * 10 * len(terms.values) * SCREENED)
    rows = scattered(np.arange(len(target)))
    inside, outside = rows[target[rows]][:SCREENED], rows[~target[rows]][:SCREENED]
    first = _around(terms, np.arange(len(terms.values)), inside)
    likely = np.unique(np.concatenate([c.rows[~c.holds(outside).any(axis=1)] for c in first]))
    for conditions in _around(terms, likely, target):
        for n in np.flatnonzero(~conditions.holds(~target).any(axis=1))[:MOST]:
            yield conditions.formula(int(n))


def _around(terms: TermSource, rows: Array, positions: Array) -> Iterator[Conditions]:
    """Yield the strictest conditions of each kind, on each of these terms, that hold at all of the positions."""
    cells = _cells(terms, rows, positions)
    low, high = cells.min(axis=1), cells.max(axis=1)
    yield Conditions(terms, "<=", rows, high)
    yield Conditions(terms, ">=", rows, low)
    one = np.flatnonzero(low == high)
    yield Conditions(terms, "==", rows[one], low[one])
    common = np.gcd.reduce(cells - cells[:, :1], axis=1)
    apart = np.flatnonzero(common > 1)
    for by in MODULI:
        some = apart[common[apart] % by == 0]
        if len(some):
            yield Conditions(terms, REST, rows[some], cells[some, 0] % by, by)
    for name in PREDICATES:
        some = np.flatnonzero(predicate_values(name, cells).all(axis=1))
        yield Conditions(terms, name, rows[some], rows[some])


def two_term_conditions(bank: Bank, target: Array, work: SearchBudget) -> Iterator[CostedFormula]:
    """Yield the comparisons of two terms that equal the target; the terms together cost at most ``bank.most + 1``."""
    some = scattered(np.arange(len(target)))[:SCREENED]
    few, wanted = bank.values.take(some, axis=1).T.copy(), target[some]
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
                for op, relates in COMPARED.items():
                    likely = _sieve(relates, few, i, j, wanted)
                    pairs = Conditions(bank, op, i[likely], j[likely], pairs=True)
                    for n in np.flatnonzero((pairs.holds() == target).all(axis=1))[:MOST]:
                        yield pairs.formula(int(n))


def _sieve(relates: Callable[[Array, Array], Array], few: Array, i: Array, j: Array, wanted: Array) -> Array:
    """Return the numbers n of the pairs of terms (i[n], j[n]) for which ``relates`` has the wanted truth values.

    few: the values of all terms at some positions, (positions, terms). wanted: the truth value at each of these.
    """
    likely = np.arange(len(i))
    for values, truth in zip(few, wanted, strict=True):
        likely = likely[relates(values[i[likely]], values[j[likely]]) == truth]
    return likely


def equations(terms: TermSource, target: Array, work: SearchBudget) -> list[CostedFormula]:
    """Return the equations of two terms, of any cost, that hold exactly where the target does, cheapest first."""
    if not target.any() or target.all():
        return []
    work.spend(WORK * terms.values.size)
    marks = prints(terms.values, np.where(target, hashing(len(target)), np.uint64(0)))
    order = np.lexsort((terms.costs, marks))
    starts = np.flatnonzero(np.concatenate([[True], marks[order][1:] != marks[order][:-1]]))
    groups = [order[a:b] for a, b in zip(starts, [*starts[1:], len(order)], strict=True) if b - a > 1]
    if not groups:
        return []
    every = [_pairs_of(len(group)) for group in groups]
    one, other = (
        np.concatenate([group[pair[side]] for group, pair in zip(groups, every, strict=True)])
        for side in (0, 1)
    )
    work.spend(WORK * len(one) * SCREENED)
    values, outside = terms.values, np.flatnonzero(~target)
    few, differ = values.take(scattered(outside)[:SCREENED], axis=1), np.ones(len(one), dtype=bool)
    for start in range(0, len(one), PAIRS):
        part = slice(start, start + PAIRS)
        differ[part] = (few[one[part]] != few[other[part]]).all(axis=1)
    for pair in np.flatnonzero(differ):
        differ[pair] = (values[one[pair]] != values[other[pair]])[outside].all()
    one, other = one[differ], other[differ]
    numbers, begins = np.arange(len(one)), np.diff(one, prepend=-1) != 0  # equal first terms are consecutive
    kept = numbers - np.maximum.accumulate(np.where(begins, numbers, 0)) < OF_ONE
    one, other = one[kept], other[kept]
    cheapest = np.lexsort((other, one, terms.costs[one] + terms.costs[other]))[:MOST]
    equal = Conditions(terms, "==", one, other, pairs=True)
    return [equal.formula(int(n)) for n in cheapest]


@lru_cache(maxsize=1_000)
def _pairs_of(count: int) -> tuple[Array, Array]:
    """Return pairs of indices below ``count``, as two arrays.

    They are all pairs below GROUP, and each index below FIRST with each other one.
    """
    one, other = np.triu_indices(min(count, GROUP), 1)
    more = np.arange(GROUP, count)
    one = np.concatenate([one, np.repeat(np.arange(FIRST), len(more))])
    other = np.concatenate([other, np.tile(more, FIRST)])
    order = np.lexsort((other, one))
    return one[order], other[order]


def conjunctions(bank: Bank, target: Array, work: SearchBudget) -> Iterator[CostedFormula]:
    """Yield conjunctions of two conditions that equal the target, cheapest first.

    The two conditions come from a list of conditions that hold wherever the target does. Their conjunction equals the
    target if they hold together at no other position; one matrix product tests all pairs.
    """
    terms = _cheap(bank)
    if not len(terms) or target.all():
        return
    work.spend(AROUND * len(terms) * len(target))
    few = terms[bank.costs[terms] <= max((bank.most + 1) // 2, 1)][:SMALL]
    keys, least, width = _keys(bank, terms)
    # values that terms have where the target fails only
    holes = np.setdiff1d(keys[:, ~target], keys[:, target])
    unequal = Conditions(bank, "!=", terms[holes // width], holes % width + least)
    kinds = [*_around(bank, terms, target), unequal]
    one, other = np.tril_indices(len(few), -1)
    inside = bank.values[few][:, target]
    some = inside[:, scattered(np.arange(inside.shape[1]))[:SCREENED]].T.copy()
    for op, relates in COMPARED.items():
        likely = _sieve(relates, some, one, other, np.ones(len(some), dtype=bool))
        i, j = one[likely], other[likely]
        kept = relates(inside[i], inside[j]).all(axis=1)
        kinds.append(Conditions(bank, op, few[i[kept]], few[j[kept]], pairs=True))
    listed = ConditionList([kind for kind in kinds if len(kind)])
    holds, costs = listed.holds(~target), listed.costs
    work.spend(2 * holds.size)
    order = np.argsort(costs, kind="stable")
    first = order[unseen(truth_prints(holds[order]), NONE)][:JOINED]
    work.spend(len(first) ** 2 * holds.shape[1] / 50)
    beyond = holds[first].astype(np.float32)
    one, other = np.nonzero(np.triu(beyond @ beyond.T == 0, 1))
    together = costs[first[one]] + costs[first[other]] + 1
    for n in np.argsort(together, kind="stable")[:MOST]:
        a, b = (listed.formula(int(first[side[n]])) for side in (one, other))
        yield CostedFormula(int(together[n]), lambda a=a, b=b: conjunction(a.tree(), b.tree()))  # type: ignore[misc]


def _cheap(bank: Bank) -> Array:
    """Return the numbers of the terms that are cheap enough for conjunctions, without the constant terms."""
    return np.flatnonzero((bank.costs <= max(bank.most - 2, 1)) & ~bank.constant(np.arange(len(bank))))


def _keys(bank: Bank, terms: Array) -> tuple[Array, int, int]:
    """Return (keys, least, width): a key for each term's value at each position, the least value, and the width.

    ``width`` is the greatest value of all terms minus ``least``, plus 1. The keys are (terms, positions); that of the
    n-th of the ``terms`` is ``n * width + value - least``.
    """
    values = bank.values[terms]
    least = int(values.min(initial=0))
    width = int(values.max(initial=0)) - least + 1
    return np.arange(len(terms))[:, None] * width + values - least, least, width


# -- conditions to split positions by ----------------------------------------------------------------------------


def splitting_conditions(bank: Bank, most: int, work: SearchBudget) -> tuple[list[CostedFormula], Array]:
    """Return at most so many conditions on cheap terms, cheapest first, and their values, (conditions, positions).

    Of conditions that agree with each other, or with the negation of the other, only the cheapest is returned.
    """
    cheap = _cheap(bank)
    keys, least, width = _keys(bank, cheap)
    distinct_keys = np.unique(keys)[: 2 * most]
    rows, numbers = cheap[distinct_keys // width], distinct_keys % width + least
    terms = np.unique(rows)
    few = cheap[bank.costs[cheap] <= bank.most // 2][:SPLIT]
    one, other = (few[side] for side in np.tril_indices(len(few), -1))
    listed = ConditionList(
        [
            *(Conditions(bank, op, rows, numbers) for op in ("<=", "==")),
            *predicate_conditions(bank, terms),
            *(Conditions(bank, op, one, other, pairs=True) for op in ("<", "<=", "==")),
        ]
    )
    work.spend(2 * len(listed.costs) * len(bank.samples) + DISPATCH * len(terms))
    order = np.argsort(listed.costs, kind="stable")
    holds = listed.holds()[order]
    first = distinct_splits(holds)[:most]
    return [listed.formula(int(order[n])) for n in first], holds[first]
