"""What is said to have a value has one, wherever its names may be."""

from itertools import product

import pytest
from hypothesis import assume, given, settings
from tests.strategies import FUNCTIONS, conditions, environments, numbers

from grundylab.language import parse, parse_condition
from grundylab.language.functions import NO_FUNCTIONS, Functions
from grundylab.language.intervals import Interval, is_total
from grundylab.language.plain import evaluate

SIDES = {"x": Interval(0, 3), "y": Interval(1, 3), "z": Interval(-1, 1), "m": Interval(3, 3)}
POINTS = [
    dict(zip(SIDES, point, strict=True))
    for point in product(*(range(side.low, side.high + 1) for side in SIDES.values()))
]


@given(expr=numbers(depth=3) | conditions(depth=3), values=environments())
def test_what_is_total_has_a_value_at_any_numbers(expr, values):
    assume(is_total(expr, FUNCTIONS))
    evaluate(expr, values, FUNCTIONS)  # raises EvaluationError where there is none


@settings(max_examples=100, deadline=None)
@given(numbers() | conditions())
def test_what_is_total_within_bounds_has_a_value_everywhere_there(expr):
    assume(is_total(expr, FUNCTIONS, SIDES))
    for point in POINTS:
        evaluate(expr, point, FUNCTIONS)


@pytest.mark.parametrize(
    ("text", "anywhere", "within"),
    [
        ("x // 3 + y % -2", True, True),
        ("ceil(x/2) ^ min(x, y)", True, True),
        ("x // (2 - 2)", False, False),
        ("x // y", False, True),
        ("x // z", False, False),
        ("1 << x", False, True),
        ("x << z", False, False),
        ("isqrt(x)", False, True),
        ("floor_log2(x)", False, False),
        ("floor_log2(y) + isqrt(9)", False, True),
        ("sum(x // n for n in range(1, y))", False, True),
        ("sum(x // n for n in range(0, y))", False, False),
        ("sum(x // n for n in range(1, 5))", True, True),
        ("sum(sum(1 for k in range(0, 3000)) for n in range(0, 3000))", True, True),
        ("sum(sum(1 for k in range(0, 4000)) for n in range(0, 4000))", False, False),  # too many are tried
        ("1 if is_power_of_two(z) else 0", True, True),
        ("x // 1 if x // (x - 4) < 1 else 2", False, True),
    ],
)
def test_what_is_seen_to_be_total(text, anywhere, within):
    assert is_total(parse(text), NO_FUNCTIONS) is anywhere
    assert is_total(parse(text), NO_FUNCTIONS, SIDES) is within


def test_functions_are_looked_into_and_recurrences_are_not():
    assert is_total(parse("cases(x, y)"), FUNCTIONS)  # half() in it divides by 2
    assert not is_total(parse("fib(x)"), FUNCTIONS, SIDES)
    assert not is_total(parse_condition("x // (1 + walk(2)) > 3"), Functions(FUNCTIONS.items, ("m",)))
