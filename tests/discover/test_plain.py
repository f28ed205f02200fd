"""Formulas as engines write them, each beside the plain one that a reader should see."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discover.made import made
from tests.sizes import examples
from tests.strategies import formulas

from grundylab.check.samples import Samples
from grundylab.discover.plainest_form import plainest_form
from grundylab.discover.ranking import is_exact, rank
from grundylab.errors import EvaluationError
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Kind

# the least and the greatest value of a coordinate: of one of any size, of a flag, of the months and days of a year
FROM_0, FROM_1, FLAG, MONTH, DAY = (0, None), (1, None), (0, 1), (1, 12), (1, 31)
LENGTHS = dict(
    enumerate([150, 24, 12, 8], start=1)
)  # of a range without an end, by the number of coordinates

# (the space, what came, what is plain)
PLAIN = [
    # signs, and values that are impossible
    ({"x": FROM_0, "y": FROM_0, "z": FROM_0}, "x ^ y == -z", "x == y and z == 0"),
    ({"t": FROM_0, "x": FROM_0, "y": FROM_0}, "t <= 0 and x == y", "t == 0 and x == y"),
    ({"m1": FROM_0, "m2": FROM_0, "m3": FROM_0}, "(m1 + m2) % 2 == -((m1 + m3) % 2)", "(m1 + m2) % 2 == 0 and (m1 + m3) % 2 == 0"),
    ({"m": MONTH, "d": DAY}, "m + 19 == d or m == 0 or m >= 13 and d % 2 == 0", "m + 19 == d"),
    ({"m": MONTH, "d": DAY}, "0 if m == 13 else (m + d) % 2 if m < 15 else 1", "(m + d) % 2"),
    ({"m": MONTH, "d": DAY}, "m % 13 == 12 and d + 1 > 31", "m == 12 and d == 31"),
    ({"x": FROM_0, "y": FROM_0}, "abs(x - y) % 2 == 0", "(x + y) % 2 == 0"),
    ({"x": FROM_0, "y": FROM_0, "m": FROM_1}, "(x + y) // m > 0", "x + y >= m"),
    ({"x": FROM_0}, "x % -3 == 0", "x % 3 == 0"),
    # negative numbers in operations on digits, and the greatest power of two that divides a number
    ({"n": FROM_1}, "-n // (n ^ -n)", "n // (2 * (n & -n))"),
    ({"x": FROM_0}, "x // ((x ^ (x + 1)) + 1)", "x // (2 * ((x + 1) & -(x + 1)))"),
    ({"a": FROM_1, "b": FROM_1}, "valuation2(-(-a & -b))", "valuation2(((a - 1) | (b - 1)) + 1)"),
    ({"x": FROM_0}, "x % 5 == 3 and is_power_of_two(-(-x // 5))", "x % 5 == 3 and is_power_of_two((x + 4) // 5)"),
    ({"x": FROM_0}, "(x ^ -1) % 3 == 0", "x % 3 == 2"),
    # predicates of numbers that have few values, and digits that are seen otherwise
    ({"s": FROM_0, "k": FROM_1}, "is_power_of_two((s + 1) % (k + 1) % 2)", "(s + 1) % (k + 1) % 2 == 1"),
    ({"s": FROM_0, "k": [2, 4, 6]}, "not is_prime(1 - s % -(k + 1))", "(s + 1) % (k + 1) % 2 == 1"),
    ({"c": FLAG, "n": FROM_0}, "popcount(c + 2) == 2 and n % 3 == 0", "c == 1 and n % 3 == 0"),
    ({"c": FLAG, "n": FROM_0}, "((c ^ 1) + n) % 3 == 0", "(n + 1 - c) % 3 == 0"),
    ({"x": FROM_0, "y": FROM_0, "z": FROM_0, "p": FLAG}, "y ^ z == (2 if x < p else 0 if x == p + 1 else x ^ p ^ 1)", "y ^ z == (2 if x < p else 0 if x == p + 1 else x ^ (1 - p))"),
    ({"m1": FROM_0, "m2": FROM_0}, "(m1 | m2) % 2 == 0", "m1 % 2 == 0 and m2 % 2 == 0"),
    ({"m1": FROM_0, "m2": FROM_0, "m3": FROM_0, "m4": FROM_0}, "(m1 % 2 + m3 % 2) | (m4 % 2) == 2 * (m2 % 2)", "m1 % 2 == m2 % 2 and m1 % 2 == m3 % 2 and m4 % 2 == 0"),
    ({"x": FROM_0}, "x - (x & 1)", "x - x % 2"),
    # cases
    ({"c": FLAG, "n": FROM_0}, "min(c + 2, n) % 3 == 0", "c == 1 and n >= 3 or n == 0"),
    ({"c": FLAG, "n": FROM_0}, "not is_power_of_two(min(c + 2, n))", "c == 1 and n >= 3 or n == 0"),
    ({"a": FROM_0, "b": FROM_0}, "abs(min(min(a, b) - 1, 1)) != min(min(a, b) - 1, abs(a - b) % 2)", "min(a, b) == 0 or min(a, b) >= 2 and (a + b) % 2 == 0"),
    ({"x": FROM_0}, "x < max(x, 3) ^ 1", "x <= 1 or x >= 3 and x % 2 == 0"),
    ({"x": FROM_0}, "((5 - x % 7) ^ 3) % 6", "0 if x % 7 == 0 or x % 7 == 2 else 1 if x % 7 == 1 or x % 7 == 3 else 3 if x % 7 == 5 else 2"),
    ({"x": FROM_0}, "x % 2 if x ^ 3 > 2 else x - 1", "x - 1 if 1 <= x <= 3 else x % 2"),
    ({"n": FROM_0}, "-(-n ^ 1) if n >= 1 and (n + 1) % 8 < 2 else n", "0 if n == 0 else n - 1 if n % 8 == 0 else n + 1 if n % 8 == 7 else n"),
    ({"x": FROM_0}, "x // 2 % 2 - (-x | min(x, 1))", "0 if x == 0 else x - 1 if x % 4 == 0 else x + 1 if x % 4 == 3 else x"),
    ({"n": FROM_1}, "max(min(n, n ^ (n - 1)), 2) % 3 == 2", "n % 2 == 1 or is_power_of_two(n) and n % 3 == 2"),
]  # fmt: skip
NOT_YET = {  # what is shown instead of the plain formula
    "not is_prime(1 - s % -(k + 1))": "not is_prime(k + 1 - (s - 1) % (k + 1))",
    "max(min(n, n ^ (n - 1)), 2) % 3 == 2": "max(min(n, 2 * (n & -n) - 1), 2) % 3 == 2",
}


def samples_of(space: dict, formula: str, longer: int = 1) -> Samples:
    """Return the formula's values in the space; a coordinate of any size goes up to a length, times ``longer``."""
    values, told = {}, []
    for name, ends in space.items():
        length = longer * LENGTHS[len(space)]
        if isinstance(ends, list):
            values[name] = ends
            told.append("(" + " or ".join(f"{name} == {value}" for value in ends) + ")")
        else:
            low, high = ends
            values[name] = range(low, low + length if high is None else high + 1)
            told += [f"{name} >= {low}"] + [f"{name} <= {high}"] * (high is not None)
    return replace(made(formula, **values), space=parse(" and ".join(told)))


