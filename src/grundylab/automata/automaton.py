"""Finite automata over the binary digits of several numbers at once, read low digit first, as MONA prints them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Self

from grundylab.automata.digits import MAX_ARITY, DigitAutomaton
from grundylab.errors import GrundylabError

_HEADER = re.compile(r"^DFA for formula with free variables:(.*)$", re.M)
_INITIAL = re.compile(r"^Initial state: (\d+)", re.M)
_ACCEPTING = re.compile(r"^Accepting states:(.*)$", re.M)
_STATES = re.compile(r"^Automaton has (\d+) states?", re.M)
_TRANSITION = re.compile(r"^State (\d+): ?([01X]*) -> state (\d+)$", re.M)


@dataclass(frozen=True)
class Automaton:
    """A deterministic automaton. Each letter holds one digit of every variable, in their order.

    The first letter is of its own: it holds the truth values of the booleans (X elsewhere); those after it are
    the digits of the numbers, from the lowest on. transitions: for each state, the letters that lead on, with
    X for either digit, and where they lead. More digits 0 at the end never change the answer.
    """

    variables: tuple[str, ...]
    states: int
    initial: int
    accepting: frozenset[int]
    transitions: tuple[tuple[tuple[str, int], ...], ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The automaton in what ``mona -w`` printed."""
        found = [pattern.search(text) for pattern in (_HEADER, _STATES, _INITIAL, _ACCEPTING)]
        header, states, initial, accepting = (match[1] if match else None for match in found)
        if header is None or states is None or initial is None or accepting is None:
            raise GrundylabError("MONA printed no automaton")
        rows: list[list[tuple[str, int]]] = [[] for _ in range(int(states))]
        for source, letter, target in _TRANSITION.findall(text):
            rows[int(source)].append((letter, int(target)))
        return cls(
            tuple(header.split()),
            int(states),
            int(initial),
            frozenset(map(int, accepting.split())),
            tuple(map(tuple, rows)),
        )

    def accepts(self, values: Mapping[str, int]) -> bool:
        """Whether the formula is true where each variable has this natural number (or truth value)."""
        numbers = [values[name] for name in self.variables]
        if min(numbers, default=0) < 0:
            raise GrundylabError("an automaton reads natural numbers only")
        # MONA gives a boolean no digits after the first letter, and a number none in it: both may be written
        # everywhere, since the transitions have X there.
        state = self.step(self.initial, [number & 1 for number in numbers])
        for digit in range(max(numbers, default=0).bit_length()):
            state = self.step(state, [number >> digit & 1 for number in numbers])
        return state in self.accepting

    def digits(self) -> DigitAutomaton | None:
        """The same set as an automaton without the first letter, or None if it reads too many numbers for that."""
        if not 1 <= len(self.variables) <= MAX_ARITY:
            return None
        symbols = list(product((0, 1), repeat=len(self.variables)))
        start = self.step(self.initial, symbols[0])
        numbers, waiting, rows = {start: 0}, [start], list[tuple[int, ...]]()
        for state in waiting:  # which grows
            for target in (targets := [self.step(state, symbol) for symbol in symbols]):
                if target not in numbers:
                    numbers[target] = len(waiting)
                    waiting.append(target)
            rows.append(tuple(numbers[target] for target in targets))
        return DigitAutomaton(tuple(rows), tuple(state in self.accepting for state in waiting))

    def step(self, state: int, digits: Sequence[int]) -> int:
        """The state after one letter."""
        letter = "".join(map(str, digits))
        known = self._known[state]
        if letter not in known:
            known[letter] = next(
                target for pattern, target in self.transitions[state] if _matches(pattern, letter)
            )
        return known[letter]

    @cached_property
    def _known(self) -> list[dict[str, int]]:
        """The letters met so far: with many variables most never are."""
        return [{} for _ in range(self.states)]


def _matches(pattern: str, letter: str) -> bool:
    return all(p in ("X", digit) for p, digit in zip(pattern, letter, strict=True))
