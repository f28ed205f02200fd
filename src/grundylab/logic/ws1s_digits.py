"""Numbers of a numeration system other than the binary one for MONA: a prelude of predicates, and linear forms.

A number is represented by the sets of its digits (``ws1s_automata.py``). The prelude has the predicates ``valid`` (the
sets are those of a number), ``same``, ``less`` (by the highest place where two numbers differ: greedy digits are in the
order of their numbers) and ``plus``. ``plus`` is an automaton that is not trusted: together with the sentence, MONA is
asked whether it is addition (``logic/addition.py``), and whether it accepts only digits of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce

from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.sums import addition
from grundylab.automata.systems import System
from grundylab.logic.sentence import Linear, Variable
from grundylab.logic.ws1s_automata import automaton_predicate, digit_sets, text_conjunction, text_disjunction


def variable_sets(system: System, variable: Variable) -> str:
    """Return the names of a variable's sets, separated by commas."""
    return ", ".join(digit_sets(system, "v", variable.name))


@lru_cache(maxsize=16)
def prelude(system: System) -> str:
    """Return the text of the system's predicates. Raises TooLarge if the automaton of its sums is too large."""
    a, b = (digit_sets(system, "n", name) for name in "ab")
    both = ", ".join(f"var2 {name}" for name in (*a, *b))
    alike = text_conjunction(*(f"(q in {x} <=> q in {y})" for x, y in zip(a, b, strict=True)))
    larger = text_disjunction(
        *(
            text_conjunction(
                f"p notin {a[bit]}",
                f"p in {b[bit]}",
                *(f"(p in {a[high]} <=> p in {b[high]})" for high in range(bit + 1, len(a))),
            )
            for bit in range(len(a))
        )
    )
    same = text_conjunction(*(f"{x} = {y}" for x, y in zip(a, b, strict=True)))
    return "\n".join(
        [
            automaton_predicate("valid", DigitAutomaton.of_every(system)),
            automaton_predicate("plus", addition(system)),
            f"pred less({both}) =\n    ex1 p: {larger} & (all1 q: q > p => {alike});\n",
            f"pred same({both}) =\n    {same};\n",
        ]
    )


def sums_are_valid(system: System) -> str:
    """Return the formula that ``plus`` holds only for sets that represent numbers."""
    a, b, c = (", ".join(digit_sets(system, "c", name)) for name in "abc")
    return f"(all2 {a}, {b}, {c}: plus({a}, {b}, {c}) => valid({a}) & valid({b}) & valid({c}))"


def constant_sets(system: System, value: int) -> str:
    """Return the sets of a natural number, as terms of MONA separated by commas."""
    digits = system.digits(value)
    sets = []
    for bit in range((system.base - 1).bit_length()):
        places = [str(place) for place, digit in enumerate(digits) if digit >> bit & 1]
        sets.append(f"{{{', '.join(places)}}}" if places else "empty")
    return ", ".join(sets)


def zero_formula(system: System, form: Linear) -> str:
    """Return the formula that the linear form is 0."""
    sums = _Sums(system)
    few, many = sorted(sums.sides(form), key=len)
    total = sums.total(few)
    if len(many) < 2:
        return sums.around(f"same({sums.total(many)}, {total})")
    return sums.around(f"plus({sums.total(many[:-1])}, {many[-1]}, {total})")


def natural_formula(system: System, form: Linear) -> str:
    """Return the formula that the linear form is at least 0."""
    sums = _Sums(system)
    more, less = map(sums.total, sums.sides(form))
    return sums.around(f"~less({more}, {less})")


class _Sums:
    """The new numbers that one comparison needs, such as sums, and their definitions."""

    def __init__(self, system: System) -> None:
        self._system, self._given = system, list[tuple[str, str]]()

    def _plus(self, a: str, b: str) -> str:
        new = ", ".join(digit_sets(self._system, "t", str(len(self._given))))
        self._given.append((new, f"plus({a}, {b}, {new})"))
        return new

    def sides(self, form: Linear) -> tuple[list[str], list[str]]:
        """Return two lists of numbers; the form is the sum of the first minus the sum of the second."""
        sides: tuple[list[str], list[str]] = [], []
        for variable, factor in form.terms:
            sides[factor < 0].append(self._times(abs(factor), variable_sets(self._system, variable)))
        if form.constant:
            sides[form.constant < 0].append(constant_sets(self._system, abs(form.constant)))
        return sides

    def _times(self, factor: int, number: str) -> str:
        """Return the number times a positive factor, by doubling and adding."""
        if factor == 1:
            return number
        half = self._times(factor // 2, number)
        twice = self._plus(half, half)
        return self._plus(twice, number) if factor % 2 else twice

    def total(self, summands: Sequence[str]) -> str:
        """Return the sum of the numbers; 0 if there are none."""
        return reduce(self._plus, summands) if summands else constant_sets(self._system, 0)

    def around(self, formula: str) -> str:
        """Return the formula, with the new numbers bound and defined."""
        for names, meaning in reversed(self._given):
            formula = f"(ex2 {names}: {meaning} & {formula})"
        return formula