@pytest.mark.parametrize(("space", "came", "plain"), PLAIN, ids=[came for _, came, _ in PLAIN])
def test_the_plain_formula_is_shown_instead_of_an_equal_cryptic_one(space, came, plain):
    assert is_exact(parse(plain), samples_of(space, came, longer=2)), "the pair is not equal"
    target = P_POSITIONS if parse(came).kind is Kind.CONDITION else GRUNDY
    first, *others = [
        str(each.formula) for each in rank([parse(came)], samples_of(space, came), target, "search", 0)
    ]
    assert came in (first, *others), "a proof may need what came"
    assert first == NOT_YET.get(came, plain)


def test_at_least_nine_of_ten_formulas_are_plain():
    assert 10 * len(NOT_YET) <= len(PLAIN)


def value(formula, at):
    try:
        return evaluate(formula, at)
    except EvaluationError:
        return None


@examples(60)
@given(
    formulas(("x", "p", "m"), 3, calls=False),
    st.lists(
        st.tuples(st.integers(0, 9) | st.integers(0, 1 << 70), st.integers(0, 1), st.integers(1, 99)),
        min_size=30,
    ),
)
def test_the_plain_formula_is_equal_at_positions_of_any_size(formula, positions):
    space = {"x": FROM_0, "p": FLAG, "m": FROM_1}
    try:
        plain = plainest_form(formula, samples_of(space, str(formula)))
    except EvaluationError:
        return  # the formula has no value at some position
    for at in (dict(zip(space, position, strict=True)) for position in positions):
        assert value(formula, at) in (None, value(plain, at)), (str(formula), str(plain), at)
