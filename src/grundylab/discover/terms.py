"""Integer terms enumerated bottom-up, cheapest first, one representative per behaviour on the sample.

The cost of a term is about its size. Something new at the end of a chain (of ``^``, of ``+`` and ``-``, of
``min`` or of ``max``) costs 1 only, so that nim-sums and sums of several coordinates come early; rarer
operators cost more. Nothing is divided by a logarithm or a root, and neither is taken of another: such terms fit
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array
from grundylab.discover.fingerprints import LARGEST, fingerprints, unseen, weights, with_seen
from grundylab.discover.work import Work
from grundylab.errors import EvaluationError
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Binary, Call, Int, Name

_CHUNK = 1 << 21  # array cells worked on at a time
TRIED = 2  # what a cell of a term that is tried counts as work

# The operators of leaves and of terms given as a whole; the right operand of what has one operand.
ATOM, GIVEN, NONE = "atom", "given", -1
COSTS = tuple(
    {"+": 1, "-": 1, "^": 1, "%": 1, "//": 1, "*": 2, "min": 2, "max": 2, "abs": 2, "&": 3, "|": 3}.items()
)
_UNARY_COST = {"floor_log2": 2, "isqrt": 4}
_CALL_COST, _CALLED = 1, 4  # of the ruleset's functions, which are called with terms of at most such a cost
_COMMUTES = frozenset({"+", "^", "*", "&", "|", "min", "max", "abs"})
_CHAIN = {"+": "+", "-": "+", "^": "^", "min": "<", "max": ">", "&": "&", "|": "|"}


@dataclass(frozen=True)
class Language:
    """What terms are made of. constants: those there are, and what each costs; divisors: which may divide.

    ratios: whether every term that is always positive may divide, or of variables parameters only. largest: terms
    with a greater absolute value on the sample are left out. given: other terms to begin with, and what each costs.
    costs: the binary operators, and what each costs.
    """

    constants: Mapping[int, int]
    divisors: tuple[int, ...]
    ratios: bool = False
    largest: int = LARGEST
    given: tuple[tuple[Expr, int], ...] = ()
    costs: tuple[tuple[str, int], ...] = COSTS


SEVERAL = Language({0: 1, 1: 1, 2: 1, 3: 2, 4: 2}, (2, 3, 4))
# Of one variable there are few terms, and so there is room for more.
ONE = Language(
    {0: 1, 1: 1, 2: 1, 3: 2, 4: 2} | dict.fromkeys(range(5, 11), 3) | dict.fromkeys(range(11, 17), 4),
    tuple(range(2, 17)),
    ratios=True,
)


# And of few symbols there are deep terms.
DEEP = Language(
    {0: 1, 1: 1, 2: 1},
    (2,),
    ratios=True,
    costs=(("+", 1), ("-", 1), ("^", 1), ("//", 1), ("%", 2), ("&", 2)),
)


_ARRAYS = ("values", "sizes", "linear", "residue", "extreme")  # of Terms, one entry a term


@dataclass(frozen=True)
class Terms:
    """A bank of terms. values: int32 (terms, positions of the sample); sizes: nodes of each; cheapest first.

    linear: which are sums and differences of variables only; residue: which are a linear term's residue;
    extreme: which are the least or greatest of some variables.
    """

    values: Array
    sizes: Array
    linear: Array
    residue: Array
    extreme: Array
    nodes: tuple[tuple[str, int, int], ...] = field(repr=False)
    atoms: tuple[Expr, ...]
    given: tuple[Callable[[int], Expr], ...] = ()

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.nodes)

    def at(self, rows: Array) -> Terms:
        """The same terms at some of the positions (no longer of distinct behaviour)."""
        return replace(self, values=self.values[:, rows])

    def first(self, count: int) -> Terms:
        """The cheapest of them."""
        arrays = {name: getattr(self, name)[:count] for name in _ARRAYS}
        return replace(self, nodes=self.nodes[:count], **arrays)

    def with_given(self, tree: Callable[[int], Expr], sizes: Array, values: Array) -> Terms:
        """With these terms (sizes: nodes of each; values: int32 (terms, positions)) after the others."""
        none = np.zeros(len(sizes), dtype=bool)
        more = dict(zip(_ARRAYS, (values.astype(np.int32), sizes, none, none, none), strict=True))
        arrays: dict[str, Any] = {n: np.concatenate([getattr(self, n), more[n]]) for n in _ARRAYS}
        nodes = (*self.nodes, *((GIVEN, len(self.given), number) for number in range(len(sizes))))
        return replace(self, nodes=nodes, given=(*self.given, tree), **arrays)

    def expr(self, index: int) -> Expr:
        """The term as a tree."""
        op, left, right = self.nodes[index]
        if op == ATOM:
            return self.atoms[left]
        if op == GIVEN:
            return self.given[left](right)
        if right == NONE:
            return Call(op, (self.expr(left),))
        a, b = self.expr(left), self.expr(right)
        if op in ("min", "max"):
            first = a.arguments if isinstance(a, Call) and a.name == op else (a,)
            return Call(op, (*first, b))
        return Call("abs", (Binary("-", a, b),)) if op == "abs" else Binary(op, a, b)


def enumerate_terms(
    samples: Samples, most: int, tried: int, work: Work, language: Language = SEVERAL
) -> Terms:
    """At most ``most`` terms; at most ``tried`` are tried, and no more than the work that is left."""
    bank = _Bank(samples, weights(len(samples), language.largest), most, language)
    cost, idle = 2, 0
    while len(bank) < most and tried > 0 and idle < 4 and not work.over:
        before = len(bank)
        for op, left, right in bank.level(cost):
            left, right = left[:tried], right[:tried]
            tried -= len(left)
            bank.add(op, left, right, cost)
            work.spend(TRIED * len(left) * len(samples))
            if len(bank) >= most or tried <= 0 or work.over:
                break
        idle = idle + 1 if len(bank) == before else 0
        cost += 1
    return bank.finished()


class _Bank:
    """The terms found so far, as parallel growing lists of array blocks."""

    def __init__(self, samples: Samples, by: Array, most: int, language: Language) -> None:
        variables = samples.variables
        self._samples = samples
        self._functions = [f.name for f in samples.functions if len(f.arguments) == 1]
        self._weights = by
        self._language = language
        names = [name for name in variables if self._small(samples.columns[name])]
        constants = [value for value in language.constants if abs(value) <= language.largest]
        self._atoms: tuple[Expr, ...] = (*map(Name, names), *map(Int, constants))
        self._variables, atoms = len(names), len(self._atoms)
        room = most + len(variables) + len(language.constants)
        self._values = np.empty((room, len(samples)), dtype=np.int32)
        self._count = 0
        self._known = np.empty(0, dtype=np.int64)
        self._nodes: list[tuple[str, int, int]] = []
        # used: the variables (one bit each) and whether a constant occur
        self._cost, self._size, self._chain, self._used = np.zeros((4, room), dtype=np.int64)
        # rounded: whether a logarithm or a root occurs
        self._fixed, self._linear, self._residue, self._extreme, self._rounded = np.zeros((5, room), bool)
        columns = [samples.columns[name] for name in names]
        columns += [np.full(len(samples), value) for value in constants]
        block = np.array(columns, dtype=np.int32).reshape(atoms, len(samples))
        self._store(ATOM, block, np.arange(atoms), np.zeros(atoms, dtype=np.int64), 1)
        self._cost[self._variables : atoms] = [language.constants[value] for value in constants]
        self._fixed[:atoms] = [name in samples.parameters for name in names] + [True] * len(constants)
        self._linear[: self._variables] = True
        self._used[:atoms] = 1 << np.minimum(np.arange(atoms), self._variables)
        self._given = tuple(tree for tree, _ in language.given)
        for number, (tree, cost) in enumerate(language.given):
            row = np.asarray(evaluate_arrays(tree, samples.columns, samples.functions))
            if self._small(row):
                self._store(GIVEN, row[None].astype(np.int32), np.array([0]), np.array([number]), cost)

    def _small(self, row: Array) -> bool:
        return row.dtype != object and bool(np.abs(row).max(initial=0) <= self._language.largest)

    def __len__(self) -> int:
        return self._count

    def finished(self) -> Terms:
        """The bank, as a value."""
        n = self._count
        flags = self._linear[:n], self._residue[:n], self._extreme[:n]
        return Terms(
            self._values[:n],
            self._size[:n],
            *flags,
            tuple(self._nodes),
            self._atoms,
            (self._given.__getitem__,),
        )

    def level(self, cost: int) -> Iterator[tuple[str, Array, Array]]:
        """The operations that make terms of this cost, as (operator, left terms, right terms)."""
        n = self._count
        costs, atoms = self._cost[:n], len(self._atoms)
        constant = np.arange(n) >= self._variables
        constant[atoms:] = False
        operand = ~(constant & (self._values[:n, 0] == 0))  # not the constant 0
        divisor = self._divisors(n, constant)
        for op, extra in self._language.costs:
            if chain := _CHAIN.get(op):
                tail = np.flatnonzero(operand & (np.arange(n) < atoms))
                heads = np.flatnonzero((costs < cost) & (self._chain[:n] == ord(chain)))
                left, right = _pairs(heads, tail)
                fresh = (self._used[left] & self._used[right] == 0) & (costs[left] + costs[right] == cost)
                yield op, left[fresh], right[fresh]
            for first in range(1, cost - extra):
                second = cost - extra - first
                if op in _COMMUTES and second > first:
                    continue
                allowed = divisor if op in ("//", "%") else operand
                lefts = np.flatnonzero(
                    operand & ~constant & (costs == first) | (op == "-") & constant & (costs == first)
                )
                rights = np.flatnonzero(allowed & (costs == second))
                left, right = _pairs(lefts, rights)
                keep = left != right
                if op in _COMMUTES and first == second:
                    keep &= (left < right) | constant[right]
                if op == "abs":
                    keep &= ~constant[left] & ~constant[right]
                if chain:
                    keep &= ~((self._chain[left] == ord(chain)) & (right < atoms))
                yield op, left[keep], right[keep]
        for op, extra in _UNARY_COST.items():
            low = np.flatnonzero(~constant & ~self._rounded[:n] & (costs == cost - extra))
            low = low[self._values[low].min(axis=1, initial=1) >= (1 if op == "floor_log2" else 0)]
            yield op, low, np.full(len(low), NONE)
        if cost - _CALL_COST <= _CALLED:
            for name in self._functions:
                inner = np.flatnonzero(~constant & (costs == cost - _CALL_COST))
                yield name, inner, np.full(len(inner), NONE)

    def _divisors(self, n: int, constant: Array) -> Array:
        """What may stand on the right of // and %: small constants, and positive terms (of parameters only)."""
        allowed = ~constant & ~self._rounded[:n] & (self._fixed[:n] | self._language.ratios)
        rows = np.flatnonzero(allowed)
        allowed[rows] = self._values[rows].min(axis=1, initial=1) > 0
        return allowed | (constant & np.isin(self._values[:n, 0], self._language.divisors))

    def add(self, op: str, left: Array, right: Array, cost: int) -> None:
        """Those of the terms ``left op right`` that behave like no earlier one."""
        step = max(_CHUNK // max(self._values.shape[1], 1), 1)
        for start in range(0, len(left), step):
            i, j = left[start : start + step], right[start : start + step]
            if op in self._functions:
                i, j, block = self._called(op, i)
            else:
                block = _OPERATIONS[op](self._values[i], self._values[j])
            small = np.flatnonzero(np.abs(block).max(axis=1, initial=0) <= self._language.largest)
            self._store(op, block[small], i[small], j[small], cost)

    def _called(self, name: str, arguments: Array) -> tuple[Array, Array, Array]:
        """The function's values, where it has some, that are not too large, at all positions of the sample."""
        kept, rows, terms = [], [], self.finished()
        for argument in map(int, arguments):
            call = Call(name, (terms.expr(argument),))
            try:
                values = evaluate_arrays(call, self._samples.columns, self._samples.functions)
            except EvaluationError:
                continue
            if self._small(values):
                kept.append(argument)
                rows.append(values.astype(np.int32))
        block = np.array(rows, dtype=np.int32).reshape(len(rows), len(self._samples))
        return np.array(kept, dtype=np.int64), np.full(len(kept), NONE), block

    def _store(self, op: str, block: Array, left: Array, right: Array, cost: int) -> None:
        prints = fingerprints(block, self._weights)
        fresh = unseen(prints, self._known)[: len(self._values) - self._count]
        if op == ATOM:  # a constant may behave like a variable: keep both, so that atoms stay in place
            fresh = np.arange(len(block))
        at = slice(self._count, self._count + len(fresh))
        i, j = left[fresh], right[fresh]
        self._values[at] = block[fresh]
        self._chain[at] = ord(_CHAIN.get(op, " "))
        self._cost[at] = cost
        if op == ATOM:
            self._size[at] = 1
        elif op == GIVEN:
            self._size[at] = [self._given[number].size for number in j]
            self._used[at] = -1  # all of them: it continues no chain
            self._rounded[at] = True
        elif op in _UNARY_COST or op in self._functions:
            self._size[at] = 1 + self._size[i]
            self._used[at] = self._used[i]
            self._rounded[at] = self._rounded[i] | (op in _UNARY_COST)
        else:
            longer = (op in ("min", "max")) & (self._chain[i] == ord(_CHAIN.get(op, "-")))
            self._size[at] = self._size[i] + self._size[j] + (2 if op == "abs" else 1 - longer)
            self._fixed[at] = self._fixed[i] & self._fixed[j]
            self._rounded[at] = self._rounded[i] | self._rounded[j]
            self._used[at] = self._used[i] | self._used[j]
            if op in ("min", "max"):
                start = self._linear[i] & (self._size[i] == 1)
                self._extreme[at] = (
                    (start | self._extreme[i] & longer) & self._linear[j] & (self._size[j] == 1)
                )
            self._linear[at] = self._linear[i] & self._linear[j] & (op in ("+", "-"))
            self._residue[at] = self._linear[i] & (op == "%")
        self._nodes += [(op, int(a), int(b)) for a, b in zip(i, j, strict=True)]
        self._known = with_seen(self._known, prints[fresh])
        self._count += len(fresh)


def _pairs(left: Array, right: Array) -> tuple[Array, Array]:
    """Every left with every right."""
    return np.repeat(left, len(right)), np.tile(right, len(left))


_OPERATIONS: Mapping[str, Callable[[Array, Array], Array]] = MappingProxyType(
    {
        "+": np.add,
        "-": np.subtract,
        "^": np.bitwise_xor,
        "*": lambda a, b: a.astype(np.int64) * b,
        "&": np.bitwise_and,
        "|": np.bitwise_or,
        "//": np.floor_divide,
        "%": np.remainder,
        "min": np.minimum,
        "max": np.maximum,
        "abs": lambda a, b: np.abs(a - b),
        "floor_log2": lambda a, _: np.frexp(a.astype(np.float64))[1].astype(np.int32) - 1,
        "isqrt": lambda a, _: np.sqrt(a.astype(np.float64)).astype(np.int32),  # exact up to 52 bits
    }
)
