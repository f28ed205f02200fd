"""The minimal automaton of a table of numbers, as far as the table determines it.

States are residuals. The residual of a word of digits is the table restricted to the numbers that begin (low digit
first) with it, as a function of the remaining digits. In the minimal automaton of a set each state is one residual. A
table shows only a part of each, the smaller the longer the word, so residuals are merged where they agree on their
common part, the shortest words first; the union of their parts is then known of both. (Merging of states as in Oncina &
García, *Inferring regular languages in polynomial updated time*, 1992, on a table instead of a tree of words.)
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import product

import numpy as np

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import BINARY, System
from grundylab.discover.search_budget import DISPATCH, UNLIMITED, SearchBudget
from grundylab.numeric import Array

UNKNOWN = -1  # a cell that is not a position, or not in the samples
COMPARED = 4  # work of comparing a cell of a residual with a state's
_CORNER = 8  # numbers below this are compared first: most residuals differ there


class _TooMany(Exception):
    """More states than allowed, or no work left."""


def learn(
    table: Array, most: int, work: SearchBudget = UNLIMITED, system: System = BINARY
) -> DigitAutomaton | None:
    """Return an automaton that agrees with the table wherever that is known.

    table: int8 array with one axis for each number, of 0, 1 and UNKNOWN. Words that no cell determines are not
    accepted. None if there were more than ``most`` states, or once the work is used up.
    """
    try:
        return _Learner(table, most, work, system).run()
    except _TooMany:
        return None


class _Learner:
    """Construction of the automaton.

    known: for each state its residual, as far as it is known. rows: its next states; None if not yet known. waiting:
    the transitions (state, symbol) to decide. unclear: those that several states fit equally well; they are decided
    after all others, since every decision adds knowledge, in favour of the state that most transitions lead to.
    """

    def __init__(self, table: Array, most: int, work: SearchBudget, system: System) -> None:
        self._most = most
        self._work = work
        self._system = system
        self._symbols = list(product(range(system.base), repeat=table.ndim))
        self._append_tables = () if system.binary else _append_tables(system, max(table.shape))
        self._known: list[Array] = []
        self._rows: list[list[int | None]] = []
        self._waiting: deque[tuple[int, int]] = deque()
        self._unclear: list[tuple[int, int]] = []
        self._add(table)

    def run(self) -> DigitAutomaton:
        while self._waiting or self._unclear:
            if self._work.over:
                raise _TooMany
            if self._waiting:
                self._decide(*self._waiting.popleft(), clear=True)
            else:
                best = max(
                    self._unclear, key=lambda pair: np.count_nonzero(self._successor(*pair) != UNKNOWN)
                )
                self._unclear.remove(best)
                self._decide(*best, clear=False)
        rows = [tuple(DEAD if target is None else target for target in row) for row in self._rows]
        accepting = tuple(self._accepts(rows, state) for state in range(len(rows)))
        return DigitAutomaton(tuple(rows), accepting, self._system)

    def _successor(self, state: int, symbol: int) -> Array:
        """Return the residual after the state and one further symbol."""
        return self._derivative(self._known[state], symbol)

    def _derivative(self, residual: Array, symbol: int) -> Array:
        """Return the residual restricted to the numbers whose lowest digits are those of the symbol.

        Digits that belong to no number give 0.
        """
        digits = self._symbols[symbol]
        if self._system.binary:
            return residual[tuple(slice(digit, None, 2) for digit in digits)]
        axes = []
        for digit, length in zip(digits, residual.shape, strict=True):
            numbers, highest = self._append_tables[digit]
            axes.append(numbers[: np.searchsorted(highest, length)])
        self._work.spend(DISPATCH + COMPARED * residual.size)
        part = residual[np.ix_(*axes)]
        for axis, numbers in enumerate(axes):
            part[(slice(None),) * axis + (numbers < 0,)] = 0
        return part

    def _decide(self, state: int, symbol: int, clear: bool) -> None:
        """Decide the target of a transition: an existing state if one fits.

        clear: decide only if the choice is unique, and put the transition off otherwise.
        """
        residual, row = self._successor(state, symbol), self._rows[state]
        if row[symbol] is not None or not np.any(residual != UNKNOWN):
            return
        if not np.any(residual == 1):
            row[symbol] = DEAD
            return
        self._work.spend(len(self._known) * (DISPATCH + COMPARED * residual.size))
        shared = [self._shared(known, residual) for known in self._known]
        most = max(shared)
        if clear and (most == 0 or (most > 0 and shared.count(most) > 1)):
            self._unclear.append((state, symbol))
            return
        own, every = Counter(row), Counter(target for row in self._rows for target in row)
        for other in sorted(range(len(shared)), key=lambda s: (-shared[s], -own[s], -every[s], s)):
            row[symbol] = other  # so that cells merged into this state propagate to that one
            if shared[other] >= 0 and self._merge(other, residual):
                return
        row[symbol] = self._add(residual)

    def _add(self, residual: Array) -> int:
        state = len(self._known)
        if state >= self._most:
            raise _TooMany
        self._known.append(residual)
        self._rows.append([None] * len(self._symbols))
        self._waiting.extend((state, symbol) for symbol in range(len(self._symbols)))
        return state

    def _shared(self, known: Array, residual: Array) -> int:
        """Count the cells in which both are known; -1 if they differ in one."""
        for corner in (_CORNER, None):
            a, b = _common(known, residual, corner)
            both = (a != UNKNOWN) & (b != UNKNOWN)
            if np.any(both & (a != b)):
                return -1
        return int(np.count_nonzero(both))

    def _merge(self, state: int, residual: Array) -> bool:
        """Merge the residual into the state's and on along its transitions; return False if they contradict."""
        changed: dict[int, Array] = {}
        if not self._fold(state, residual, changed):
            return False
        for other, known in changed.items():
            self._known[other] = known
            row = self._rows[other]  # its other transitions may be decidable now
            self._waiting.extend((other, symbol) for symbol, target in enumerate(row) if target is None)
        return True

    def _fold(self, state: int, residual: Array, changed: dict[int, Array]) -> bool:
        known = changed.get(state, self._known[state])
        if self._shared(known, residual) < 0:
            return False
        union = _union(known, residual)
        if union is None:
            return True
        changed[state] = union
        for symbol, target in enumerate(self._rows[state]):
            part = self._derivative(residual, symbol)
            if target is None or not part.size:
                continue
            if target == DEAD:
                if np.any(part == 1):
                    return False
            elif not self._fold(target, part, changed):
                return False
        return True

    def _accepts(self, rows: list[tuple[int, ...]], state: int) -> bool:
        """Tell whether the state accepts; if unknown, whether the next known state along zeros does."""
        for _ in rows:
            if state == DEAD:
                return False
            value = self._known[state].flat[0]
            if value != UNKNOWN:
                return bool(value)
            state = rows[state][0]
        return False


