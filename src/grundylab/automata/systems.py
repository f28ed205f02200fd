"""Numeration systems: binary digits, and digits whose place values are the terms of a linear recurrence.

The place values obey U(n) = a1 U(n-1) + … + am U(n-m) with a1 >= … >= am >= 1. They begin with U(0) = 1 and, for n < m,
U(n) = a1 U(n-1) + … + an U(0) + 1. The digits of a number are found greedily, the highest first. So the factors (1, 1)
give the Fibonacci numbers 1, 2, 3, 5, … and Zeckendorf's digits. For any a, (a, 1) gives the systems of Fraenkel (*How
to beat your Wythoff games' opponent on three fronts*, Amer. Math. Monthly 89, 1982), whose second place value is a + 1.
One factor, (b,), gives the powers of b, and the digits in base b.

A word of digits, read from the highest down, is valid (the greedy word of its number) if no part of it reaches a1 … am.
That is: after a1 … ai with i < m - 1 comes at most a(i+1), and after a1 … a(m-1) comes less than am (Parry, *On the
beta-expansions of real numbers*, 1960; Frougny, *Representations of numbers and finite automata*, 1992). A valid word
of n digits has a value of at most U(n) - 1. Proof by induction: if it begins with a1 … ai and then a digit smaller than
a(i+1), the rest is less than U(n-i-1). So the value is at most a1 U(n-1) + … + a(i+1) U(n-i-1) - 1. Leading zeros are
valid and make no difference.

A sequence that begins with other numbers, and in which each later number is the sum of the last and of an earlier one,
gives digits, too: 1, 2, 3, 4, 6, 8, 11, 15, … with U(n) = U(n-1) + U(n-4), for example (Schwenk, *Take-away games*,
Fibonacci Quarterly 8, 1970). Here automata read such digits, but do not add: nothing is proved about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from grundylab.automata.exploring import DEAD, explored
from grundylab.errors import FormulaError

MAX_DIGIT, MAX_ORDER = 15, 6  # of a recurrence given as text
MAX_BEGINS = 24  # place values before a recurrence
MAX_BASE = 36


@dataclass(frozen=True)
class System:
    """A numeration system.

    recurrence: the factors a1, …, am; empty for the binary system, the only one with negative numbers. begins: the
    first place values, if they are not those of the definition; then the factors are 0 or 1, the first and last 1.
    """

    recurrence: tuple[int, ...] = ()
    begins: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> System:
        """Return the system for ``fib``, ``trib``, a base such as ``base 3``, or the factors of a recurrence.

        So ``2,1`` is U(n) = 2 U(n-1) + U(n-2). First place values may stand before the factors, with a semicolon, as in
        ``1,2,3,4,6;1,0,0,1``. Raises FormulaError for other texts.
        """
        name = text.strip()
        if name in NAMED:
            return NAMED[name]
        if plain := re.fullmatch(r"base +([1-9]\d?)", name):
            return cls.of_base(int(plain[1]))
        begun, semicolon, listed = name.rpartition(";")
        factors, begins = _numbers(listed), _numbers(begun)
        falling = 2 <= len(factors) <= MAX_ORDER and list(factors) == sorted(factors, reverse=True)
        if not semicolon and falling and factors[-1] >= 1 and factors[0] <= MAX_DIGIT:
            return cls(factors)
        lengths = 2 <= len(factors) <= len(begins) <= MAX_BEGINS
        sums = lengths and factors[0] == factors[-1] == 1 and sum(factors) == 2
        # the place values are 1 and then greater and greater ones, none more than twice the one before
        rise = begins[:1] == (1,) and all(a < b <= 2 * a for a, b in pairwise(begins))
        if semicolon and sums and rise:
            return cls(factors, begins)
        raise FormulaError(
            f"'{name[:40]}' is not a numeration system: write {', '.join(NAMED)}, base 3, or the factors of a "
            f"recurrence as in '2,1' for U(n) = 2 U(n-1) + U(n-2): from 2 to {MAX_ORDER} numbers from {MAX_DIGIT} to "
            "1, none larger than the one before"
        )

    @classmethod
    def of_base(cls, base: int) -> System:
        """Return the system of a base, binary for 2. Raises FormulaError if the base is not from 2 to MAX_BASE."""
        if not 2 <= base <= MAX_BASE:
            raise FormulaError(f"base {base} is not supported: a base is from 2 to {MAX_BASE}")
        return BINARY if base == 2 else cls((base,))

    def __str__(self) -> str:
        """Return the system as written in a formula."""
        if self.plain:
            return f"base {self.base}"
        names = {system: name for name, system in NAMED.items()}
        lists = (",".join(map(str, numbers)) for numbers in (self.begins, self.recurrence) if numbers)
        return names.get(self) or ";".join(lists)

    @property
    def binary(self) -> bool:
        """True for the binary system."""
        return not self.recurrence

    @property
    def plain(self) -> bool:
        """True for a base other than 2, in which every word of digits is valid."""
        return len(self.recurrence) == 1

    @property
    def base(self) -> int:
        """The number of different digits, which are 0, 1, …, base - 1."""
        return self.recurrence[0] + (not self.plain) if self.recurrence else 2  # with ``begins``, 2

    @property
    def words(self) -> str:
        """The name of the system's digits in English."""
        if self.binary or self.plain:
            return f"digits in {self}" if self.plain else "binary digits"
        called = {"fib": "Fibonacci (Zeckendorf) digits", "trib": "Tribonacci digits"}.get(str(self))
        if called:
            return called
        terms = (
            f"{'' if factor == 1 else f'{factor} '}U(n-{back})"
            for back, factor in enumerate(self.recurrence, 1)
            if factor
        )
        begun = (
            f"the sequence {', '.join(map(str, self.begins))}, … with " if self.begins else "the recurrence "
        )
        return f"digits of {begun}U(n) = {' + '.join(terms)}"

    def places(self, most: int) -> list[int]:
        """Return the place values of at most ``most``, the lowest first."""
        values = [1]
        while values[-1] <= most:
            values.append(self._next(values))
        return values[:-1]

    def _next(self, values: Sequence[int]) -> int:
        if self.binary:
            return 2 * values[-1]
        if len(values) < len(self.begins):
            return self.begins[len(values)]
        terms = zip(self.recurrence, reversed(values), strict=False)
        return sum(factor * value for factor, value in terms) + (len(values) < len(self.recurrence))

    def first(self, count: int) -> list[int]:
        """Return the values of the ``count`` lowest places, the lowest first."""
        values = [1]
        while len(values) < count:
            values.append(self._next(values))
        return values[:count]

    def digits(self, number: int) -> list[int]:
        """Return the digits of a natural number, the lowest first; an empty list for 0."""
        if self.binary:
            return [number >> place & 1 for place in range(number.bit_length())]
        digits = []
        for value in reversed(self.places(number)):
            digit, number = divmod(number, value)
            digits.append(digit)
        return digits[::-1]

    def number(self, digits: Sequence[int]) -> int:
        """Return the number with these digits, the lowest first."""
        return sum(map(int.__mul__, digits, self.first(len(digits))))

    def written(self, number: int) -> str:
        """Return the digits of a number as text, the highest first; with spaces between them in bases above 10."""
        digits = self.digits(number)[::-1] or [0]
        return (" " if self.base > 10 else "").join(map(str, digits))

    def after(self, state: int, digit: int) -> int:
        """Return the next state of the automaton that reads digits from the highest down; DEAD if the word is invalid.

        The state is i if the digits read last are a1 … ai, the greatest possible ones; 0 after a smaller digit.
        """
        if self.binary:
            return 0
        most, last = self.recurrence[state], len(self.recurrence) - 1
        if digit < most:
            return 0
        return state + 1 if digit == most and state < last else DEAD

    @cached_property
    def valid(self) -> tuple[tuple[int, ...], ...]:
        """The automaton of the valid words, read from the lowest digit up: each state's next states by digit, or DEAD.

        Every state accepts: the word read so far, with zeros above it, is valid. Of a system with ``begins``, every
        word counts as valid.
        """
        if self.begins:
            return ((0,) * self.base,)
        every = frozenset(range(len(self.recurrence) or 1))

        def before(states: frozenset[int]) -> Iterator[frozenset[int] | None]:
            """Yield for each digit the states of ``after`` that lead by it to one of these states."""
            for digit in range(self.base):
                yield frozenset(state for state in every if self.after(state, digit) in states) or None

        return tuple(explored(every, before)[0])


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a list with commas; none if it is no list of numbers of at most three digits."""
    parts = [part.strip() for part in text.split(",")]
    listed = all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts)
    return tuple(map(int, parts)) if listed else ()


BINARY = System()
FIBONACCI, TRIBONACCI = System((1, 1)), System((1, 1, 1))
# Names in formulas, as in Walnut. The system 2,1 begins with 1, 3, not as the Pell numbers 1, 2, 5, 12, …
NAMED = {"fib": FIBONACCI, "trib": TRIBONACCI}


@lru_cache(maxsize=256)
def symbol_digits(base: int, count: int, place: int) -> tuple[int, ...]:
    """Return the digit at this place of each symbol of ``count`` digits, in the order of the symbols' numbers."""
    return tuple(symbol // base**place % base for symbol in range(base**count))


def aligned_digits(system: System, numbers: Iterable[int]) -> list[tuple[int, ...]]:
    """Return, for each place from the lowest up, the digits of all numbers there; shorter numbers have zeros."""
    words = [system.digits(number) for number in numbers]
    longest = max(map(len, words), default=0)
    return list(zip(*(digits + [0] * (longest - len(digits)) for digits in words), strict=True))
