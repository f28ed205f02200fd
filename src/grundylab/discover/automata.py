"""The engine ``automata``: the minimal automaton of the positions' binary digits, parameters read beside them.

Positions outside the samples are "don't care". An automaton is learnt from nested boxes, each half as large as the
next. It is proposed only if it no longer grows: if the one learnt from the half box is right in the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grundylab.automata.digits import MAX_ARITY, DigitAutomaton
from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Array, Proposals
from grundylab.discover.residuals import UNKNOWN, TooMany, learn
from grundylab.discover.work import UNLIMITED, Work
from grundylab.games.model import Target
from grundylab.language.syntax import Accepts, Name

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
    names = samples.variables
    columns = [samples.columns[name] for name in names]
    if not names:
        raise Unreadable("no coordinate and no parameter varies")
    for name, column in zip(names, columns, strict=True):
        if column.min() < 0:
            raise Unreadable(f"{name} is negative at some positions, and automata read digits without a sign")
    tops = _cropped(tuple(int(column.max()) for column in columns))
    names, table = _relevant(names, _table(columns, samples.values, tops))
    if not names:
        raise Unreadable("the target is the same at all positions")
    if len(names) > MAX_ARITY:
        raise Unreadable(f"{len(names)} numbers matter, and automata read at most {MAX_ARITY}")
    columns = [samples.columns[name] for name in names]
    boxes = _boxes(columns, tuple(width - 1 for width in table.shape))
    automata = [_learnt(table[tuple(slice(top + 1) for top in box)], work) for box in boxes]
    wrong = [_wrong(automaton, columns, samples.values) for automaton in automata]
    return Learning(names, boxes, automata, wrong, stopped=work.over and None in automata)


def _learnt(table: Array, work: Work) -> DigitAutomaton | None:
    """The automaton of the table, if it has not too many states."""
    try:
        return learn(table, MOST, work)
    except TooMany:
        return None


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


def _relevant(names: tuple[str, ...], table: Array) -> tuple[tuple[str, ...], Array]:
    """Without the axes along which nothing ever changes, the last ones (parameters) first."""
    for axis in reversed(range(len(names))):
        lows = np.where(table == UNKNOWN, 2, table).min(axis)
        highs = table.max(axis)
        known = np.count_nonzero(highs != UNKNOWN)
        changes = np.any((highs != UNKNOWN) & (lows != highs))
        # where there is only one value along the axis, that it does not change says nothing
        if not changes and 2 * known <= np.count_nonzero(table != UNKNOWN):
            names, table = (*names[:axis], *names[axis + 1 :]), highs
    return names, table
