"""The engine ``automata``: the minimal automaton that reads the digits of coordinates and parameters in parallel.

The digits are binary at first. If the automaton keeps growing with the samples, other numeration systems are tried in
turn, up to the first one whose automaton stops growing. The first of these is the game's own system, if it has one.

Automata are learnt from nested boxes of positions, each with half the bounds of the next. An automaton is proposed only
if it has stopped growing, for instance if the one learnt from the second largest box is right at all positions. For
positions outside the samples it may give any value.
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
from grundylab.discover.base import BUDGET_SHARE, Proposals
from grundylab.discover.losing_heaps import losing_heap_systems
from grundylab.discover.residuals import UNKNOWN, learn
from grundylab.discover.sample_quotients import without_idle
from grundylab.discover.search_budget import UNLIMITED, SearchBudget
from grundylab.games.model import Target
from grundylab.language.syntax import Accepts, Name
from grundylab.numeric import Array

# Tried in turn, after the binary system. A set automatic in a power of a base is automatic in the base, too.
BASES = tuple(map(System.of_base, (3, 5, 6, 7, 10, 11, 12, 13, 14, 15, 17, 18)))
OTHERS = (FIBONACCI, BASES[0], System((2, 1)), System((3, 1)), TRIBONACCI, *BASES[1:])
SLACK = 1.25  # greatest ratio of states of the whole box's automaton to the half box's, in other systems
FEWER = 150  # most states in other systems
SYMBOLS = 25  # most symbols in other systems
LONGER = 2  # ratio of an automaton's bits to its table's, beyond which no larger box is read
SHARE = 0.1  # share of the remaining work for one of the other systems
MOST = 400  # most states in the binary system
LONGEST = 8_000  # most characters of an automaton in a formula
CELLS = 1 << 25  # most cells of the table from which an automaton is learnt
SMALLEST = 4  # bounds below this are not halved
BOXES = 3  # most boxes


class Unreadable(Exception):
    """Failure to read samples as digits of numbers; the message gives the reason."""


@dataclass(frozen=True)
class Learning:
    """The automata learnt from nested boxes of positions, the smallest box first.

    names: the numbers that the automata read. boxes: for each box the greatest value of each name. automata: one for
    each box; None if there were too many states, or no work left. wrong: for each automaton the number of positions, of
    all samples, where it is wrong. stopped: whether the work was used up. system: the numeration system of the digits.
    listed: whether the last automaton takes more bits than its table.
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
        """The automaton if it has stopped growing; else None.

        The half box is the second largest. Growth has stopped if its automaton is right at all positions, or if the
        largest box's is right and has equally many states. In systems other than the binary one, the automaton may
        still grow a little, since irregular beginnings of games extend far there; it is then tested on larger tables.
        An automaton that takes more bits than its table is a mere list, and is not accepted.
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
        """True if an automaton is accepted although it still grows a little."""
        accepted, half = self.accepted, self.automata[-2:][0]
        return accepted is not None and half is not None and accepted.states > half.states

    def __str__(self) -> str:
        none = "unknown" if self.stopped else "too many"
        states = ", ".join(str(automaton.states) if automaton else none for automaton in self.automata)
        boxes = "; ".join(
            ", ".join(f"{name} <= {top}" for name, top in zip(self.names, box, strict=True))
            for box in self.boxes
        )
        seen = f"{states} states ({boxes})"
        if len(self.boxes) < 2:
            return f"the table is too small to tell whether it is automatic: {seen}"
        if self.stopped:
            return f"not enough time to tell whether it is automatic: {seen}"
        half, whole = self.automata[-2:]
        if self.accepted is None and (half is None or whole is None or whole.states > half.states):
            return f"does not look automatic, the automaton keeps growing: {seen}"
        wrong = self.wrong[-1] if self.accepted is None else self.wrong[-2]
        if wrong:
            which = "the last one is" if self.accepted is None else "the last but one is"
            return f"it may be automatic: {seen}, but {which} wrong at {wrong:,} of the positions"
        return f"looks automatic: {seen}"


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the automaton of a condition, if it has stopped growing, with a note on its growth.

    For a number there is only a note. If the automaton still grows a little, ``further`` of the result continues on
    larger tables, where its numeration system is tried first.
    """
    systems = dict.fromkeys((BINARY, *losing_heap_systems(samples), *OTHERS))
    return _propose(tuple(systems), SearchBudget(BUDGET_SHARE * budget_seconds), samples, target)


