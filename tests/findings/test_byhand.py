"""Explanations of counterexamples: the options' values, or the values of both sides of a false equation."""

import pytest

from grundylab.check.verification import ChosenFunction


@pytest.mark.parametrize(
    ("lows", "shape", "values", "text"),
    [
        ((0,), (4,), (0, 0, 1, 1), "f(0..1) = 0, f(2..3) = 1"),
        ((1,), (3,), (1, 2, 1), "f(1) = 1, f(2) = 2, f(3) = 1"),
        ((0, 1), (2, 2), (0, 0, 1, 2), "f(0, 1..2) = 0, f(1, 1) = 1, f(1, 2) = 2"),
    ],
)
def test_a_function_of_a_family_is_told_by_its_arguments(lows, shape, values, text):
    assert ChosenFunction(lows, shape, values).told("f") == text
