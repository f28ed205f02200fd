"""A formula of one number is put into words exactly: its values repeat from there on, with this period and no less."""

import pytest

from grundylab.findings.period_words import period_in_words
from grundylab.language import parse
from grundylab.language.plain import evaluate

KAYLES = (
    "0 if x == 0 else 3 if x == 3 or x == 6 or x == 18 or x == 39 else 4 if x == 9 or x == 21 or x == 57 else 5 if x == 28 "
    "else 6 if x == 11 or x == 22 or x == 34 or x == 70 else 7 if x == 15 else 1 if x % 12 == 1 or x % 12 == 4 or x % 12 == 8 "
    "else 4 if x % 12 == 0 or x % 12 == 5 else 7 if x % 12 == 6 or x % 12 == 11 else 8 if x % 6 == 3 else 2"
)
LONG = " + 0 * (x % 1) + 0 * (x % 1) + 0 * (x % 1)"  # only long formulas are put into words


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (KAYLES, "period 12 from 71 on"),
        (f"x % 6 + x % 4{LONG}", "period 12"),
        (f"(1 if x < 5 else x % 4){LONG}", "period 4 from 5 on"),
        (f"(3 if x == 3 else x % 4){LONG}", "period 4"),  # at 3 the formula has the value that it has anyway
        (f"(7 if x >= 5 else x % 4){LONG}", None),  # it is constant from 5 on
        (f"x // 4 % 2 + x % 3{LONG}", None),  # a quotient may be periodic, too, but this is not seen
        (f"x % 6 + y % 4{LONG}", None),
        ("x % 3", None),
    ],
)
def test_the_words_of_a_formula(formula, words):
    assert period_in_words(parse(formula)) == words


def test_the_numbers_are_those_of_the_values():
    values = [evaluate(parse(KAYLES), {"x": x}) for x in range(500)]

    def repeats(start, period):
        return all(one == other for one, other in zip(values[start:], values[start + period :], strict=False))

    assert repeats(71, 12)
    assert not repeats(70, 12)
    assert not any(repeats(71, period) for period in range(1, 12))
