"""Linear forms over sets of binary digits, and their comparisons as WS1S text.

A comparison is normalised to ``form >= 0`` or ``form == 0`` and written with the negative terms on the other
side, so that ``x + y - z >= m - 1`` needs natural numbers only: ``x + y + 1 >= m + z``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import gcd

from grundylab.automata.digits import DigitAutomaton
from grundylab.logic.ws1s.automata import predicate
from grundylab.logic.ws1s.text import (
    FALSE,
    LIBRARY,
    TRUE,
    all_of,
    any_of,
    constant,
    definitions,
    equal,
    negation,
)

End = int | None  # of an interval; None: unbounded


@dataclass(frozen=True)
class Atom:
    """An integer: the set ``digits`` if the formula ``sign`` is false, else -digits - 1 (two's complement).

    Digit i of it is (i in digits) xor sign. It is known to lie in low..high.
    """

    digits: str
    sign: str = FALSE
    low: End = 0
    high: End = None

    @property
    def signed(self) -> bool:
        """Whether it may be negative."""
        return self.sign != FALSE


@dataclass(frozen=True)
class Linear:
    """constant + the sum of coefficient * atom; no coefficient is 0, no atom occurs twice."""

    terms: tuple[tuple[Atom, int], ...] = ()
    constant: int = 0

    def __add__(self, other: Linear | int) -> Linear:
        if isinstance(other, int):
            return Linear(self.terms, self.constant + other)
        terms = dict(self.terms)
        for atom, factor in other.terms:
            terms[atom] = terms.get(atom, 0) + factor
        kept = tuple((atom, factor) for atom, factor in terms.items() if factor)
        return Linear(kept, self.constant + other.constant)

    def __mul__(self, factor: int) -> Linear:
        if factor == 0:
            return Linear()
        return Linear(tuple((atom, c * factor) for atom, c in self.terms), self.constant * factor)

    def __neg__(self) -> Linear:
        return self * -1

    def __sub__(self, other: Linear | int) -> Linear:
        return self + -other

    @property
    def low(self) -> End:
        """A bound from below."""
        return self._end([(atom.low if c > 0 else atom.high, c) for atom, c in self.terms])

    @property
    def high(self) -> End:
        """A bound from above."""
        return self._end([(atom.high if c > 0 else atom.low, c) for atom, c in self.terms])

    def _end(self, ends: list[tuple[End, int]]) -> End:
        total = self.constant
        for end, factor in ends:
            if end is None:
                return None
            total += factor * end
        return total

    def single(self) -> Atom | None:
        """The atom that this is, if it is nothing but one."""
        return self.terms[0][0] if self.constant == 0 and [c for _, c in self.terms] == [1] else None


def linear(atom: Atom) -> Linear:
    """The atom itself."""
    return Linear(((atom, 1),))


def least(ends: list[End]) -> End:
    """The least of the lower ends."""
    known = [end for end in ends if end is not None]
    return min(known) if len(known) == len(ends) else None


def greatest(ends: list[End]) -> End:
    """The greatest of the upper ends."""
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) else None


@dataclass
class Scope:
    """Intermediate variables, each with the formula that defines it, in the order in which they depend."""

    bound: list[tuple[str, str]] = field(default_factory=list)

    def bind(self, formula: str, *sets: str, sign: str | None = None) -> None:
        """Variables for sets, and one for a truth value, that fulfil the formula."""
        quantifiers = f"ex2 {', '.join(sets)}" if sign is None else f"ex0 {sign}: ex2 {', '.join(sets)}"
        self.bound.append((quantifiers, formula))

    def extend(self, later: Scope) -> Scope:
        """This scope, with the variables of a later one added."""
        self.bound += later.bound
        return self

    def around(self, body: str) -> str:
        """The body, where its variables have their values. (There is always exactly one.)"""
        if body in (TRUE, FALSE):
            return body
        for quantifiers, formula in reversed(self.bound):
            body = f"({quantifiers}: {all_of(formula, body)})"
        return body


class Writer:
    """Writes comparisons of linear forms, and remembers the predicates used."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._automata: list[DigitAutomaton] = []
        self._count = 0

    def restart(self) -> None:
        """Number the intermediate variables from 1 again: a new formula begins."""
        self._count = 0

    def fresh(self, prefix: str) -> str:
        """A name that is not in the formula yet."""
        self._count += 1
        return f"{prefix}{self._count}"

    def call(self, predicate: str, *arguments: str) -> str:
        """A predicate of the library applied to arguments."""
        assert predicate in LIBRARY
        self._used.add(predicate)
        return f"{predicate}({', '.join(arguments)})"

    def accepts(self, automaton: DigitAutomaton, arguments: Sequence[str]) -> str:
        """That the automaton accepts the numbers, which are sets of digits."""
        if automaton not in self._automata:
            self._automata.append(automaton)
        return f"accepts{self._automata.index(automaton)}({', '.join(arguments)})"

    def prelude(self) -> str:
        """The definitions of the predicates used so far."""
        automata = (predicate(f"accepts{number}", a) for number, a in enumerate(self._automata))
        return "\n".join([definitions(self._used), *automata])

    # -- comparisons -------------------------------------------------------------------------------

    def zero(self, form: Linear) -> str:
        """That the form is 0."""
        low, high = form.low, form.high
        if (low is not None and low > 0) or (high is not None and high < 0):
            return FALSE
        if low == high == 0:
            return TRUE
        divisor = gcd(*(factor for _, factor in form.terms))
        if form.constant % divisor:
            return FALSE
        form = Linear(tuple((atom, c // divisor) for atom, c in form.terms), form.constant // divisor)
        if len(form.terms) == 1 and abs(form.terms[0][1]) == 1:
            atom, factor = form.terms[0]
            return self._is(atom, -form.constant * factor)
        scope = Scope()
        left, right = self._sides(form, scope)
        if not left or not right:
            return scope.around(all_of(*(equal(digits, "empty") for digits in left or right)))
        if len(left) < len(right):
            left, right = right, left
        total = self._sum(right, scope)
        return scope.around(self._sum_is(left, total, scope))

    def _is(self, atom: Atom, value: int) -> str:
        if value >= 0:
            return all_of(negation(atom.sign), equal(atom.digits, constant(value)))
        return all_of(atom.sign, equal(atom.digits, constant(-value - 1)))

    def at_least_zero(self, form: Linear) -> str:
        """That the form is 0 or more."""
        low, high = form.low, form.high
        if low is not None and low >= 0:
            return TRUE
        if high is not None and high < 0:
            return FALSE
        divisor = gcd(*(factor for _, factor in form.terms))
        form = Linear(tuple((atom, c // divisor) for atom, c in form.terms), form.constant // divisor)
        if len(form.terms) == 1 and form.terms[0][1] == 1:
            return self._reaches(form.terms[0][0], -form.constant)
        if len(form.terms) == 1 and form.terms[0][1] == -1:
            return self._reaches_no_more(form.terms[0][0], form.constant)
        scope = Scope()
        # a + 1 <= b is a < b
        strict = form.constant < 0
        left, right = self._sides(form + 1 if strict else form, scope)
        if not right:  # left > 0
            return scope.around(any_of(*(f"({digits} ~= empty)" for digits in left)))
        if not left:
            return scope.around(all_of(*(equal(digits, "empty") for digits in right)))
        small, large = self._sum(right, scope), self._sum(left, scope)
        return scope.around(self.call("less" if strict else "at_most", small, large))

    def _reaches(self, atom: Atom, value: int) -> str:
        """That the atom is at least a constant."""
        if value <= 0:
            return any_of(negation(atom.sign), self._no_more(atom.digits, -value - 1))
        return all_of(negation(atom.sign), self._no_less(atom.digits, value))

    def _reaches_no_more(self, atom: Atom, value: int) -> str:
        """That the atom is at most a constant."""
        if value >= 0:
            return any_of(atom.sign, self._no_more(atom.digits, value))
        return all_of(atom.sign, self._no_less(atom.digits, -value - 1))

    def _no_less(self, digits: str, value: int) -> str:
        if value <= 1:
            return TRUE if value <= 0 else f"({digits} ~= empty)"
        return self.call("at_most", constant(value), digits)

    def _no_more(self, digits: str, value: int) -> str:
        if value <= 0:
            return FALSE if value < 0 else equal(digits, "empty")
        return self.call("at_most", digits, constant(value))

    def _sides(self, form: Linear, scope: Scope) -> tuple[list[str], list[str]]:
        """Natural numbers (sets) of which the form is the sum of the first less the sum of the second."""
        sides: tuple[list[str], list[str]] = [], []
        for atom, factor in form.terms:
            if not atom.signed:
                sides[factor < 0].extend(_multiples(atom.digits, abs(factor)))
                continue
            positive, negative = self.split(atom, scope)
            sides[factor < 0].extend(_multiples(positive, abs(factor)))
            sides[factor > 0].extend(_multiples(negative, abs(factor)))
        if form.constant:
            sides[form.constant < 0].append(constant(abs(form.constant)))
        return sides

    def split(self, atom: Atom, scope: Scope) -> tuple[str, str]:
        """Two natural numbers (sets), one of them 0, with the atom as their difference."""
        positive, negative = self.fresh("t"), self.fresh("t")
        scope.bind(self.call("difference", atom.sign, atom.digits, positive, negative), positive, negative)
        return positive, negative

    def _sum(self, summands: list[str], scope: Scope) -> str:
        total = summands[0]
        for summand in summands[1:]:
            name = self.fresh("t")
            scope.bind(self.call("plus", total, summand, name), name)
            total = name
        return total

    def _sum_is(self, summands: list[str], total: str, scope: Scope) -> str:
        if len(summands) == 1:
            return equal(summands[0], total)
        return self.call("plus", self._sum(summands[:-1], scope), summands[-1], total)

    # -- new variables -----------------------------------------------------------------------------

    def introduce(self, scope: Scope, low: End, high: End, relation: Callable[[Linear], str]) -> Linear:
        """A new variable's value, which lies in low..high and is the one that fulfils the relation.

        It is a natural number, counted from an end of the interval where that must be; only a variable without
        bounds has a sign.
        """
        if low is not None and low == high:  # nothing would be written of a variable known to be constant
            return Linear((), low)
        name = self.fresh("t")
        if low is None and high is None:
            sign = self.fresh("s")
            value = linear(Atom(name, sign, None, None))
            scope.bind(relation(value), name, sign=sign)
            return value
        if low is not None:
            base = min(low, 0)
            value = linear(Atom(name, FALSE, low - base, None if high is None else high - base)) + base
        else:
            assert high is not None
            top = max(high, 0)
            value = -linear(Atom(name, FALSE, top - high, None)) + top
        scope.bind(relation(value), name)
        return value

    def digits(self, form: Linear, scope: Scope) -> Atom:
        """The form as one atom, so that its binary digits can be spoken of."""
        if not form.terms:
            number = form.constant
            sign = TRUE if number < 0 else FALSE
            return Atom(constant(-number - 1 if number < 0 else number), sign, number, number)
        atom, factor = form.terms[0]
        if len(form.terms) == 1:
            if (factor, form.constant) == (-1, -1):  # every digit is flipped
                return Atom(atom.digits, negation(atom.sign), form.low, form.high)
            if form.constant == 0 and factor > 0 and factor & (factor - 1) == 0:
                if factor == 1:
                    return atom
                if not atom.signed:
                    return Atom(f"({atom.digits} + {factor.bit_length() - 1})", FALSE, form.low, form.high)
        name, low, high = self.fresh("t"), form.low, form.high
        value = linear(Atom(name))
        if low is not None and low >= 0:
            scope.bind(self.zero(form - value), name)
            return Atom(name, FALSE, low, high)
        if high is not None and high < 0:
            scope.bind(self.zero(form + value + 1), name)
            return Atom(name, TRUE, low, high)
        sign = self.fresh("s")
        cases = any_of(
            all_of(negation(sign), self.zero(form - value)), all_of(sign, self.zero(form + value + 1))
        )
        scope.bind(cases, name, sign=sign)
        return Atom(name, sign, low, high)


def _multiples(digits: str, factor: int) -> list[str]:
    """Sets that add up to factor * digits: the set shifted to where the factor has a digit 1."""
    shifts = [shift for shift in range(factor.bit_length()) if factor >> shift & 1]
    return [digits if shift == 0 else f"({digits} + {shift})" for shift in shifts]
