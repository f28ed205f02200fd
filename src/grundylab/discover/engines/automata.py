"""The engine ``automata``: the minimal automaton of the positions' digits, parameters read beside them.

The digits are binary; if that automaton keeps growing they are those of other numeration systems, in turn, of which the
first is taken whose automaton does not.

Positions outside the samples are "don't care". An automaton is learnt from nested boxes, each half as large as the
next. It is proposed only if it no longer grows: if the one learnt from the half box is right in the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf

import numpy as np

from grundylab.automata.digits import DEAD, MAX_ARITY, DigitAutomaton
from grundylab.automata.systems import BINARY, FIBONACCI, TRIBONACCI, System
from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Array, Proposals
from grundylab.discover.quotients import without_idle
from grundylab.discover.residuals import UNKNOWN, learn
from grundylab.discover.work import UNLIMITED, Work
from grundylab.games.model import Target
from grundylab.language.syntax import Accepts, Name

# Tried in turn, after the binary system. What a power of a base tells, the base tells, too.
BASES = tuple(map(System.of_base, (3, 5, 6, 7, 10, 11, 12, 13, 14, 15, 17, 18)))
OTHERS = (FIBONACCI, BASES[0], System((2, 1)), System((3, 1)), TRIBONACCI, *BASES[1:])
SLACK = 1.25  # states of the whole box's automaton for one of the half box's, in other systems
FEWER = 150  # states of those
SYMBOLS = 25  # of those
LONGER = 2  # bits of an automaton for one of its table, beyond which no larger box is read
SHARE = 0.1  # of the work that is left, for one of those
MOST = 400  # states that are looked at
LONGEST = 8_000  # characters of an automaton's text that is a formula
CELLS = 1 << 25  # of the table that is learnt from
SMALLEST = 4  # a number below this is not halved
BOXES = 3


class Unreadable(Exception):
    """The samples cannot be read as the digits of numbers, and why."""


@dataclass(frozen=True)
class Learning:
    """What was learnt from each box, the largest last.

    names: what the automata read. boxes: the greatest value of each name. automata: None where there were too many
    states, or no time left. wrong: at how many of all positions each is wrong. stopped: whether the time was up.
    system: whose digits were read. listed: whether the last automaton takes more to write down than its table.
    """

    names: tuple[str, ...]
    boxes: Sequence[tuple[int, ...]]
    automata: Sequence[DigitAutomaton | None]
    wrong: Sequence[int]
    stopped: bool = False
    system: System = BINARY
    listed: bool = False

    @property
    def accepted(self) -> DigitAutomaton | None:
        """The automaton, if it stopped growing: that of the half box is right in the whole, or has as many states.

        In other systems than the binary one games have beginnings that go far, so there it may still grow a little;
        what is proposed is tried on larger tables. One that takes more to write down than its table is no more than
        a list.
        """
        if len(self.boxes) < 2:
            return None
        half, whole = self.automata[-2:]
        if half is not None and self.wrong[-2] == 0:
            return half
        if half is None or whole is None:
            return None
        slow = not self.system.binary and half.states < whole.states <= SLACK * half.states
        stopped = slow or whole.states == half.states
        return whole if stopped and self.wrong[-1] == 0 and not self.listed else None

    @property
    def growing(self) -> bool:
        """Whether there is one, but it still grows a little."""
        found, half = self.accepted, self.automata[-2:][0]
        return found is not None and half is not None and found.states > half.states

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
    """The automaton of a condition, if it no longer grows; nothing for a number. The note says how it grew.

    Where it still grows a little larger tables are asked for, and there its system is the first that is tried.
    """
    return _propose((BINARY, *OTHERS), Work(BUDGET_SHARE * budget_seconds), samples, target)


def _propose(systems: Sequence[System], work: Work, samples: Samples, target: Target, *_: float) -> Proposals:
    if samples.values.dtype != bool:
        return Proposals(notes=("an automaton is of a condition, and this target is a number",))
    try:
        learnings = _learnings(samples, work, systems)
    except Unreadable as reason:
        return Proposals(notes=(str(reason),))
    learning, notes = learnings[-1], (_told(learnings),)
    accepted = learning.accepted
    if accepted is None:
        return Proposals(notes=notes)
    if (length := len(str(accepted))) > LONGEST:
        return Proposals(notes=(*notes, f"its {length:,} characters are too long for a formula"))
    formula = Accepts(accepted, tuple(map(Name, learning.names)))
    first = sorted(systems, key=lambda system: system != accepted.system)
    return Proposals((formula,), notes, further=partial(_propose, first, work) if learning.growing else None)


def _learnings(samples: Samples, work: Work, systems: Sequence[System]) -> list[Learning]:
    """In the digits of the first of the systems, and of the others as far as the first in which it stops growing."""
    found = [study(samples, work, systems[0])]
    arity = len(found[0].names)
    for system in systems[1:] if len(found[0].boxes) > 1 else ():
        if system.base**arity > SYMBOLS:
            continue
        if found[-1].accepted is not None or work.over:
            break
        found.append(study(samples, work if system.binary else work.part(SHARE), system))
    return found


def _told(learnings: Sequence[Learning]) -> str:
    binary, last = next((str(each) for each in learnings if each.system.binary), ""), learnings[-1]
    if last.system.binary and len(learnings) == 1:
        return binary
    if last.accepted is not None:
        return f"{binary and f'{binary}; but '}in {last.system.words} {last}"
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
    automata, most, length = list[DigitAutomaton | None](), MOST if system.binary else FEWER, 0.0
    for box in boxes:
        part = table[tuple(slice(top + 1) for top in box)]
        # once there are too many states, or it is far longer than the table, that is so in larger boxes
        automaton = learn(part, most, work, system) if system.binary or length <= LONGER else None
        automata.append(automaton)
        length = _bits(automaton) / _bits_of(part) if automaton else inf
    wrong = [_wrong(automaton, columns, samples.values) for automaton in automata]
    return Learning(names, boxes, automata, wrong, work.over and None in automata, system, length > 1)


def _bits(automaton: DigitAutomaton) -> int:
    """How many bits it takes to write down, about: for each state where its digits lead, neighbours alike once."""
    leads = sum(a != b for row in automaton.rows for a, b in pairwise((DEAD, *row)))
    return leads * (automaton.states.bit_length() + automaton.system.base.bit_length())


def _bits_of(table: Array) -> int:
    """How many bits the table takes, about: one a position, or else the places where it changes."""
    known = table[table != UNKNOWN]
    changes = int(np.count_nonzero(known[1:] != known[:-1]))
    size = int(known.size)
    return max(1, min(size, (changes + 1) * size.bit_length()))


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
