"""Learning of the minimal automaton of a set of numbers from a table of its members.

Numbers are read as words of digits, the lowest first. The residual of a word is the table restricted to the numbers
that begin with this word, as a function of the remaining digits. In the minimal automaton each state is one residual. A
table shows only a part of each residual, a smaller part for a longer word. So residuals that agree wherever both are
known are merged into one state, whose residual is known where either was; short words come first. (Merging of
states as in Oncina & García, *Inferring regular languages in polynomial updated time*, 1992, with a table in place of a
tree of words.)
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import product

import numpy as np

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import BINARY, System
from grundylab.discover.search_budget import DISPATCH, UNLIMITED, SearchBudget
from grundylab.numeric import Array

UNKNOWN = -1  # value of a cell that is not a position, or not in the samples
COMPARED = 4  # work of comparing one cell of two residuals
_CORNER = 8  # numbers below this are compared first: most residuals differ there


class _TooMany(Exception):
    """Failure to learn an automaton: more states than allowed, or no work left."""


def learn(
    table: Array, most: int, work: SearchBudget = UNLIMITED, system: System = BINARY
) -> DigitAutomaton | None:
    """Return an automaton that agrees with the table at all known cells.

    table: int8 array with one axis for each number and the values 0, 1 and UNKNOWN. Words whose value no cell
    determines are not accepted. None if there would be more than ``most`` states, or if the work is used up.
    """
    try:
        return _Learner(table, most, work, system).run()
    except _TooMany:
        return None


class _Learner:
    """Construction of the automaton, one transition after another.

    _known: the residual of each state, as far as it is known. _rows: the next states of each state, by symbol; None
    where undecided. _waiting: the transitions (state, symbol) to decide. _unclear: the transitions without a clear
    choice, since no state shares known cells with the residual, or several share equally many. They are decided last,
    when more is known; among equals the state to which most transitions lead is chosen.
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
                counts = [
                    int(np.count_nonzero(self._derivative(self._known[state], symbol) != UNKNOWN))
                    for state, symbol in self._unclear
                ]
                best = self._unclear.pop(counts.index(max(counts)))
                self._decide(*best, clear=False)
        rows = [tuple(DEAD if target is None else target for target in row) for row in self._rows]
        accepting = tuple(self._accepts(rows, state) for state in range(len(rows)))
        return DigitAutomaton(tuple(rows), accepting, self._system)

    def _derivative(self, residual: Array, symbol: int) -> Array:
        """Return the residual of the numbers whose lowest digits are the symbol's, as a function of the other digits.

        Cells are 0 where the system has no number with these digits, or UNKNOWN if any word counts as valid.
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
            part[(slice(None),) * axis + (numbers < 0,)] = UNKNOWN if self._system.begins else 0
        return part

    def _decide(self, state: int, symbol: int, clear: bool) -> None:
        """Decide the next state of a transition: an existing state if one fits, else a new one.

        Nothing is decided if no cell of the residual that it leads to is known. clear: decide only if the choice is
        clear; otherwise add the transition to ``_unclear``.
        """
        residual, row = self._derivative(self._known[state], symbol), self._rows[state]
        if row[symbol] is not None or not np.any(residual != UNKNOWN):
            return
        if not np.any(residual == 1):
            row[symbol] = DEAD
            return
        self._work.spend(len(self._known) * (DISPATCH + COMPARED * residual.size))
        shared = [self._shared(cells, residual) for cells in self._known]
        most = max(shared)
        if clear and (most == 0 or (most > 0 and shared.count(most) > 1)):
            self._unclear.append((state, symbol))
            return
        own, every = Counter(row), Counter(target for row in self._rows for target in row)
        for other in sorted(range(len(shared)), key=lambda s: (-shared[s], -own[s], -every[s], s)):
            row[symbol] = other  # before the merge, which follows this transition, too
            merged: dict[int, Array] = {}
            if shared[other] >= 0 and self._merge(other, residual, merged):
                for changed, cells in merged.items():
                    self._known[changed] = cells  # its undecided transitions may be decidable now
                    undecided = (s for s, target in enumerate(self._rows[changed]) if target is None)
                    self._waiting.extend((changed, s) for s in undecided)
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

    def _shared(self, cells: Array, residual: Array) -> int:
        """Count the cells known in both residuals; return -1 if the residuals differ at such a cell."""
        for corner in (_CORNER, None):
            a, b = _common(cells, residual, corner)
            both = (a != UNKNOWN) & (b != UNKNOWN)
            if np.any(both & (a != b)):
                return -1
        return int(np.count_nonzero(both))

    def _merge(self, state: int, residual: Array, changed: dict[int, Array]) -> bool:
        """Merge the residual into the state's; merge its successors into those of the states to which transitions lead.

        changed: gets the new residual of each state that learns a cell. If two known cells contradict each other,
        return False.
        """
        cells = changed.get(state, self._known[state])
        if self._shared(cells, residual) < 0:
            return False
        a, b = _common(cells, residual, None)
        inside = np.any((a == UNKNOWN) & (b != UNKNOWN))
        if not inside and np.count_nonzero(residual != UNKNOWN) == np.count_nonzero(b != UNKNOWN):
            return True  # all cells of the residual are known already
        shape = tuple(max(widths) for widths in zip(cells.shape, residual.shape, strict=True))
        union = np.full(shape, UNKNOWN, dtype=cells.dtype)
        union[tuple(map(slice, cells.shape))] = cells
        more = union[tuple(map(slice, residual.shape))]
        more[...] = np.where(residual == UNKNOWN, more, residual)
        changed[state] = union
        for symbol, target in enumerate(self._rows[state]):
            part = self._derivative(residual, symbol)
            if target is None or not part.size:
                continue
            if target == DEAD:
                if np.any(part == 1):
                    return False
            elif not self._merge(target, part, changed):
                return False
        return True

    def _accepts(self, rows: list[tuple[int, ...]], state: int) -> bool:
        """Tell whether the state accepts.

        If this is unknown, return the answer of the first state where it is known along the transitions by digit 0.
        """
        for _ in rows:
            if state == DEAD:
                return False
            value = self._known[state].flat[0]
            if value != UNKNOWN:
                return bool(value)
            state = rows[state][0]
        return False


def _append_tables(system: System, most: int) -> tuple[tuple[Array, Array], ...]:
    """Return for each digit an array that maps a number to the number with this digit appended as the lowest one.

    Only results below ``most`` are listed. An entry is -1 if the system has no number with these digits. The result has
    a pair for each digit: the array, and its running maximum.
    """
    numbers, places = np.arange(most), system.places(most)
    rest, above, lowest = numbers.copy(), np.zeros_like(numbers), numbers
    for place in range(len(places) - 1, -1, -1):
        lowest, rest = rest // places[place], rest % places[place]
        if place:
            above += lowest * places[place - 1]
    tables = []
    for digit in range(system.base):
        has = lowest == digit
        appended = np.full(above[-1] + 1, -1)
        appended[above[has]] = numbers[has]
        tables.append((appended, np.maximum.accumulate(appended)))
    return tuple(tables)


def _common(a: Array, b: Array, corner: int | None) -> tuple[Array, Array]:
    """Return the two arrays restricted to the cells that both have, and to indices below ``corner`` if it is given."""
    ends = [min(widths) for widths in zip(a.shape, b.shape, strict=True)]
    box = tuple(slice(end if corner is None else min(end, corner)) for end in ends)
    return a[box], b[box]
