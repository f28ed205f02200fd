"""Banks of terms: all terms up to a cost, enumerated bottom-up; of terms that agree on a sample only one is kept.

Such terms can replace each other in any formula without a change of its values on the sample. So if some formula fits
the sample, one made of the terms kept fits it, too, and costs no more (Udupa et al., TRANSIT, PLDI 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, reduce
from math import inf

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import cost
from grundylab.discover.fingerprints import CELLS, NONE, hashing, prints, unseen, with_seen
from grundylab.discover.sampling import setting_numbers
from grundylab.discover.search_budget import SearchBudget
from grundylab.errors import EvaluationError
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.builtins import BUILTINS
from grundylab.language.integer_arrays import apply_by_value, equal_row_groups
from grundylab.language.operators import OPERATORS
from grundylab.language.syntax import Binary, Call, Expr, Int, Name, negative
from grundylab.numeric import Array

MISSING = 32  # consecutive arguments without a value, going away from 0, after which a function is given up
LARGEST = (1 << 30) - 1  # the greatest absolute value of a term: the difference of two fits 32 bits
CONSTANTS = range(17)
TRIED = 3  # work of each cell of a term that is tried
_SHIFTS = 31  # greatest shift: one more than the bits of LARGEST
_TABLE = 4096  # number of values of a built-in function that are tabulated
_LEAF, _NEGATE = "leaf", "negate"
_ARGUMENT = "#argument"  # stands for a function's argument; no name of the formula language

BINARY = tuple(op for op in OPERATORS if op != "/")  # ``/`` makes a fraction, which is not a NUMBER
NARY = tuple(name for name, row in BUILTINS.items() if row.several)
UNARY = tuple(name for name, row in BUILTINS.items() if row.single and not (row.condition or row.rounds))
_COMMUTING = frozenset({*(op for op in BINARY if OPERATORS[op].commutes), *NARY})


@dataclass(frozen=True)
class CostedFormula:
    """A formula's cost, and a function that builds the formula, since most formulas are never needed."""

    cost: int
    tree: Callable[[], Expr]


@dataclass(frozen=True)
class GivenTerms:
    """Terms that are tried in addition to a bank's.

    values: integers (terms, positions). costs: of each term. expr: builds the term with a given number.
    """

    values: Array
    costs: Array
    expr: Callable[[int], Expr]


@dataclass(frozen=True)
class CompositeTerms:
    """Terms that one operator makes of a bank's terms, not yet compared with the bank.

    left, right: the numbers of the operands; right is -1 for an operator of one operand. values: int64 (terms,
    positions). defined: whether each term has a value at all positions; the other rows of values mean nothing.
    """

    op: str
    left: Array
    right: Array
    values: Array
    defined: Array

    def kept(self) -> CompositeTerms:
        """Return the terms that have a value at all positions, none of them above LARGEST in magnitude."""
        small = (self.values.max(axis=1) <= LARGEST) & (self.values.min(axis=1) >= -LARGEST)
        return self.at(np.flatnonzero(self.defined & small))

    def at(self, rows: Array | slice) -> CompositeTerms:
        """Return only the terms in these rows."""
        return CompositeTerms(
            self.op, self.left[rows], self.right[rows], self.values[rows], self.defined[rows]
        )


