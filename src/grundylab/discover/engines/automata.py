"""The engine ``automata``: the minimal automaton of the positions' binary digits, parameters read beside them.

Positions outside the samples are "don't care". An automaton is learnt from nested boxes, each half as large as the
next. It is proposed only if it no longer grows: if the one learnt from the half box is right in the whole.

States are residuals. The residual of a word of digits is what the table says of the numbers that begin (low digit
first) with it, as a function of what follows. In the minimal automaton of a set each state is one residual. A table
sees only a part of each, the smaller the longer the word, so residuals are merged where they agree as far as both are
seen, the shortest words first; what one of them has seen more of is then known of both. (Merging of states as in Oncina
& García, *Inferring regular languages in polynomial updated time*, 1992, on a table instead of a tree of words.)
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from grundylab.automata.digits import DEAD, MAX_ARITY, DigitAutomaton
from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Array, Proposals
from grundylab.discover.quotients import without_idle
from grundylab.discover.work import DISPATCH, UNLIMITED, Work
from grundylab.games.model import Target
from grundylab.language.syntax import Accepts, Name

MOST = 400  # states that are looked at
LONGEST = 8_000  # characters of an automaton's text that is a formula
CELLS = 1 << 25  # of the table that is learnt from
SMALLEST = 4  # a number below this is not halved
BOXES = 3
UNKNOWN = -1  # a cell that is no position, or was not seen
COMPARED = 4  # what a cell of a residual counts as work when it is compared with a state's
_CORNER = 8  # numbers below this are compared first: most residuals differ there


class Unreadable(Exception):
    """The samples cannot be read as the digits of numbers, and why."""


@dataclass(frozen=True)
class Learning:
    """What was learnt from each box, the largest last.

    names: what the automata read. boxes: the greatest value of each name. automata: None where there were too many
    states, or no time left. wrong: at how many of all positions each is wrong. stopped: whether the time was up.
    """

    names: tuple[str, ...]
    boxes: Sequence[tuple[int, ...]]
    automata: Sequence[DigitAutomaton | None]
    wrong: Sequence[int]
    stopped: bool = False

    @property
    def accepted(self) -> DigitAutomaton | None:
        """The automaton, if it stopped growing: that of the half box is right in the whole, or has as many states."""
        if len(self.boxes) < 2:
            return None
        half, whole = self.automata[-2:]
        if half is not None and self.wrong[-2] == 0:
            return half
        settled = half is not None and whole is not None and half.states == whole.states
        return whole if settled and self.wrong[-1] == 0 else None

    def __str__(self) -> str:
        none = "unknown" if self.stopped else "too many"
        states = ", ".join(str(automaton.states) if automaton else none for automaton in self.automata)
        boxes = "; ".join(
            ", ".join(f"{name} <= {top}" for name, top in zip(self.names, box, strict=True))
            for box in self.boxes
        )
        seen = f"{states} states ({boxes})"
        if len(self.boxes) < 2:
            return f"too small a table to tell whether it is automatic: {seen}"
        if self.stopped:
            return f"no time to tell whether it is automatic: {seen}"
        half, whole = self.automata[-2:]
        if self.accepted is None and (half is None or whole is None or whole.states > half.states):
            return f"not automatic as far as seen, the automaton keeps growing: {seen}"
        wrong = self.wrong[-1] if self.accepted is None else self.wrong[-2]
        if wrong:
            which = "the last one is" if self.accepted is None else "the last but one is"
            return f"it may be automatic: {seen}, but {which} wrong at {wrong:,} of the positions"
        return f"automatic as far as seen: {seen}"


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """The automaton of a condition, if it no longer grows; nothing for a number. The note says how it grew."""
    if samples.values.dtype != bool:
        return Proposals(notes=("an automaton is of a condition, and this target is a number",))
    try:
        learning = study(samples, Work(BUDGET_SHARE * budget_seconds))
    except Unreadable as reason:
        return Proposals(notes=(str(reason),))
    accepted, notes = learning.accepted, (str(learning),)
    if accepted is None:
        return Proposals(notes=notes)
    if (length := len(str(accepted))) > LONGEST:
        return Proposals(notes=(*notes, f"its {length:,} characters are too long for a formula"))
    return Proposals((Accepts(accepted, tuple(map(Name, learning.names))),), notes)


def study(samples: Samples, work: Work = UNLIMITED) -> Learning:
    """What can be learnt of a condition. Raises Unreadable if its positions are not digits, or it is constant."""
    if not samples.variables:
        raise Unreadable("no coordinate and no parameter varies")
    for name in samples.variables:
        if samples.columns[name].min() < 0:
            raise Unreadable(f"{name} is negative at some positions, and automata read digits without a sign")
    if samples.values.all() or not samples.values.any():
        raise Unreadable("the target is the same at all positions")
    names = without_idle(samples).variables
    if len(names) > MAX_ARITY:
        raise Unreadable(f"{len(names)} numbers matter, and automata read at most {MAX_ARITY}")
    columns = [samples.columns[name] for name in names]
    tops = _cropped(tuple(int(column.max()) for column in columns))
    table = _table(columns, samples.values, tops)
    boxes = _boxes(columns, tops)
    automata = [learn(table[tuple(slice(top + 1) for top in box)], MOST, work) for box in boxes]
    wrong = [_wrong(automaton, columns, samples.values) for automaton in automata]
    return Learning(names, boxes, automata, wrong, stopped=work.over and None in automata)


def _wrong(automaton: DigitAutomaton | None, columns: Sequence[Array], values: Array) -> int:
    """At how many of the positions it is wrong."""
    if automaton is None:
        return len(values)
    return int(np.count_nonzero(automaton.contains_each(columns) != values))


def _table(columns: Sequence[Array], values: Array, tops: tuple[int, ...]) -> Array:
    """The samples in the box as an array for ``learn``."""
    inside = np.ones(len(values), dtype=bool)
    for column, top in zip(columns, tops, strict=True):
        inside &= column <= top
    table = np.full([top + 1 for top in tops], UNKNOWN, dtype=np.int8)
    table[tuple(column[inside] for column in columns)] = values[inside]
    return table


def _cropped(tops: tuple[int, ...]) -> tuple[int, ...]:
    """The box, or one of its halves if it has too many cells."""
    while np.prod([top + 1.0 for top in tops]) > CELLS:
        tops = tuple(top // 2 if top >= SMALLEST else top for top in tops)
    return tops


def _boxes(columns: Sequence[Array], tops: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The greatest values of each name in the boxes, the smallest box first.

    A small number is not halved, nor one that would have one value only.
    """
    boxes = [tops]
    while len(boxes) < BOXES:
        half = tuple(
            top // 2 if top >= SMALLEST and _varies(column, top // 2) else top
            for column, top in zip(columns, boxes[0], strict=True)
        )
        if half == boxes[0]:
            break
        boxes.insert(0, half)
    return boxes


def _varies(column: Array, top: int) -> bool:
    """Whether there is more than one value up to this."""
    kept = column[column <= top]
    return bool(len(kept) and np.any(kept != kept[0]))


# -- learning from one table ---------------------------------------------------------------------------------


class _TooMany(Exception):
    """The automaton would have more states than asked for, or there is no time left."""


def learn(table: Array, most: int, work: Work = UNLIMITED) -> DigitAutomaton | None:
    """An automaton that says what the table says wherever that is known.

    table: int8 array with an axis a number, of 0, 1 and UNKNOWN. What no cell of it tells is not accepted. None if
    there were more than ``most`` states, or once the work is over.
    """
    try:
        return _Learner(table, most, work).run()
    except _TooMany:
        return None


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
                raise _TooMany
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
            raise _TooMany
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
