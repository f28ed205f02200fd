"""Linear equations and inequalities in the digits of a linear recurrence U(n) = a1 U(n-1) + … + am U(n-m).

Read downwards, the digits above place n contribute s1 U(n+m-1) + … + sm U(n) to the form; the state is (s1, …, sm). The
digits at place n - 1 are added to the last component after s1 U(n+m-1) is expanded by the recurrence. (For m = 2:
Mousavi, Schaeffer & Shallit, *Decision algorithms for Fibonacci-automatic words I*, 2016, Section 4.)

A state is replaced by its sign as soon as that is certain. The digits below place n make a number from 0 to U(n) - 1
(see ``systems.py``), so they add to the form at least -c (U(n) - 1), where -c is the sum of the negative coefficients.
Now s1 U(n+m-1) + … + sm U(n) - c U(n), as a sequence in n, obeys the recurrence, which has no negative factor: if it is
at least k >= 0 at n = 0, …, m - 1, it is so at every n. All of this is exact. Finitely many states remain because a1 >=
… >= am, so that the other roots lie within the unit circle (Brauer, *On algebraic equations with all but one root in
the interior of the unit circle*, 1951).

The automaton built in this way is reversed, to read upwards as all others do, and determinised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from grundylab.automata.dfa import (
    MAX_CELLS,
    AutomataBudget,
    Dfa,
    letter_count,
    minimal_dfa,
    natural_tuples,
    valid_words,
)
from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.reversal import reversed_automaton
from grundylab.automata.systems import System

_State = tuple[int, ...] | int
_ABOVE, _BELOW = 1, -1  # states: the form is certainly positive, or negative
_PLAIN = 20  # a cell made here takes as long as this many in the compiled loops
_CELLS = 200_000_000  # of tables, for the sums of one system


@lru_cache(maxsize=16)
def addition(system: System) -> DigitAutomaton:
    """Return the triples (a, b, a + b). Raises TooLarge if the automaton is too large."""
    return natural_tuples(
        linear_in_recurrence({"a": 1, "b": 1, "c": -1}, 0, "==", AutomataBudget(_CELLS, system))
    )


def linear_in_recurrence(
    coefficients: Mapping[str, int], offset: int, relation: str, work: AutomataBudget
) -> Dfa:
    """Return the natural tuples where offset + the sum of coefficient * track is == 0, or <= 0."""
    tracks = tuple(sorted(track for track, factor in coefficients.items() if factor))
    factors = [coefficients[track] for track in tracks]
    width, base = letter_count(tracks, work.system.base), work.system.base
    sums = [
        sum(factor * digit for factor, digit in zip(reversed(factors), digits, strict=True))
        for digits in product(range(base), repeat=len(tracks))  # the first digit changes slowest
    ]
    added = sorted(set(sums))
    down = _Downwards(work.system, factors, offset)
    before, final = _explored(down, added, width, work)
    accepted = [
        number for number, value in enumerate(final) if value == 0 or (value < 0 and relation == "<=")
    ]

    def check(states: int, size: int) -> None:
        work.spend(width + _PLAIN * len(before) * (1 + size))
        if states * width > MAX_CELLS:
            work.spend(states * width)  # raises

    after, sign = reversed_automaton(before, accepted, check)
    letters = [added.index(value) for value in sums]
    signs = np.zeros((len(after), width), dtype=bool)
    signs[:, 0] = sign
    found = minimal_dfa(tracks, np.array(after, dtype=np.int32)[:, letters], signs, work)
    for track in tracks:
        found = found & valid_words(track, work)
    return found


class _Downwards:
    """The automaton that reads downwards; a letter is the weighted sum of the digits at one place."""

    def __init__(self, system: System, factors: Sequence[int], offset: int) -> None:
        self._recurrence, self._order = system.recurrence, len(system.recurrence)
        self._first = system.first(2 * self._order - 1)
        self._more = sum(factor for factor in factors if factor > 0)
        self._less = -sum(factor for factor in factors if factor < 0)
        self._offset = offset

    @property
    def start(self) -> _State:
        """The initial state, before any digit."""
        return (0,) * self._order

    def after(self, state: _State, add: int) -> _State:
        """Return the state after the digits at a place, whose weighted sum is ``add``."""
        if isinstance(state, int):
            return state
        first, *rest = state
        found = [first * factor + other for factor, other in zip(self._recurrence, [*rest, add], strict=True)]
        return self._sign_if_certain(tuple(found))

    def final(self, state: _State) -> int:
        """Return the value of the form after the last digit, or a number of its sign."""
        return state if isinstance(state, int) else self._at(state, 0) + self._offset

    def _at(self, state: tuple[int, ...], place: int) -> int:
        """Return the value of the state (s1, …, sm) at place n: s1 U(n+m-1) + … + sm U(n), U being the place values."""
        values = self._first[place : place + self._order]
        return sum(factor * value for factor, value in zip(state, reversed(values), strict=True))

    def _sign_if_certain(self, state: tuple[int, ...]) -> _State:
        """Return the state, or its sign if certain: the lower digits add from -less to more, times U(n) - 1."""
        at = [(self._at(state, place), self._first[place]) for place in range(self._order)]
        # the form is at least (the sequence - less * U(n)) + less + offset, which must be 1 or more
        if min(value - self._less * unit for value, unit in at) >= max(0, 1 - self._less - self._offset):
            return _ABOVE
        if max(value + self._more * unit for value, unit in at) <= min(0, -1 + self._more - self._offset):
            return _BELOW
        return state


def _explored(
    down: _Downwards, added: Sequence[int], width: int, work: AutomataBudget
) -> tuple[list[list[list[int]]], list[int]]:
    """Return for each sum and state its predecessors, and each state's final value; state 0 is the initial state."""
    numbers, waiting = {down.start: 0}, [down.start]
    before: list[list[list[int]]] = [[[]] for _ in added]
    for number, state in enumerate(waiting):  # grows
        if (cells := len(waiting) * width) > MAX_CELLS:
            work.spend(cells)  # raises
        work.spend(_PLAIN * len(added))
        for leading, add in zip(before, added, strict=True):
            then = down.after(state, add)
            if then not in numbers:
                numbers[then] = len(waiting)
                waiting.append(then)
                for each in before:
                    each.append([])
            leading[numbers[then]].append(number)
    return before, [down.final(state) for state in waiting]
