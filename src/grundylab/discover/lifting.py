"""Terms made of functions of one number: nim-sums over the piles, and one term's function that equals another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array
from grundylab.discover.fingerprints import LARGEST, fingerprints, unseen, weights, with_seen
from grundylab.discover.rewriting import plainness
from grundylab.discover.sampling import settings
from grundylab.discover.sequences import Sequences
from grundylab.discover.terms import ATOM, GIVEN, NONE, Terms
from grundylab.discover.work import Work
from grundylab.language import Expr
from grundylab.language.syntax import Binary, Name, chain, compare

CHUNK = 1 << 21  # array cells worked on at a time
ARGUMENTS = 200  # of the cheapest terms functions are looked for
RESULTS = 150  # that have one of so many as their values
FUNCTIONS = 2_000  # pairs of those for which a function is looked up
FOUND = 8
FEWEST = 5  # values that a function must be known at
SCREENED = 32  # pairs of positions at which a row must be constant to be looked at further


@dataclass(frozen=True)
class NimSums:
    """``f(x) ^ f(y) ^ …`` over these coordinates for some functions f, by number.

    values: int32 (nim-sums, positions).
    """

    of: Sequences
    over: tuple[str, ...]
    functions: Array
    values: Array = field(repr=False)

    def expr(self, index: int) -> Expr:
        """A nim-sum as a tree; it is made when it is asked for, since most are never looked at."""
        return chain("^", (self.of.expr(int(self.functions[index]), Name(name)) for name in self.over))

    @property
    def sizes(self) -> Array:
        """The nodes of each."""
        return np.asarray((self.of.terms.sizes[self.functions] + 1) * len(self.over) - 1)

    def at(self, rows: Array) -> NimSums:
        """Those with these numbers."""
        return NimSums(self.of, self.over, self.functions[rows], self.values[rows])

    def likeliest(self, wanted: Array, count: int) -> NimSums:
        """Those that are the target, or 0 exactly where it holds, most often."""
        if wanted.dtype == bool:
            zero = self.values == 0
            share = zero[:, wanted].mean(axis=1) - zero[:, ~wanted].mean(axis=1)
        else:
            share = (self.values == wanted).mean(axis=1)
        return self.at(np.argsort(-share, kind="stable")[:count])

    def at_positions(self, samples: Samples) -> Array:
        """Their values at other positions of the same game."""
        setting = settings(samples)
        cells = (self.of.cells(samples.columns[name], setting) for name in self.over)
        return reduce(np.bitwise_xor, (self.of.terms.values[np.ix_(self.functions, cell)] for cell in cells))


def nim_sums(samples: Samples, of: Sequences, over: tuple[str, ...], most: int, work: Work) -> NimSums:
    """One nim-sum for each behaviour, cheapest first."""
    setting = settings(samples)
    cells = [of.cells(samples.columns[name], setting) for name in over]
    by = weights(len(samples))
    step = max(CHUNK // len(samples), 1)
    functions, kept = [np.empty(0, dtype=np.int64)], [np.empty((0, len(samples)), dtype=np.int32)]
    known = np.empty(0, dtype=np.int64)
    for start in range(0, len(of), step):
        if len(known) >= most or work.over:
            break
        table = of.terms.values[start : start + step]
        work.spend(len(table) * len(samples) * (len(over) + 2))
        block = reduce(np.bitwise_xor, (table[:, cell] for cell in cells))
        small = np.flatnonzero(np.abs(block).max(axis=1) <= LARGEST)
        prints = fingerprints(block[small], by)
        fresh = unseen(prints, known)[: most - len(known)]
        known = with_seen(known, prints[fresh])
        kept.append(block[small[fresh]])
        functions.append(start + small[fresh])
    return NimSums(of, over, np.concatenate(functions), np.concatenate(kept))


def dependences(samples: Samples, terms: Terms, of: Sequences, work: Work) -> list[Expr]:
    """Formulas that say: this term is that function of that one. Exact on the sample, smallest first.

    For a condition ``t == f(u)``; for a number ``f(u)``, ``f(u) ^ t`` or ``f(u) + t``.
    """
    wanted = samples.values
    where = np.flatnonzero(wanted) if wanted.dtype == bool else np.arange(len(samples))
    if len(where) < FEWEST:
        return []
    setting = settings(samples)
    plain = _without_constants(terms)
    results = list(_results(terms, plain[:RESULTS], wanted, where))
    rows = np.stack([result.values for result in results])
    pairs: list[tuple[int, int, int]] = []
    for argument in map(int, plain[:ARGUMENTS]):
        values = terms.values[argument]
        if values.min() < 0 or values.max() >= of.length or values.min() == values.max():
            continue
        work.spend(4 * rows.size)
        determined = _determined(rows, of.cells(values, setting)[where])
        pairs += [(int(terms.sizes[argument] + results[n].size), argument, int(n)) for n in determined]
    found: dict[Expr, None] = {}
    for _, argument, number in sorted(pairs)[:FUNCTIONS]:
        if work.over:
            break
        result = results[number]
        cells = of.cells(terms.values[argument], setting)
        at, first = np.unique(cells[where], return_index=True)
        work.spend(3 * len(of))
        for index in _equal(of.terms.values, at, result.values[first])[:2]:
            if result.fits(of.terms.values[index][cells], wanted):
                found[result.formula(of.expr(int(index), terms.expr(argument)))] = None
    return sorted(found, key=plainness)[:FOUND]


@dataclass(frozen=True)
class _Result:
    """What may be a function's value. op, term: how the formula is made of it; values: where it counts."""

    op: str
    terms: Terms = field(repr=False)
    term: int
    values: Array = field(repr=False)

    @property
    def size(self) -> int:
        return 0 if self.op == "" else int(self.terms.sizes[self.term])

    def fits(self, function: Array, wanted: Array) -> bool:
        """Whether the formula with this function's values is the target at all positions."""
        return self.op != "==" or bool(((function == self.terms.values[self.term]) == wanted).all())

    def formula(self, function: Expr) -> Expr:
        if self.op == "":
            return function
        term = self.terms.expr(self.term)
        return compare("==", term, function) if self.op == "==" else Binary(self.op, function, term)


