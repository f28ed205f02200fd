"""Sets of tuples of natural numbers, as finite automata that read digits, low digit first.

One symbol holds one digit of every number, so all numbers are read in parallel; the symbol's number has the digit of
the first of them as its highest. Any number of zeros may follow the highest digit of a number and never matters. (Sets
of this kind are called 2-automatic; Allouche & Shallit, *Automatic Sequences*, 2003, Section 5.1 and Chapter 14.) The
digits are binary unless the text names another numeration system.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grundylab.automata.systems import BINARY, DEAD, System, aligned_digits
from grundylab.errors import FormulaError
from grundylab.numeric import Array

__all__ = ["DEAD", "MAX_ARITY", "MAX_STATES", "DigitAutomaton"]

MAX_ARITY = 8  # numbers read at once
MAX_SYMBOLS = 1 << MAX_ARITY
MAX_STATES = 1_000  # of an automaton given as text
MAX_VALID = 10 * MAX_STATES  # of one restricted to valid digits, before minimisation

_STATE = re.compile(r"[+-](?:\d{0,6}(?:,\d{0,6})+)")

TransitionRow = tuple[int, ...]


@dataclass(frozen=True)
class DigitAutomaton:
    """A set of tuples of ``arity`` natural numbers.

    rows: for each state, the next state for each of the base**arity symbols, or DEAD. accepting: for each state,
    whether it accepts. The first state is the initial state. system: the numeration system of the digits. An automaton,
    once constructed, accepts valid digits only, is minimal, and has its states numbered breadth first, so equal sets
    are equal automata and have equal text. Raises FormulaError if zeros after the highest digit would matter.
    """

    rows: tuple[TransitionRow, ...]
    accepting: tuple[bool, ...]
    system: System = BINARY

    def __post_init__(self) -> None:
        rows, accepting = self.rows, self.accepting
        if not self.system.binary:
            rows, accepting = _valid_only(rows, accepting, self.system, self.arity)
        _check_zeros(rows, accepting)
        rows, accepting = _canonical(rows, accepting)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "accepting", accepting)

    @classmethod
    def parse(cls, text: str) -> DigitAutomaton:
        """Return the automaton of a text such as ``+0,,,0``, which accepts x == y.

        The text has, for each state, whether it accepts (+) or not (-), and the number of the next state for each
        symbol, with nothing for DEAD. The numeration system may precede it, with a colon: ``fib: +0,,,0``.

        Raises FormulaError for a text that is not an automaton's.
        """
        name, colon, states = text.rpartition(":")
        system = System.parse(name) if colon else BINARY
        parts = states.split()
        if not parts:
            raise FormulaError(
                "the automaton has no states; '+0,,,0' has one, and says that two numbers are equal"
            )
        if len(parts) > MAX_STATES:
            raise FormulaError(f"an automaton has at most {MAX_STATES:,} states, this one {len(parts):,}")
        rows = []
        for number, part in enumerate(parts):
            if not _STATE.fullmatch(part):
                raise FormulaError(
                    f"state {number} of the automaton is '{part[:40]}', but a state is + or -, "
                    "and for each symbol the number of the next state or nothing, as in '+0,,,0'"
                )
            rows.append(tuple(int(target) if target else DEAD for target in part[1:].split(",")))
        _check_rows(rows, system)
        return cls(tuple(rows), tuple(part.startswith("+") for part in parts), system)

    @classmethod
    def of_every(cls, system: System) -> DigitAutomaton:
        """Return the set of all numbers, which accepts every word of valid digits."""
        return cls(((0,) * system.base,), (True,), system)

    def __str__(self) -> str:
        states = " ".join(
            ("+" if accepts else "-") + ",".join("" if target == DEAD else str(target) for target in row)
            for row, accepts in zip(self.rows, self.accepting, strict=True)
        )
        return states if self.system.binary else f"{self.system}: {states}"

    @property
    def arity(self) -> int:
        """The number of numbers read."""
        return _arity(len(self.rows[0]), self.system.base)

    @property
    def states(self) -> int:
        """The number of states, including DEAD if it is reachable."""
        return len(self.rows) + any(DEAD in row for row in self.rows)

    def __contains__(self, numbers: Sequence[int]) -> bool:
        """Tell whether the tuple is in the set; no tuple with a negative number is."""
        if min(numbers) < 0:
            return False
        state, base = 0, self.system.base
        for digits in aligned_digits(self.system, numbers):
            symbol = 0
            for digit in digits:
                symbol = base * symbol + digit
            state = self.rows[state][symbol]
            if state == DEAD:
                return False
        return self.accepting[state]

    def contains_each(self, columns: Sequence[Array]) -> npt.NDArray[np.bool_]:
        """Tell for each of many tuples whether it is in the set. columns: integer arrays of one shape, one a number."""
        dead = len(self.rows)  # the dead state gets the last row, since it serves as an index
        rows = np.array([*self.rows, (DEAD,) * len(self.rows[0])])
        rows[rows == DEAD] = dead
        accepting = np.array([*self.accepting, False])
        natural = np.ones(np.shape(columns[0]), dtype=bool)
        for column in columns:
            natural &= np.asarray(column >= 0, dtype=bool)
        columns = [np.where(natural, column, 0) for column in columns]
        states, base = np.zeros(natural.shape, dtype=np.int64), self.system.base
        for digits in zip(*_digits_each(self.system, columns), strict=True):
            symbols = np.zeros(natural.shape, dtype=np.int64)
            for digit in digits:
                symbols = base * symbols + digit
            states = rows[states, symbols]
        return np.asarray(accepting[states] & natural)


_MACHINE = int(np.iinfo(np.int64).max)


def _digits_each(system: System, columns: Sequence[Array]) -> list[list[Array]]:
    """Return for each column its digits place by place, the lowest first: as many as the largest number has."""
    most = max(int(np.max(column, initial=0)) for column in columns)
    if system.binary:
        places = range(most.bit_length())
        return [[(column >> place & 1).astype(np.int64) for place in places] for column in columns]
    found = []
    for column in columns:
        digits, rest = list[Array](), column if most <= _MACHINE else column.astype(object)
        for value in reversed(system.places(most)):
            digits.append((rest // value).astype(np.int64))
            rest = rest % value
        found.append(digits[::-1])
    return found


def _arity(width: int, base: int) -> int:
    """Return the number of digits per symbol, given the number of symbols."""
    count = 0
    while base**count < width:
        count += 1
    return count


def _valid_only(
    rows: Sequence[TransitionRow], accepting: Sequence[bool], system: System, arity: int
) -> tuple[tuple[TransitionRow, ...], tuple[bool, ...]]:
    """Return the automaton restricted to the words in which the digits of each number are valid."""
    start = (0, (0,) * arity)
    numbers, waiting, found = {start: 0}, [start], list[TransitionRow]()
    for state, places in waiting:  # grows
        if len(waiting) > MAX_VALID:
            raise FormulaError(
                f"the automaton has more than {MAX_VALID:,} states once restricted to valid digits"
            )
        row = []
        for symbol, target in enumerate(rows[state]):
            digits = [symbol // system.base**place % system.base for place in reversed(range(arity))]
            after = tuple(system.valid[at][digit] for at, digit in zip(places, digits, strict=True))
            pair = target, after
            if target == DEAD or DEAD in after:
                row.append(DEAD)
                continue
            if pair not in numbers:
                numbers[pair] = len(waiting)
                waiting.append(pair)
            row.append(numbers[pair])
        found.append(tuple(row))
    return tuple(found), tuple(accepting[state] for state, _ in waiting)


def _check_rows(rows: Sequence[TransitionRow], system: System) -> None:
    width, base = len(rows[0]), system.base
    if width != base ** _arity(width, base) or width > MAX_SYMBOLS:
        raise FormulaError(
            f"state 0 of the automaton has {width} next states; there must be one for each symbol: "
            f"{base} for one number, {base**2} for two, …, at most {MAX_SYMBOLS}"
        )
    for number, row in enumerate(rows):
        if len(row) != width:
            raise FormulaError(
                f"state {number} of the automaton has {len(row)} next states, but state 0 has {width}"
            )
        if max(row) >= len(rows):
            raise FormulaError(
                f"state {number} of the automaton leads to state {max(row)}, but the last one is {len(rows) - 1}"
            )


def _check_zeros(rows: Sequence[TransitionRow], accepting: Sequence[bool]) -> None:
    for number, row in enumerate(rows):
        accepts, then = accepting[number], row[0] != DEAD and accepting[row[0]]
        if accepts != then:
            raise FormulaError(
                f"state {number} of the automaton {'accepts' if accepts else 'does not accept'}, but after a zero of "
                f"every number it {'does' if then else 'does not'}: zeros after the last digit must not matter"
            )


def _canonical(
    rows: Sequence[TransitionRow], accepting: Sequence[bool]
) -> tuple[tuple[TransitionRow, ...], tuple[bool, ...]]:
    """Return the minimal automaton of the same set, with its states numbered breadth first."""
    classes = _classes(rows, accepting)
    if classes[0] == DEAD:
        return ((DEAD,) * len(rows[0]),), (False,)
    member = {kind: state for state, kind in reversed(list(enumerate(classes)))}
    numbers, waiting, found = {DEAD: DEAD, classes[0]: 0}, [classes[0]], list[TransitionRow]()
    for kind in waiting:  # grows
        row = []
        for target in rows[member[kind]]:
            there = DEAD if target == DEAD else classes[target]
            if there not in numbers:
                numbers[there] = len(waiting)
                waiting.append(there)
            row.append(numbers[there])
        found.append(tuple(row))
    return tuple(found), tuple(bool(accepting[member[kind]]) for kind in waiting)


def _classes(rows: Sequence[TransitionRow], accepting: Sequence[bool]) -> list[int]:
    """Return for each state its class: states of one class accept the same continuations, those of the class DEAD none.

    After E. F. Moore, *Gedanken-experiments on sequential machines*, 1956.
    """
    classes = [0 if accepts else DEAD for accepts in accepting]
    count = 0
    while len({DEAD, *classes}) > count:
        count = len({DEAD, *classes})
        signatures = [
            (classes[state], *(DEAD if target == DEAD else classes[target] for target in row))
            for state, row in enumerate(rows)
        ]
        numbers = {(DEAD,) * (len(rows[0]) + 1): DEAD}
        classes = [numbers.setdefault(signature, len(numbers) - 1) for signature in signatures]
    return classes
