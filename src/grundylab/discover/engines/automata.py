"""The engine ``automata``: the minimal automaton of the positions' digits, parameters read beside them.

The digits are binary; if that automaton keeps growing they are those of other numeration systems, in turn, of which the
first is taken whose automaton does not.

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
from grundylab.automata.systems import BINARY, FIBONACCI, TRIBONACCI, System
from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Array, Proposals
from grundylab.discover.quotients import without_idle
from grundylab.discover.work import DISPATCH, UNLIMITED, Work
from grundylab.games.model import Target
from grundylab.language.syntax import Accepts, Name

OTHERS = (FIBONACCI, System((2, 1)), System((3, 1)), TRIBONACCI)  # tried in turn, after the binary system
SLACK = 1.25  # states of the whole box's automaton for one of the half box's, in other systems
FEWER = 150  # states of those
SYMBOLS = 16  # of those
SHARE = 0.1  # of the work that is left, for one of those
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
        """The automaton, if it stopped growing: that of the half box is right in the whole, or has as many states.

        In other systems than the binary one games have beginnings that go far, so there it may still grow a little;
        what is proposed is tried on larger tables.
        """
        if len(self.boxes) < 2:
            return None
        half, whole = self.automata[-2:]
        if half is not None and self.wrong[-2] == 0:
            return half
        if half is None or whole is None:
            return None
        settled = whole.states == half.states or (
            not whole.system.binary and half.states < whole.states <= SLACK * half.states
        )
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
        binary, *others = _learnings(samples, Work(BUDGET_SHARE * budget_seconds))
    except Unreadable as reason:
        return Proposals(notes=(str(reason),))
    learning = others[-1] if others else binary
    notes = (_told(binary, others),)
    accepted = learning.accepted
    if accepted is None:
        return Proposals(notes=notes)
    if (length := len(str(accepted))) > LONGEST:
        return Proposals(notes=(*notes, f"its {length:,} characters are too long for a formula"))
    return Proposals((Accepts(accepted, tuple(map(Name, learning.names))),), notes)


def _learnings(samples: Samples, work: Work) -> list[Learning]:
    """In binary digits, and then in those of the other systems, as far as the first in which it stops growing."""
    found = [study(samples, work)]
    arity = len(found[0].names)
    for system in OTHERS if len(found[0].boxes) > 1 else ():
        if system.base**arity > SYMBOLS:
            continue
        if found[-1].accepted is not None or work.over:
            break
        found.append(study(samples, work.part(SHARE), system))
    return found


def _told(binary: Learning, others: Sequence[Learning]) -> str:
    if not others:
        return str(binary)
    if (accepted := others[-1].accepted) is not None:
        return f"{binary}; but in {accepted.system.words} {others[-1]}"
    return f"{binary}; nor is it seen to be in the systems {' and '.join(map(str, OTHERS))}"


def study(samples: Samples, work: Work = UNLIMITED, system: System = BINARY) -> Learning:
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
    automata, most = list[DigitAutomaton | None](), MOST if system.binary else FEWER
    for box in boxes:  # once they are too many there are too many in larger boxes
        smaller = not automata or automata[-1] is not None or system.binary
        part = table[tuple(slice(top + 1) for top in box)]
        automata.append(learn(part, most, work, system) if smaller else None)
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


def learn(table: Array, most: int, work: Work = UNLIMITED, system: System = BINARY) -> DigitAutomaton | None:
    """An automaton that says what the table says wherever that is known.

    table: int8 array with an axis a number, of 0, 1 and UNKNOWN. What no cell of it tells is not accepted. None if
    there were more than ``most`` states, or once the work is over.
    """
    try:
        return _Learner(table, most, work, system).run()
    except _TooMany:
        return None


class _Learner:
    """known: for each state its residual, as far as it was seen. rows: its next states; None: not seen yet.

    waiting: the transitions (state, symbol) to look at. unclear: those that several states fit equally well; they are
    decided when all others are, since every decision makes more known, for the state that most others lead to.
    """

    def __init__(self, table: Array, most: int, work: Work, system: System) -> None:
        self._most = most
        self._work = work
        self._system = system
        self._symbols = list(product(range(system.base), repeat=table.ndim))
        self._appended = () if system.binary else _appended(system, max(table.shape))
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
        accepting = tuple(self._accepts(rows, state) for state in range(len(rows)))
        return DigitAutomaton(tuple(rows), accepting, self._system)

    def _seen(self, state: int, symbol: int) -> Array:
        """The residual of the state and one symbol more."""
        return self._after(self._known[state], symbol)

    def _after(self, residual: Array, symbol: int) -> Array:
        """What the residual says of the numbers whose lowest digits are those of the symbol.

        Where digits are no number's it says 0.
        """
        digits = self._symbols[symbol]
        if self._system.binary:
            return residual[tuple(slice(digit, None, 2) for digit in digits)]
        axes = []
        for digit, length in zip(digits, residual.shape, strict=True):
            numbers, highest = self._appended[digit]
            axes.append(numbers[: np.searchsorted(highest, length)])
        self._work.spend(DISPATCH + COMPARED * residual.size)
        part = residual[np.ix_(*axes)]
        for axis, numbers in enumerate(axes):
            part[(slice(None),) * axis + (numbers < 0,)] = 0
        return part

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
        for symbol, target in enumerate(self._rows[state]):
            part = self._after(residual, symbol)
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


def _appended(system: System, most: int) -> tuple[tuple[Array, Array], ...]:
    """For each digit: by each number, as far as that is less than ``most``, the number with this digit below its own.

    It is -1 where these are no number's digits. Beside it, the highest up to there.
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
