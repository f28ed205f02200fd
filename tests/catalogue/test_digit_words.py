"""Descriptions of automata in words are true of every number that the automata read."""

import pytest

from grundylab.automata.dfa import AutomataBudget, natural_tuples
from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.systems import System
from grundylab.catalogue.digit_words import digits_in_words
from grundylab.catalogue.wording import words_text
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Accepts, Name
from grundylab.logic.atoms import digit_automaton_dfa, linear_relation


def zeros(digits):
    return next((place for place, digit in enumerate(digits) if digit), 0)


# an automaton, its words, and the same of the digits, the lowest first
WORDS = [
    ("base 3: +0,0,", "in base 3 the digits of n are 0 and 1", lambda d: 2 not in d),
    ("base 3: +1,0, +1,,", "in base 3 the digits of n are all 1, or n is 0", lambda d: set(d) <= {1}),
    (
        "base 3: +1,, +0,2,2 +2,2,2",
        "in base 3 n ends in an odd number of zeros, or n is 0",
        lambda d: not d or zeros(d) % 2 == 1,
    ),
    (
        "base 3: -0,1, +1,1,1",
        "in base 3 the lowest digit of n other than 0 is 1",
        lambda d: bool(d) and d[zeros(d)] == 1,
    ),
    ("base 5: -0,1,0,0,0 +1,0,0,0,0", None, None),  # the highest digit is 1
    ("+0,1 -1,0", "in base 2 the number of digits 1 of n is even", lambda d: d.count(1) % 2 == 0),
    ("base 3: +0,1,0 -1,0,1", "in base 3 the sum of the digits of n is even", lambda d: sum(d) % 2 == 0),
    ("+0,1 -2,0 -2,2", None, None),
]


@pytest.mark.parametrize(("text", "words", "true"), WORDS)
def test_words_say_what_the_automaton_says(text, words, true):
    formula = parse_condition(f'accepts("{text}", n)')
    system = formula.automaton.system
    said = digits_in_words(formula)
    assert (None if said is None else words_text(said)) == words
    for n in range(2_000) if true else ():
        assert evaluate(formula, {"n": n}) == true(system.digits(n)), n


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+0,,,0", "in base 2 the digits of x and y + 1 are at each place 0 and 0, or 1 and 1"),
        (
            "base 3: +0,,,,,0,,0,",
            "in base 3 the digits of x and y + 1 are at each place 0 and 0, 1 and 2, or 2 and 1",
        ),
        ("fib: +1,,2, +0,,, -,3,, +3,,2,", None),
    ],
)
def test_digits_of_two_numbers_are_listed(text, words):
    said = digits_in_words(parse_condition(f'accepts("{text}", x, y + 1)'))
    assert (None if said is None else words_text(said)) == words


def test_what_holds_of_the_number_before_or_after_is_said_of_that():
    """n is from 3**j + 2 to 2 * 3**j + 1, or 2: n - 1 is 1, or more than 3**j and not more than 2 * 3**j."""
    work = AutomataBudget(system=System.of_base(3))
    highest = digit_automaton_dfa(["m"], DigitAutomaton.parse("base 3: -0,1,0 +1,1,0"), work)
    moved = natural_tuples((highest & linear_relation({"n": 1, "m": -1}, -1, "==", work)).without("m"))
    formula = Accepts(moved, (Name("n"),))
    assert words_text(digits_in_words(formula)) == "in base 3 the highest digit of n - 1 is 1"
    for n in range(1, 2_000):
        assert evaluate(formula, {"n": n}) == (System.of_base(3).digits(n - 1)[-1:] == [1])
