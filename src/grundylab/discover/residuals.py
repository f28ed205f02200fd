"""Learning an automaton from a table: states are residuals, and residuals that nothing tells apart are merged.

The residual of a word of digits is what the table says of the numbers that begin (low digit first) with it, as a
function of what follows. In the minimal automaton of a set each state is one residual. A table sees only a part of
each, the smaller the longer the word, so residuals are merged where they agree as far as both are seen, the shortest
words first; what one of them has seen more of is then known of both. (Merging of states as in Oncina & García,
*Inferring regular languages in polynomial updated time*, 1992, on a table instead of a tree of words.)
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import product

import numpy as np

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.discover.base import Array
from grundylab.discover.work import DISPATCH, UNLIMITED, Work

UNKNOWN = -1  # a cell that is no position, or was not seen
COMPARED = 4  # what a cell of a residual counts as work when it is compared with a state's
_CORNER = 8  # numbers below this are compared first: most residuals differ there


class TooMany(Exception):
    """The automaton would have more states than asked for, or there is no time left."""


def learn(table: Array, most: int, work: Work = UNLIMITED) -> DigitAutomaton:
    """An automaton that says what the table says wherever that is known.

    table: int8 array with an axis a number, of 0, 1 and UNKNOWN. What no cell of it tells is not accepted. Raises
    TooMany if there were more than ``most`` states, or once the work is over.
    """
    return _Learner(table, most, work).run()


class _Learner:
    """known: for each state its residual, as far as it was seen. rows: its next states; None: not seen yet.

    waiting: the transitions (state, symbol) to look at. unclear: those that several states fit equally well; they are
    decided when all others are, since every decision makes more known, for the state that most others lead to.
    """

    def __init__(self, table: Array, most: int, work: Work) -> None:
        self._most = most
        self._work = work
        self._symbols = [
            tuple(slice(digit, None, 2) for digit in digits) for digits in product((0, 1), repeat=table.ndim)
        ]
        self._known: list[Array] = []
        self._rows: list[list[int | None]] = []
        self._waiting: deque[tuple[int, int]] = deque()
        self._unclear: list[tuple[int, int]] = []
        self._add(table)

    def run(self) -> DigitAutomaton:
        while self._waiting or self._unclear:
            if self._work.over:
                raise TooMany
            if self._waiting:
                self._decide(*self._waiting.popleft(), clear=True)
            else:
                best = max(self._unclear, key=lambda pair: np.count_nonzero(self._seen(*pair) != UNKNOWN))
                self._unclear.remove(best)
                self._decide(*best, clear=False)
        rows = [tuple(DEAD if target is None else target for target in row) for row in self._rows]
        return DigitAutomaton(tuple(rows), tuple(self._accepts(rows, state) for state in range(len(rows))))

    def _seen(self, state: int, symbol: int) -> Array:
        """The residual of the state and one symbol more."""
        return self._known[state][self._symbols[symbol]]

    def _decide(self, state: int, symbol: int, clear: bool) -> None:
        """Where the transition leads: to a state that is already there, if it can be. clear: if that is clear."""
        residual, row = self._seen(state, symbol), self._rows[state]
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
            row[symbol] = other  # what comes to be known of this state must go on to that one
            if shared[other] >= 0 and self._merged(other, residual):
                return
        row[symbol] = self._add(residual)

    def _add(self, residual: Array) -> int:
        state = len(self._known)
        if state >= self._most:
            raise TooMany
        self._known.append(residual)
        self._rows.append([None] * len(self._symbols))
        self._waiting.extend((state, symbol) for symbol in range(len(self._symbols)))
        return state

    def _shared(self, known: Array, residual: Array) -> int:
        """The number of cells in which both are known; -1 if they differ in one."""
        for corner in (_CORNER, None):
            a, b = _common(known, residual, corner)
            both = (a != UNKNOWN) & (b != UNKNOWN)
            if np.any(both & (a != b)):
                return -1
        return int(np.count_nonzero(both))

    def _merged(self, state: int, residual: Array) -> bool:
        """Add what the residual knows to the state's, and so on along its transitions; False if that contradicts."""
        changed: dict[int, Array] = {}
        if not self._fold(state, residual, changed):
            return False
        for other, known in changed.items():
            self._known[other] = known
            row = self._rows[other]  # it may be known now where its other transitions lead
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
        for digits, target in zip(self._symbols, self._rows[state], strict=True):
            part = residual[digits]
            if target is None or not part.size:
                continue
            if target == DEAD:
                if np.any(part == 1):
                    return False
            elif not self._fold(target, part, changed):
                return False
        return True

    def _accepts(self, rows: list[tuple[int, ...]], state: int) -> bool:
        """Whether the state accepts, or if that is not known, the one that zeros lead to."""
        for _ in rows:
            if state == DEAD:
                return False
            value = self._known[state].flat[0]
            if value != UNKNOWN:
                return bool(value)
            state = rows[state][0]
        return False


def _common(a: Array, b: Array, corner: int | None) -> tuple[Array, Array]:
    """The two arrays where both have cells, and no further than the corner."""
    ends = [min(widths) for widths in zip(a.shape, b.shape, strict=True)]
    box = tuple(slice(end if corner is None else min(end, corner)) for end in ends)
    return a[box], b[box]


def _union(known: Array, more: Array) -> Array | None:
    """What either knows; None if the first knows it all."""
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
