"""Sets of tuples of natural numbers, as finite automata that read digits, low digit first.

All numbers of a tuple are read in parallel: a symbol holds one digit of each. Written in the base, the symbol's number
has the digit of the first number in its highest place. Any number of zeros may follow the highest digit of a number;
they make no difference. (Sets of this kind are called 2-automatic; Allouche & Shallit, *Automatic Sequences*, 2003,
Section 5.1 and Chapter 14.) The digits are binary unless the automaton names another numeration system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grundylab.automata.exploring import DEAD, explored
from grundylab.automata.systems import BINARY, System, aligned_digits
from grundylab.errors import FormulaError
from grundylab.numeric import Array

__all__ = ["DEAD", "MAX_ARITY", "MAX_STATES", "DigitAutomaton"]

MAX_ARITY = 8  # of the numbers that an automaton reads at once
MAX_SYMBOLS = 1 << MAX_ARITY
MAX_STATES = 1_000  # of an automaton given as text
MAX_VALID = 10 * MAX_STATES  # of an automaton restricted to valid digits, before minimisation

_STATE = re.compile(r"[+-](?:\d{0,6}(?:,\d{0,6})+)")

TransitionRow = tuple[int, ...]


@dataclass(frozen=True)
class DigitAutomaton:
    """A set of tuples of ``arity`` natural numbers, as an automaton.

    rows: for each state, the next state by each of the base**arity symbols, or DEAD. accepting: for each state, whether
    it accepts. The first state is initial. system: the numeration system of the digits. The constructor normalises the
    automaton: it then accepts valid digits only, is minimal, and has its states numbered breadth first. So equal sets
    are equal automata with equal text. Raises FormulaError if zeros after the highest digit make a difference.
    """

    rows: tuple[TransitionRow, ...]
    accepting: tuple[bool, ...]
    system: System = BINARY

    def __post_init__(self) -> None:
        rows, accepting = self.rows, self.accepting
        if not self.system.binary:
            rows, accepting = _valid_only(rows, accepting, self.system, self.arity)
        for number, (row, accepts) in enumerate(zip(rows, accepting, strict=True)):
            then = row[0] != DEAD and accepting[row[0]]
            if accepts != then:
                raise FormulaError(
                    f"state {number} of the automaton {'accepts' if accepts else 'does not accept'}, but after a zero "
                    f"of every number it {'does' if then else 'does not'}: zeros after the last digit must not matter"
                )
        rows, accepting = _canonical(rows, accepting)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "accepting", accepting)

    @classmethod
    def parse(cls, text: str) -> DigitAutomaton:
        """Return the automaton that the text describes: ``+0,,,0`` describes the pairs of equal numbers.

        Each state is written as + if it accepts, else -, and then the number of the next state by each symbol, with
        nothing for DEAD. The numeration system may come first, with a colon: ``fib: +0,,,0``. Raises FormulaError if
        the text describes no automaton.
        """
        name, colon, states = text.rpartition(":")
        system = System.parse(name) if colon else BINARY
        parts = states.split()
        if not parts:
            raise FormulaError("the automaton has no states; '+0,,,0', for two equal numbers, has one")
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
        """Return the set of all natural numbers, written in the system."""
        return cls(((0,) * system.base,), (True,), system)

    def __str__(self) -> str:
        states = " ".join(
            ("+" if accepts else "-") + ",".join("" if target == DEAD else str(target) for target in row)
            for row, accepts in zip(self.rows, self.accepting, strict=True)
        )
        return states if self.system.binary else f"{self.system}: {states}"

    @property
    def arity(self) -> int:
        """The number of natural numbers in each tuple."""
        return _arity(len(self.rows[0]), self.system.base)

    @property
    def states(self) -> int:
        """The number of states, counting DEAD if it is reachable."""
        return len(self.rows) + any(DEAD in row for row in self.rows)

    def __contains__(self, numbers: Sequence[int]) -> bool:
        """Tell whether the tuple is in the set; False if it has a negative number."""
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
        """Tell for each of many tuples whether it is in the set. columns: an integer array for each component."""
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
    """Return for each column a list of arrays: the digits of its numbers at each place, the lowest place first."""
    most = max(int(np.max(column, initial=0)) for column in columns)
    if system.binary:
        places = range(most.bit_length())
        return [[(column >> place & 1).astype(np.int64) for place in places] for column in columns]
    columns_of_digits = []
    for column in columns:
        digits, rest = list[Array](), column if most <= _MACHINE else column.astype(object)
        for value in reversed(system.places(most)):
            digits.append((rest // value).astype(np.int64))
            rest = rest % value
        columns_of_digits.append(digits[::-1])
    return columns_of_digits


def _arity(width: int, base: int) -> int:
    """Return the number of digits in a symbol, given the number of symbols (``width``)."""
    count = 0
    while base**count < width:
        count += 1
    return count


def _valid_only(
    rows: Sequence[TransitionRow], accepting: Sequence[bool], system: System, arity: int
) -> tuple[tuple[TransitionRow, ...], tuple[bool, ...]]:
    """Return (rows, accepting) of the automaton restricted to words in which the digits of each number are valid."""

    def after(pair: tuple[int, tuple[int, ...]]) -> Iterator[tuple[int, tuple[int, ...]] | None]:
        state, places = pair
        for symbol, target in enumerate(rows[state]):
            digits = [symbol // system.base**place % system.base for place in reversed(range(arity))]
            then = tuple(system.valid[at][digit] for at, digit in zip(places, digits, strict=True))
            yield None if target == DEAD or DEAD in then else (target, then)

    def check(count: int, _: object) -> None:
        if count > MAX_VALID:
            raise FormulaError(
                f"the automaton has more than {MAX_VALID:,} states once restricted to valid digits"
            )

    table, pairs = explored((0, (0,) * arity), after, check)
    return tuple(table), tuple(accepting[state] for state, _ in pairs)


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


def _canonical(
    rows: Sequence[TransitionRow], accepting: Sequence[bool]
) -> tuple[tuple[TransitionRow, ...], tuple[bool, ...]]:
    """Return (rows, accepting) of the minimal automaton of the same set, with states numbered breadth first.

    Two states are in one class if they accept the same continuations; in the class DEAD if they accept none. After
    E. F. Moore, *Gedanken-experiments on sequential machines*, 1956.
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
    if classes[0] == DEAD:
        return ((DEAD,) * len(rows[0]),), (False,)
    member = {kind: state for state, kind in reversed(list(enumerate(classes)))}

    def after(kind: int) -> Iterator[int | None]:
        for target in rows[member[kind]]:
            yield None if target == DEAD or classes[target] == DEAD else classes[target]

    table, kinds = explored(classes[0], after)
    return tuple(table), tuple(bool(accepting[member[kind]]) for kind in kinds)