def _without_constants(terms: Terms) -> Array:
    """The numbers of the terms that are made of variables only, and then of the others."""
    free: list[bool] = []
    for op, left, right in terms.nodes:
        if op == ATOM:
            free.append(isinstance(terms.atoms[left], Name))
        else:
            free.append(op != GIVEN and free[left] and (right == NONE or free[right]))
    return np.argsort(~np.array(free), kind="stable")


def _results(terms: Terms, some: Array, wanted: Array, where: Array) -> Iterator[_Result]:
    if wanted.dtype != bool:
        yield _Result("", terms, 0, wanted)
    for number in map(int, some):
        row = terms.values[number]
        if wanted.dtype != bool:
            yield _Result("^", terms, number, wanted ^ row)
            yield _Result("+", terms, number, wanted - row)
        elif row.min() != row.max():
            yield _Result("==", terms, number, row[where])


def _determined(rows: Array, cells: Array) -> Array:
    """Which rows are constant wherever the cells are equal, if these have enough values."""
    order = np.argsort(cells, kind="stable")
    fresh = np.concatenate([[True], cells[order][1:] != cells[order][:-1]])
    starts, alike = np.flatnonzero(fresh), np.flatnonzero(~fresh)
    if len(starts) < FEWEST:
        return np.empty(0, dtype=np.int64)
    few = alike[:: max(1, len(alike) // SCREENED)]
    left = np.flatnonzero((rows[:, order[few]] == rows[:, order[few - 1]]).all(axis=1))
    sorted_ = rows[left][:, order]
    same = np.maximum.reduceat(sorted_, starts, axis=1) == np.minimum.reduceat(sorted_, starts, axis=1)
    return np.asarray(left[same.all(axis=1)])


def _equal(values: Array, at: Array, wanted: Array) -> Array:
    """Which rows have the wanted values there."""
    if not len(at):
        return np.arange(len(values))
    rows = np.flatnonzero(values[:, at[-1]] == wanted[-1])  # large arguments tell functions apart
    for cell, value in zip(at[-2::-1], wanted[-2::-1], strict=True):
        if not len(rows):
            break
        rows = rows[values[rows, cell] == value]
    return rows