class Bank:
    """All terms that cost up to ``most``, cheapest first; of terms that agree on the sample only the first.

    A term is known by its number in this order. values: int32 (terms, positions of the sample). costs: of each term.
    """

    def __init__(
        self, samples: Samples, constants: range = CONSTANTS, given: Sequence[tuple[Expr, int]] = ()
    ) -> None:
        """Start with the terms of cost 1: names, constants, and the leaves in ``given`` that cost 1.

        given: further leaves, each with its cost.
        """
        self.samples = samples
        self.most = 0
        names = [name for name in samples.variables if np.abs(samples.columns[name]).max() <= LARGEST]
        self._leaves: tuple[Expr, ...] = (
            *map(Name, names),
            *map(Int, constants),
            *(tree for tree, _ in given),
        )
        self._block = values_of_terms(self._leaves, samples)
        self._paid = np.array([1] * (len(names) + len(constants)) + [paid for _, paid in given])
        self._hash = hashing(len(samples))
        self._known = NONE
        self._starts = [0]  # index of the first term of cost 1, 2, …
        self.values = self._buffer = np.empty((0, len(samples)), dtype=np.int32)
        self.costs = np.empty(0, dtype=np.int64)
        self._fixed = np.empty(0, dtype=bool)
        self._roots = np.empty(0, dtype=np.int64)  # the number of each term's operator
        self._left, self._right = np.empty((2, 0), dtype=np.int64)
        self._functions = tuple(f.name for f in samples.functions if len(f.arguments) == 1)
        self._operators = (_LEAF, _NEGATE, *UNARY, *self._functions, *BINARY, *NARY)
        self._store(list(self._new_terms(SearchBudget(inf))))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def complete(self) -> bool:
        """True if no further term exists: any operator applied to any two terms costs less than ``most``."""
        dearest = max(int(self.costs.max(initial=0)), int(self._paid.max(initial=0)))
        return self.most > 2 * dearest + 1 + max(map(cost.sign_cost, self._operators))

    def of_cost(self, total: int) -> Array:
        """Return the numbers of the terms of exactly this cost; empty if the bank does not extend so far."""
        if not 1 <= total <= self.most:
            return np.empty(0, dtype=np.int64)
        return np.arange(self._starts[total - 1], self._starts[total])

    def grow(self, work: SearchBudget, room: int) -> bool:
        """Add all terms of the next cost and return True.

        If the remaining work does not suffice, or the bank would exceed ``room`` terms, add none and return False.
        """
        terms, count = [], len(self)
        for made in self._new_terms(work):
            count += len(made.left)
            if work.over or count > room:
                return False
            terms.append(made)
        self._store(terms)
        return True

    def fill(self, work: SearchBudget, room: int) -> None:
        """Add terms, cheapest first, until the bank has ``room`` terms or the work is used up.

        Of the last cost reached, only some terms may be added.
        """
        grown = True
        while grown and not work.over and len(self) < room:
            terms, count = list[CompositeTerms](), len(self)
            for made in self._new_terms(work):
                terms.append(made.at(slice(room - count)))
                count += len(terms[-1].left)
                if count == room:
                    break
            grown = count > len(self)
            self._store(terms)

    def _new_terms(self, work: SearchBudget) -> Iterator[CompositeTerms]:
        """Yield the terms of the next cost that agree with no earlier term on the sample."""
        seen = self._known
        for made in self.made(self.most + 1, work):
            good = made.kept()
            marks = prints(good.values, self._hash)
            fresh = unseen(marks, seen)
            seen = with_seen(seen, marks[fresh])
            yield good.at(fresh)

    def made(
        self, total: int, work: SearchBudget, rows: Array | None = None, without: Container[str] = ()
    ) -> Iterator[CompositeTerms]:
        """Yield, in blocks, all terms of cost ``total`` whose operands are in the bank; stop when the work is used up.

        rows: the positions at which values are computed; None for all. without: operators that are left out.
        """
        values = self.values if rows is None else self.values.take(rows, axis=1)
        step = max(CELLS // max(values.shape[1], 1), 1)
        leaves = np.flatnonzero(self._paid == total)
        block = self._block[leaves] if rows is None else self._block[np.ix_(leaves, rows)]
        yield CompositeTerms(_LEAF, leaves, leaves, block, np.ones(len(leaves), dtype=bool))
        for op, left, right in self._pairs(total):
            if op in without:
                continue
            for start in range(0, len(left), step):
                i, j = left[start : start + step], right[start : start + step]
                work.spend(TRIED * len(i) * values.shape[1])
                if work.over:
                    return
                yield self._operation(op, i, j, values, rows)

    def _pairs(self, total: int) -> Iterator[tuple[str, Array, Array]]:
        for op in (_NEGATE, *UNARY, *self._functions):
            below = self.of_cost(total - (1 if op == _NEGATE else cost.sign_cost(op)))
            below = below[~self.constant(below)]
            yield op, below, np.full(len(below), -1)
        for extra in (1, 2, 3):
            for first in range(1, total - extra):
                i, j = _all_pairs(self.of_cost(first), self.of_cost(total - extra - first))
                known_i, known_j = self.constant(i), self.constant(j)
                for op in BINARY:
                    kept = ~(known_i & known_j)
                    if op in _COMMUTING:
                        kept &= i >= j
                    more = (
                        ~(known_i | known_j) if op == "*" else ~known_j if op in cost.BY_VARIABLES else False
                    )
                    kept &= cost.sign_cost(op) + more == extra
                    yield op, i[kept], j[kept]
        for op in NARY:
            # nested calls are flattened, so that the inner operator costs nothing
            paid = self.costs - (self._roots == self._operators.index(op))
            for first in range(1, total):
                i, j = _all_pairs(np.flatnonzero(paid == first), np.flatnonzero(paid == total - 1 - first))
                kept = (i > j) & ~(self.constant(i) & self.constant(j))
                yield op, i[kept], j[kept]

    def constant(self, terms: Array) -> Array:
        """Return for each of these terms whether its value is the same at all positions of the sample."""
        return np.asarray(self._fixed[terms])

    def _operation(self, op: str, i: Array, j: Array, values: Array, rows: Array | None) -> CompositeTerms:
        a = values[i].astype(np.int64)
        if op == _NEGATE:
            return CompositeTerms(op, i, j, -a, np.ones(len(i), dtype=bool))
        if op in UNARY:
            return CompositeTerms(op, i, j, *builtin_values(op, a))
        if op in self._functions:
            return self._call_values(op, i, j, a, rows)
        b = values[j].astype(np.int64)
        if op in NARY:
            operation = BUILTINS[op].array
            assert operation is not None
            return CompositeTerms(op, i, j, operation(a, b), np.ones(len(i), dtype=bool))
        row, defined = OPERATORS[op], np.ones(len(i), dtype=bool)
        if row.domain is not None:
            valued = row.domain.contains(b)
            defined, b = valued.all(axis=1), np.where(valued, b, row.domain.instead)
        if op in ("<<", ">>"):
            b = np.minimum(b, _SHIFTS)  # to the left a nonzero value is then too large, to the right 0 or -1
        return CompositeTerms(op, i, j, row.at_once(a, b), defined)

    def _call_values(
        self, name: str, i: Array, j: Array, values: Array, rows: Array | None
    ) -> CompositeTerms:
        """Return the calls of one of the ruleset's functions, with each of the terms ``i`` as the argument.

        values: the values of these terms at ``rows``. The function is evaluated once for each argument and parameter
        setting; a value that does not fit a machine integer counts as missing.
        """
        samples = self.samples if rows is None else self.samples.at(rows)
        setting = setting_numbers(samples)
        of_setting = np.unique(setting, return_index=True)[1]  # a position of each setting
        asked = [values.astype(np.int64).reshape(-1), np.tile(setting, len(i))]
        key = asked[0] * len(of_setting) + asked[1]
        first, place = equal_row_groups(asked) or np.unique(key, return_index=True, return_inverse=True)[1:]
        columns = {name: samples.columns[name][of_setting[asked[1][first]]] for name in samples.parameters}
        columns[_ARGUMENT] = asked[0][first]
        results, defined = np.zeros(len(first), dtype=np.int64), np.zeros(len(first), dtype=bool)
        below = int(np.sum(columns[_ARGUMENT] < 0))
        for outwards in (np.arange(below, len(first)), np.arange(below)[::-1]):
            ends = 2 ** np.arange(len(outwards).bit_length())  # of blocks of growing length: 1, 1, 2, 4, 8, …
            blocks = np.split(outwards, ends[ends < len(outwards)])
            waiting, missing = [block for block in blocks[::-1] if len(block)], 0
            while waiting and missing < MISSING:
                some = waiting.pop()
                here = {key: column[some] for key, column in columns.items()}
                value: Array | None = None
                with suppress(EvaluationError):
                    value = evaluate_arrays(Call(name, (Name(_ARGUMENT),)), here, samples.functions)
                if value is not None and value.dtype != object:
                    results[some], defined[some], missing = value, True, 0
                elif len(some) > 1:
                    waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
                else:
                    missing += 1
        place = place.reshape(values.shape)
        return CompositeTerms(name, i, j, results[place], np.asarray(defined[place].all(axis=1)))

    def _store(self, terms: list[CompositeTerms]) -> None:
        begin, end = len(self.values), len(self.values) + sum(len(made.left) for made in terms)
        if end > len(self._buffer):  # the buffer is doubled, so that values are seldom copied
            self._buffer = np.empty((2 * end, self.values.shape[1]), dtype=np.int32)
            self._buffer[:begin] = self.values
        self.values, new = self._buffer[:end], self._buffer[begin:end]
        np.concatenate([self.values[:0], *(made.values for made in terms)], out=new, casting="same_kind")
        self._known = with_seen(self._known, prints(new, self._hash))
        self._fixed = np.concatenate([self._fixed, (new == new[:, :1]).all(axis=1)])
        self._left = np.concatenate([self._left, *(made.left for made in terms)])
        self._right = np.concatenate([self._right, *(made.right for made in terms)])
        roots = [np.full(len(made.left), self._operators.index(made.op)) for made in terms]
        self._roots = np.concatenate([self._roots, *roots])
        self.most += 1
        self._starts.append(len(self.values))
        self.costs = np.repeat(np.arange(1, self.most + 1), np.diff(self._starts))

    def expr(self, number: int) -> Expr:
        """Return the formula of the term with this number."""
        op = self._operators[self._roots[number]]
        return self.tree(op, int(self._left[number]), int(self._right[number]))

    def rooted(self, *operators: str) -> Array:
        """Return the mask of the terms whose outermost operator is one of these binary operators."""
        given = [isinstance(leaf, Binary) and leaf.op in operators for leaf in self._leaves]
        leaves = np.flatnonzero(self._roots == 0)
        mask = np.isin(self._roots, [self._operators.index(op) for op in operators])
        mask[leaves] = np.array(given)[self._left[leaves]]
        return mask

    def tree(self, op: str, left: int, right: int) -> Expr:
        """Return the formula of an operator applied to the terms with these numbers.

        right: -1 for an operator of one operand. For a leaf, ``left`` is its number among the leaves.
        """
        if op == _LEAF:
            return self._leaves[left]
        operands = [self.expr(left), *([] if right < 0 else [self.expr(right)])]
        return operator_term(op, *operands)


TermSource = Bank | GivenTerms  # sources of terms for formulas


def _all_pairs(left: Array, right: Array) -> tuple[Array, Array]:
    """Return all pairs of an element of ``left`` and one of ``right``, as two arrays of the same length."""
    return np.repeat(left, len(right)), np.tile(right, len(left))


def builtin_values(name: str, values: Array) -> tuple[Array, Array]:
    """Return (a built-in function of each value, the mask of the terms for which it always exists).

    The function's values are int64 (terms, positions).
    """
    row = BUILTINS[name]
    least = -LARGEST if row.least is None else row.least
    safe = np.maximum(values, least)
    if row.array is not None:
        results = row.array(safe)
    else:  # for small arguments the value is read from a table
        small = (safe >= 0) & (safe < _TABLE)
        results = _table(name)[np.where(small, safe, 0)]
        if not small.all():
            results[~small] = apply_by_value(row.value, safe[~small])
    return np.asarray(results).astype(np.int64), np.asarray((values >= least).all(axis=1))


@cache
def _table(name: str) -> Array:
    row = BUILTINS[name]
    return np.array([row.value(max(n, row.least or 0)) for n in range(_TABLE)])


def values_of_terms(terms: Sequence[Expr], samples: Samples) -> Array:
    """Return the values of terms without calls of the ruleset's functions: int64 (terms, positions)."""
    rows = [evaluate_arrays(term, samples.columns) for term in terms]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(samples))


def operator_term(op: str, *operands: Expr) -> Expr:
    """Return the formula of an operator applied to these operands; nested calls of one function are flattened."""
    if op == _NEGATE:
        return negative(operands[0])
    if op in BINARY:
        return reduce(lambda a, b: Binary(op, a, b), operands)
    flat = list[Expr]()
    for operand in operands:
        if op in NARY and isinstance(operand, Call) and operand.name == op:
            flat += operand.arguments
        else:
            flat.append(operand)
    return Call(op, tuple(flat))
