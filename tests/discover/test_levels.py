"""A number with few values is found value by value."""

from __future__ import annotations

import pytest
from tests.discover.made import made

from grundylab.discover import engine_named
from grundylab.discover.ranking import exact
from grundylab.games import parse_target

NUMBER = parse_target("grundy")
levels = engine_named("levels")


@pytest.mark.parametrize(
    "number",
    [
        "0 if x & y == 0 else 1 if (x ^ y) % 3 == 0 else 2 if x < y else 5",
        "0 if (x | y) & 2 == 0 else 3 if abs(x - y) % 5 == 1 else 8",
    ],
)
def test_the_conditions_are_put_together_by_cases(number):
    samples = made(number, x=range(24), y=range(24))
    (found,) = levels(samples, NUMBER, 0, 20.0).formulas
    assert exact(found, samples)


def test_a_number_with_many_values_is_left_to_others():
    assert not levels(made("(x + y) % 9", x=range(24), y=range(24)), NUMBER, 0, 20.0).formulas


def test_the_value_of_which_nothing_is_found_is_named():
    found = levels(
        made("0 if x < y else 1 + (x * x + 7 * y) % 23 % 3", x=range(24), y=range(24)), NUMBER, 0, 1.0
    )
    assert not found.formulas
    assert found.notes[-1] == "where it is 1 no condition says"
