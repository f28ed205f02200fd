"""What is copied as Python runs by itself and says what the plain reader says."""

import math

import pytest
from hypothesis import given
from tests.strategies import FUNCTIONS, NAMES, environments, formulas

from grundylab.errors import EvaluationError, FormulaError
from grundylab.games import load_ruleset
from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.language.python import python_function


def pasted(text):
    """The last function of the text, which sees nothing else."""
    known = {}
    exec(text, known)  # noqa: S102 - our own text
    return known["f"]


@given(formulas(), environments())
def test_it_gives_the_same_value_wherever_there_is_one(expr, environment):
    try:
        value = evaluate(expr, environment, FUNCTIONS)
    except (EvaluationError, FormulaError):
        return
    function = pasted(python_function("f", NAMES, "about", expr, FUNCTIONS))
    assert function(**environment) == value


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("floor(x / y) + ceil(x / y)", lambda x, y: x // y + -(-x // y)),
        ("isqrt(x) + popcount(y)", lambda x, y: math.isqrt(x) + y.bit_count()),
        ("floor_log2(x) + valuation2(y)", lambda x, y: x.bit_length() - 1 + (y & -y).bit_length() - 1),
        ("is_power_of_two(x)", lambda x, y: x in (1, 2, 4, 8, 16)),
        ('accepts("+0,,,0", x, y)', lambda x, y: x == y),
        ('accepts("fib: -0,1 +1,", x + y - 3)', lambda x, y: x + y - 3 in (1, 2, 3, 5, 8, 13, 21, 34)),
        ('accepts("2,1: -0,1, +1,,", x)', lambda x, y: x in (1, 3, 7, 17)),
        ("x ^ 1 == y and not x < 3", lambda x, y: x ^ 1 == y and x >= 3),
    ],
)
def test_nothing_else_is_needed(text, right):
    function = pasted(python_function("f", ("x", "y"), "about", parse(text), load_ruleset("nim-2").functions))
    assert all(function(x, y) == right(x, y) for x in range(1, 20) for y in range(1, 20))


def test_a_recurrence_comes_along():
    game = load_ruleset("turn-limit-fibonacci")
    (name,) = (function.name for function in game.functions)
    function = pasted(python_function("f", ("x",), "about", parse(f"{name}(x)"), game.functions))
    assert function(60) == evaluate(parse(f"{name}(x)"), {"x": 60}, game.functions)


def test_what_only_a_table_gives_is_refused():
    with pytest.raises(FormulaError, match=r"G\(\) is given by a table, and by no formula"):
        python_function("f", ("x",), "about", parse("G(x)"), load_ruleset("nim-2").functions)