def _append_tables(system: System, most: int) -> tuple[tuple[Array, Array], ...]:
    """Return for each digit an array that maps each number below ``most`` to the number with this digit appended.

    Entries are -1 where these digits belong to no number. Each array comes with its running maximum.
    """
    numbers, places = np.arange(most), system.places(most)
    rest, above, lowest = numbers.copy(), np.zeros_like(numbers), numbers
    for place in range(len(places) - 1, -1, -1):
        lowest, rest = rest // places[place], rest % places[place]
        if place:
            above += lowest * places[place - 1]
    found = []
    for digit in range(system.base):
        has = lowest == digit
        appended = np.full(above[-1] + 1, -1)
        appended[above[has]] = numbers[has]
        found.append((appended, np.maximum.accumulate(appended)))
    return tuple(found)


def _common(a: Array, b: Array, corner: int | None) -> tuple[Array, Array]:
    """Return the two arrays restricted to their common cells, and to the corner if given."""
    ends = [min(widths) for widths in zip(a.shape, b.shape, strict=True)]
    box = tuple(slice(end if corner is None else min(end, corner)) for end in ends)
    return a[box], b[box]


def _union(known: Array, more: Array) -> Array | None:
    """Return the cells known to either; None if the first has them all."""
    a, b = _common(known, more, None)
    inside = np.count_nonzero((a == UNKNOWN) & (b != UNKNOWN))
    if not inside and np.count_nonzero(more != UNKNOWN) == np.count_nonzero(b != UNKNOWN):
        return None
    shape = tuple(max(widths) for widths in zip(known.shape, more.shape, strict=True))
    union = np.full(shape, UNKNOWN, dtype=known.dtype)
    union[tuple(map(slice, known.shape))] = known
    part = union[tuple(map(slice, more.shape))]
    part[...] = np.where(more == UNKNOWN, part, more)
    return union
