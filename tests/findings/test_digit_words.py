"""Descriptions of automata in words are true of every number that the automata read."""

import numpy as np
import pytest

from grundylab.automata.dfa import AutomataBudget, natural_tuples
from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.systems import System
from grundylab.findings.digit_words import digits_in_words
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Accepts, Binary, Int, Name
from grundylab.logic.atoms import digit_automaton_dfa, linear_relation


def zeros(digits):
    return next((place for place, digit in enumerate(digits) if digit), 0)


# an automaton of one number, and the same of the digits, the lowest first, if the automaton has words
WORDS = [
    ("base 3: +0,0,", lambda d: 2 not in d),  # the digits are 0 and 1
    ("base 3: +1,0, +1,,", lambda d: set(d) <= {1}),
    ("base 3: +1,, +0,2,2 +2,2,2", lambda d: not d or zeros(d) % 2 == 1),  # an odd number of zeros at the end
    ("base 3: -0,1, +1,1,1", lambda d: bool(d) and d[zeros(d)] == 1),  # the lowest digit other than 0
    ("base 5: -0,1,0,0,0 +1,0,0,0,0", None),  # the highest digit is 1
    ("+0,1 -1,0", lambda d: d.count(1) % 2 == 0),
    ("base 3: +0,1,0 -1,0,1", lambda d: sum(d) % 2 == 0),
    ("+0,1 -2,0 -2,2", None),
]
LOWER = ["1,2,3,4,6;1,0,0,1: +0,0,1, +1,,1,", "fib: +0,1,2, +0,,2, +3,,, +3,,2,", "+0,0,1, +1,,1,"]
OF_TWO = ["+0,,,0", "base 3: +0,,,,,0,,0,", "fib: +1,,2, +0,,, -,3,, +3,,2,"]


@pytest.mark.parametrize(("text", "true"), WORDS)
def test_automaton__has_the_digits_that_it_is_said_to_have(text, true):
    formula = parse_condition(f'accepts("{text}", n)')
    assert (digits_in_words(formula) is None) == (true is None)
    for n in range(2_000) if true else ():
        assert evaluate(formula, {"n": n}) == true(formula.automaton.system.digits(n)), n


def test_what_holds_of_the_number_before_or_after_is_said_of_that():
    """n is from 3**j + 2 to 2 * 3**j + 1, or 2: n - 1 is 1, or more than 3**j and not more than 2 * 3**j."""
    work = AutomataBudget(system=System.of_base(3))
    highest = digit_automaton_dfa(["m"], DigitAutomaton.parse("base 3: -0,1,0 +1,1,0"), work)
    moved = natural_tuples((highest & linear_relation({"n": 1, "m": -1}, -1, "==", work)).without("m"))
    formula = Accepts(moved, (Name("n"),))
    assert Binary("-", Name("n"), Int(1)) in digits_in_words(formula)
    for n in range(1, 2_000):
        assert evaluate(formula, {"n": n}) == (System.of_base(3).digits(n - 1)[-1:] == [1])


@pytest.mark.parametrize("text", LOWER)
@pytest.mark.parametrize("order", ["nq", "qn"])
def test_pairs_whose_digits_stand_apart_have_words(text, order):
    formula = parse_condition(f'accepts("{text}", {order[0]}, {order[1]})')
    automaton = DigitAutomaton.parse(text)
    named = [str(word) for word in digits_in_words(formula) if not isinstance(word, str)]
    assert named[-2:] == [order[1], order[0]]
    for high, low in np.ndindex(70, 70):
        first, second = (automaton.system.digits(number) for number in (high, low))
        assert evaluate(formula, {order[0]: high, order[1]: low}) == (
            zeros(first) >= len(second) or not first
        )
