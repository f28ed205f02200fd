"""Linear conditions: expressions reported to have a value have one, and inequalities agree with their conditions."""

from itertools import product

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from tests.language.test_readers import value_or_none
from tests.sizes import examples
from tests.strategies import FUNCTIONS, NAMES, conditions, environments, numbers

from grundylab.language import parse, parse_condition
from grundylab.language.functions import NO_FUNCTIONS, Functions
from grundylab.language.intervals import Interval, is_total
from grundylab.language.linear import InequalityReader, atom_polynomial, linear_dependence
from grundylab.language.plain import evaluate
from grundylab.language.substitution import lower

SIDES = {"x": Interval(0, 3), "y": Interval(1, 3), "z": Interval(-1, 1), "m": Interval(3, 3)}
POINTS = [
    dict(zip(SIDES, point, strict=True))
    for point in product(*(range(side.low, side.high + 1) for side in SIDES.values()))
]


@given(expr=numbers(depth=3) | conditions(depth=3), values=environments())
def test_what_is_total_has_a_value_at_any_numbers(expr, values):
    assume(is_total(expr, FUNCTIONS))
    evaluate(expr, values, FUNCTIONS)  # raises EvaluationError where there is none


@examples(60, 5_000)
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


# -- inequalities ------------------------------------------------------------------------------

READER = InequalityReader(SIDES, FUNCTIONS)
LINKS = [
    "x - y <= ceil((x + 2*z)/3)",
    "min(x, 2*y) > max(z, y - 1)",
    "abs(x - z) <= y",
    "2 * floor(x/2) == x",
    "x*y - z >= m",
]
PLAIN = st.sampled_from([parse_condition(link) for link in LINKS])


def values(polys, others, point):
    return all(evaluate(p.expression(), point, FUNCTIONS) >= 0 for p in polys) and all(
        evaluate(other, point, FUNCTIONS) for other in others
    )


@examples(40, 60)
@given(conditions() | PLAIN)
def test_a_condition_read_as_inequalities_is_the_same_condition(condition):
    assume(is_total(condition, FUNCTIONS, SIDES))
    polys, others = READER.conditions(condition)
    event(f"{len(polys)} inequalities")
    for point in POINTS:
        assert values(polys, others, point) == evaluate(condition, point, FUNCTIONS), point


@examples(40, 60)
@given(PLAIN | conditions(depth=1), numbers(depth=2))
def test_what_follows_is_true_wherever_all_that_is_given_is(condition, number):
    bare = lower(FUNCTIONS.expand(number))
    assume(is_total(number, FUNCTIONS, SIDES) and is_total(condition, FUNCTIONS, SIDES))
    given_here, others = READER.conditions(condition)
    if READER.follows(atom_polynomial(bare), given_here):
        event("follows")
        there = [point for point in POINTS if values(given_here, others, point)]
        assert all(evaluate(bare, point, FUNCTIONS) >= 0 for point in there)


@pytest.mark.parametrize(
    ("goal", "condition", "seen"),
    [
        ("x - t", "t <= min(x, y)", True),
        ("x - t", "1 <= t <= ceil(x/2)", True),
        ("x - t", "t <= ceil(x/2) + 1", False),
        ("t + u - 1", "2*t + 3*u >= 1", True),
        ("t - 1", "2*t + 3*u >= 1", False),
        ("y - u - t", "t + u <= max(x, y)", False),
        ("x - min(t, y)", "t <= x", True),
        ("max(x, y) - t", "t <= y", True),
        ("min(x, y) - t", "t <= y", False),
    ],
)
def test_what_is_seen_to_follow(goal, condition, seen):
    sides = dict.fromkeys("xytu", Interval(0, 9))
    reader = InequalityReader(sides | {"t": Interval(1, 9)} if "1 <= t" in condition else sides, NO_FUNCTIONS)
    assert (
        reader.follows(atom_polynomial(parse(goal)), reader.conditions(parse_condition(condition))[0]) is seen
    )


def test_a_polynomial_is_split_at_a_name_or_not():
    slope, rest = atom_polynomial(parse("a*t + 2*t - x*y + 3")).split("t")
    assert (slope, rest) == (atom_polynomial(parse("a + 2")), atom_polynomial(parse("3 - y*x")))
    assert atom_polynomial(parse("t*t + 1")).split("t") is None
    assert atom_polynomial(parse("t + t % 3")).split("t") is None


NONNEGATIVE = st.fixed_dictionaries(dict.fromkeys(NAMES, st.integers(0, 20)))
LINEAR = (
    "x - y",
    "m * y + x",
    "2 * y",
    "x - (3 - y)",
    "-(y - m)",
    "min(x, 4) - y * (x + 1)",
    "max(m, y) + 2",
)


@examples(40, 5_000)
@given(expr=numbers(depth=2, calls=False) | st.sampled_from(LINEAR).map(parse), values=NONNEGATIVE)
def test_a_slope_gives_the_expression_as_a_multiple_and_a_rest(expr, values):
    line, expected = linear_dependence(expr, "y"), value_or_none(expr, values)
    if line is None or expected is None:
        return
    factor, rest = line
    assert evaluate(factor, values) * values["y"] + evaluate(rest, values) == expected