def _propose(
    systems: Sequence[System], work: SearchBudget, samples: Samples, target: Target, *_: float
) -> Proposals:
    if samples.values.dtype != bool:
        return Proposals(notes=("an automaton describes a condition, but the target is a number",))
    try:
        learnings = [learn_from_boxes(samples, work, systems[0])]
        arity = len(learnings[0].names)
        # the others are used in turn if there are several boxes, up to the first in which automata stop growing
        for system in systems[1:] if len(learnings[0].boxes) > 1 else ():
            if system.base**arity > SYMBOLS:
                continue
            if learnings[-1].accepted is not None or work.over:
                break
            learnings.append(learn_from_boxes(samples, work if system.binary else work.part(SHARE), system))
    except Unreadable as reason:
        return Proposals(notes=(str(reason),))
    learning = learnings[-1]
    accepted = learning.accepted
    note = next((str(learning) for learning in learnings if learning.system.binary), "")
    if len(learnings) > 1 or not learning.system.binary:
        if accepted is None:
            note += f"; nor does it look automatic in the systems {' and '.join(map(str, OTHERS))}"
        else:
            note = f"{note and f'{note}; but '}in {learning.system.words} {learning}"
    if accepted is None:
        return Proposals(notes=(note,))
    if (length := len(str(accepted))) > LONGEST:
        return Proposals(notes=(note, f"its {length:,} characters are too long for a formula"))
    formula = Accepts(accepted, tuple(map(Name, learning.names)))
    first = sorted(systems, key=lambda system: system != accepted.system)
    return Proposals(
        (formula,), (note,), further=partial(_propose, first, work) if learning.growing else None
    )


def learn_from_boxes(samples: Samples, work: SearchBudget = UNLIMITED, system: System = BINARY) -> Learning:
    """Learn the automata of a condition from nested boxes.

    Raise Unreadable if numbers are negative or too many, or if the condition or all names are constant.
    """
    if not samples.variables:
        raise Unreadable("no coordinate and no parameter varies")
    for name in samples.variables:
        if samples.columns[name].min() < 0:
            raise Unreadable(f"{name} is negative at some positions, but automata read digits without a sign")
    if samples.values.all() or not samples.values.any():
        raise Unreadable("the target is the same at all positions")
    names = without_idle(samples).variables
    if len(names) > MAX_ARITY:
        raise Unreadable(f"{len(names)} numbers matter, but automata read at most {MAX_ARITY}")
    columns = [samples.columns[name] for name in names]
    tops = tuple(int(column.max()) for column in columns)
    while np.prod([top + 1.0 for top in tops]) > CELLS:
        tops = tuple(top // 2 if top >= SMALLEST else top for top in tops)
    table = _table(columns, samples.values, tops)
    boxes = _boxes(columns, tops)
    automata, wrong = list[DigitAutomaton | None](), list[int]()
    most, length = MOST if system.binary else FEWER, 0.0
    for box in boxes:
        part = table[tuple(slice(top + 1) for top in box)]
        # too many states, or too many bits for the table, in one box imply the same in larger ones
        automaton = learn(part, most, work, system) if system.binary or length <= LONGER else None
        automata.append(automaton)
        if automaton is None:
            wrong.append(len(samples))
            length = inf
        else:
            wrong.append(int(np.count_nonzero(automaton.contains_each(columns) != samples.values)))
            length = _relative_length(automaton, part)
    return Learning(names, boxes, automata, wrong, work.over and None in automata, system, length > 1)


def _relative_length(automaton: DigitAutomaton, table: Array) -> float:
    """Estimate the bits that describe the automaton, as a multiple of those that describe the table.

    Equal transitions of the automaton by consecutive symbols count once. The table takes a bit for each position, or a
    list of the value changes if that is shorter.
    """
    leads = sum(a != b for row in automaton.rows for a, b in pairwise((DEAD, *row)))
    values = table[table != UNKNOWN]
    changes, size = int(np.count_nonzero(values[1:] != values[:-1])), int(values.size)
    bits = leads * (automaton.states.bit_length() + automaton.system.base.bit_length())
    return bits / max(1, min(size, (changes + 1) * size.bit_length()))


def _table(columns: Sequence[Array], values: Array, tops: tuple[int, ...]) -> Array:
    """Return the samples in the box with the greatest values ``tops``, as a table for ``learn``."""
    inside = np.ones(len(values), dtype=bool)
    for column, top in zip(columns, tops, strict=True):
        inside &= column <= top
    table = np.full([top + 1 for top in tops], UNKNOWN, dtype=np.int8)
    table[tuple(column[inside] for column in columns)] = values[inside]
    return table


def _boxes(columns: Sequence[Array], tops: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the nested boxes, the smallest first, each as the greatest value of each name.

    The bounds of a box are half those of the next. A bound is not halved if it is small, or if its name would keep only
    one value.
    """
    boxes = [tops]
    while len(boxes) < BOXES:
        half = list(boxes[0])
        for place, column in enumerate(columns):
            kept = column[column <= half[place] // 2]
            if half[place] >= SMALLEST and np.any(kept != kept[:1]):
                half[place] //= 2
        if tuple(half) == boxes[0]:
            break
        boxes.insert(0, tuple(half))
    return boxes
