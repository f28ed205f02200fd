"""Linear equations and inequalities in the digits of a linear recurrence U(n) = a1 U(n-1) + … + am U(n-m).

The linear form is a sum of numbers with coefficients, plus an offset. An automaton first reads the numbers' digits from
the highest place down. The digits at place n and above contribute s1 U(n+m-1) + … + sm U(n) to the form, and the state
is (s1, …, sm). For the next place, s1 U(n+m-1) is expanded by the recurrence; the digits at place n - 1, weighted by
the coefficients, are added to the last component. (For m = 2: Mousavi, Schaeffer & Shallit, *Decision algorithms for
Fibonacci-automatic words I*, 2016, Section 4.)

A state is replaced by the sign of the form as soon as that is certain. The digits below place n make a number from 0 to
U(n) - 1 (see ``systems.py``). So they add at least -c (U(n) - 1) to the form, where -c is the sum of the negative
coefficients. The sequence s1 U(n+m-1) + … + sm U(n) - c U(n) obeys the recurrence, which has no negative factor: if it
is at least k >= 0 at n = 0, …, m - 1, it is at least k at every n. All of this is exact. Finitely many states remain
because a1 >= … >= am: all roots but one of the recurrence's characteristic polynomial then lie within the unit circle
(Brauer, *On algebraic equations with all but one root in the interior of the unit circle*, 1951).

This automaton is then reversed, to read from the lowest place up as all others do, and made deterministic.
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
from grundylab.automata.exploring import explored
from grundylab.automata.reversal import reversed_automaton
from grundylab.automata.systems import System

_State = tuple[int, ...] | int
_ABOVE, _BELOW = 1, -1  # states: the form is certainly positive, or negative
_PLAIN = 20  # the time for a cell here, in cells of the compiled loops
_CELLS = 200_000_000  # budget of table cells for the addition of one system


@lru_cache(maxsize=16)
def addition(system: System) -> DigitAutomaton:
    """Return the set of triples (a, b, a + b) in a system. Raises TooLarge if the automaton is too large."""
    return natural_tuples(
        linear_in_recurrence({"a": 1, "b": 1, "c": -1}, 0, "==", AutomataBudget(_CELLS, system))
    )


def linear_in_recurrence(
    coefficients: Mapping[str, int], offset: int, relation: str, work: AutomataBudget
) -> Dfa:
    """Return the tuples of natural numbers for which offset + the sum of coefficient * number is == 0 or <= 0.

    coefficients: by track. relation: "==" or "<=".
    """
    tracks = tuple(sorted(track for track, factor in coefficients.items() if factor))
    factors = [coefficients[track] for track in tracks]
    width, base = letter_count(tracks, work.system.base), work.system.base
    sums = [
        sum(factor * digit for factor, digit in zip(reversed(factors), digits, strict=True))
        for digits in product(range(base), repeat=len(tracks))  # the first digit changes slowest
    ]
    added = sorted(set(sums))
    down = _Downwards(work.system, factors, offset)
    rows, final = _explored(down, added, width, work)
    accepted = [
        number for number, value in enumerate(final) if value == 0 or (value < 0 and relation == "<=")
    ]

    def check(states: int, size: int) -> None:
        work.spend(width + _PLAIN * len(added) * (1 + size))
        if states * width > MAX_CELLS:
            work.spend(states * width)  # raises

    after, sign = reversed_automaton(rows, accepted, check)
    letters = [added.index(value) for value in sums]
    signs = np.zeros((len(after), width), dtype=bool)
    signs[:, 0] = sign
    solutions = minimal_dfa(tracks, np.array(after, dtype=np.int32)[:, letters], signs, work)
    for track in tracks:
        solutions = solutions & valid_words(track, work)
    return solutions


class _Downwards:
    """The automaton that reads from the highest place down; its letters are the weighted sums of a place's digits."""

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
        """Return the state after the digits at the next place, whose weighted sum is ``add``.

        It is _ABOVE or _BELOW if the form is certainly positive or negative. If n digits of each number are still to be
        read, they make numbers from 0 to U(n) - 1. So they add between -less * (U(n) - 1) and more * (U(n) - 1); more
        is the sum of the positive coefficients, -less of the negative.
        """
        if isinstance(state, int):
            return state
        first, *rest = state
        sums = [first * factor + other for factor, other in zip(self._recurrence, [*rest, add], strict=True)]
        then = tuple(sums)
        at = [(self._at(then, place), self._first[place]) for place in range(self._order)]
        # the form is at least (value - less * unit) + less + offset, which must be 1 or more
        if min(value - self._less * unit for value, unit in at) >= max(0, 1 - self._less - self._offset):
            return _ABOVE
        if max(value + self._more * unit for value, unit in at) <= min(0, -1 + self._more - self._offset):
            return _BELOW
        return then

    def final(self, state: _State) -> int:
        """Return the value of the form after the last digit, or another number of the same sign."""
        return state if isinstance(state, int) else self._at(state, 0) + self._offset

    def _at(self, state: tuple[int, ...], place: int) -> int:
        """Return s1 U(n+m-1) + … + sm U(n) for a state (s1, …, sm) and place n, where U are the place values."""
        values = self._first[place : place + self._order]
        return sum(factor * value for factor, value in zip(state, reversed(values), strict=True))


def _explored(
    down: _Downwards, added: Sequence[int], width: int, work: AutomataBudget
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Explore all states; return (rows, final): rows[state] lists the next states, by letter.

    final[state] has the sign of the linear form if the word ends there. State 0 is initial. added: the letters, which
    are weighted sums of digits. width: the number of letters of the automaton to be made, for the budget.
    """

    def check(count: int, _: _State) -> None:
        if (cells := count * width) > MAX_CELLS:
            work.spend(cells)  # raises
        work.spend(_PLAIN * len(added))

    rows, states = explored(down.start, lambda state: [down.after(state, add) for add in added], check)
    return rows, [down.final(state) for state in states]
