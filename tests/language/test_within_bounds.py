"""Plainer expressions within bounds: the words of engines, and equality with the original everywhere within them."""

import pytest
from hypothesis import given
from tests.sizes import examples
from tests.strategies import conditions, numbers

from grundylab.errors import EvaluationError
from grundylab.language import parse
from grundylab.language.intervals import NATURAL, Interval
from grundylab.language.plain import evaluate
from grundylab.language.within_bounds import simplify_within

BOUNDS = {
    "x": NATURAL,
    "y": NATURAL,
    "z": NATURAL,
    "p": Interval(0, 1),
    "m": Interval(1, NATURAL.high),
    "d": Interval(-NATURAL.high, NATURAL.high),
}


@pytest.mark.parametrize(
    ("text", "plainer"),
    [
        ("x ^ y ^ z == (p if (x + (x ^ y) + y) // m > 0 else 0)", "x ^ y ^ z == (p if x + (x ^ y) + y >= m else 0)"),
        ("1 if 2 * max(x, y) * p >= m else 0", "p if 2 * max(x, y) >= m else 0"),
        ("x * p", "x if p > 0 else 0"),
        ("x * (1 if y < m else 0)", "x if y < m else 0"),
        ("x // m == 0", "x < m"),
        ("(x // m if m != 0 else 0) > 2", "x >= 3 * m"),
        ("x // m != 2", "x < 2 * m or x >= 3 * m"),
        ("min(p, (x + y) // m if m != 0 else 0)", "p if x + y >= m else 0"),
        ("-1 % m", "m - 1"),
        ("-1 % (x ^ y) if x != y else -1", "(x ^ y) - 1"),
        ("-1 % x if x > 0 else -1", "x - 1"),
        ("p % (1 if x < m else 0) if (1 if x < m else 0) != 0 else p", "0 if x < m else p"),
        ("p // (1 if x < m else 0) if x < m else 0", "p if x < m else 0"),
        ("(1 if x < m else 0) < p", "x >= m and 0 < p"),
        ("p * p", "p"),
        ("p % (x // m + p) if p != 0 else p", "p if x >= m else 0"),
        ("0 < x // m", "x >= m"),
        ("x // m + 1 <= 3", "x < 3 * m"),
        ("p < 2 and x >= 0", "True"),
        # what the bounds do not decide stays
        ("x * y", None),
        ("x // y == 0", None),
        ("-1 % y", None),
        ("d // m > 0 or d * p == 1", "d >= m or p > 0 and d == 1"),
        ("min(p, d // m)", None),
        ("y // x * p", None),  # it has no value if x is 0, whatever p is
        ("x < 18446744073709551616", None),  # a natural number of any size
    ],
)  # fmt: skip
def test_the_words_of_engines_are_put_into_plain_ones(text, plainer):
    assert str(simplify_within(parse(text), BOUNDS)) == (plainer or text)


@examples(200)
@given(numbers(("x", "p", "m"), 2, calls=False) | conditions(("x", "p", "m"), 3, calls=False))
def test_the_plainer_expression_has_the_same_value_everywhere_or_like_it_none(expr):
    bounds = {name: BOUNDS[name] for name in ("x", "p", "m")}
    plainer = simplify_within(expr, bounds)
    for x in range(6):
        for p in range(2):
            for m in range(1, 5):
                position = {"x": x, "p": p, "m": m}
                assert value(plainer, position) == value(expr, position), (str(expr), str(plainer))


def value(expr, position):
    try:
        return evaluate(expr, position)
    except EvaluationError:
        return None
