"""Rewriting changes no value and makes nothing larger."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from tests.discover.made import made
from tests.sizes import examples
from tests.strategies import formulas

from grundylab.discover.case_forms import in_cases
from grundylab.discover.plainness import reading_effort
from grundylab.discover.ranking import rank
from grundylab.discover.rewriting import reduce_while_exact, short_comparison, simplify, tidy
from grundylab.errors import EvaluationError
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.language import NO_FUNCTIONS, Kind, parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.intervals import NATURAL, Bounder
from grundylab.language.plain import evaluate
from grundylab.language.syntax import negate

NAMES = ("x", "y", "z")
GRID = {
    n: axis.reshape(-1) for n, axis in zip(NAMES, np.meshgrid(*[range(7)] * 3, indexing="ij"), strict=True)
}
PLACES = [*product(range(4), repeat=3)]


def values(formula):
    """Return the formula's value at each place, None where it has none."""
    return [value_at(formula, dict(zip(NAMES, at, strict=True))) for at in PLACES]


def value_at(formula, env):
    try:
        return evaluate(formula, env)
    except EvaluationError:
        return None


@examples(300)
@given(formulas(NAMES, 2, calls=False))
def test_simplify_and_tidy_keep_every_value_and_do_not_grow(formula):
    """A formula may get a value where it had none, as where ``1 // x == 1 // x`` becomes true."""
    known = values(formula)
    for other in (simplify(formula), tidy(formula, NAMES)):
        assert other.size <= formula.size
        assert all(new == old for new, old in zip(values(other), known, strict=True) if old is not None), (
            other
        )
    if formula.kind is Kind.CONDITION:
        assert values(negate(formula)) == [None if value is None else not value for value in known]


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("x ^ y ^ z == 1 if x < y else x ^ y ^ z == 0", "x ^ y ^ z == (1 if x < y else 0)"),
        ("x == y if z == 0 else False", "z == 0 and x == y"),
        ("x == y if z == 0 else True", "z != 0 or x == y"),
        ("x < 1 if y < 1 else (x < 1 if z < 1 else x > 3)", "x < 1 if y < 1 or z < 1 else x > 3"),
        ("x < 1 and y < 1 or x < 1 and z < 1", "x < 1 and (y < 1 or z < 1)"),
    ],
)
def test_conditionals_are_merged(text, simple):
    assert str(simplify(parse(text))) == simple


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("z - x - y <= 0", "x + y >= z"),
        ("0 == x - y", "x == y"),
        ("1 + y * 2 + x == z + 1", "x + 2 * y == z"),
        ("z == y ^ x", "x ^ y == z"),
        ("2 ^ x == y ^ 2", "x == y"),
        ("x + 1 > y", "x >= y"),
        ("max(z, x)", "max(x, z)"),
        ("(x + y) % 2 <= 0", "(x + y) % 2 == 0"),
        ("x % 3 > 0", "x % 3 != 0"),
        ("2 <= x % 3", "x % 3 == 2"),
        ("x % 3 < 2", "x % 3 != 2"),
        ("x % 3 <= 1", "x % 3 != 2"),
        ("x % 2 < 1", "x % 2 == 0"),
        ("x % 2 >= 1", "x % 2 != 0"),
        ("x % 4 <= 1", "x % 4 <= 1"),
    ],
)
def test_spelling_is_the_usual_one(text, usual):
    assert str(tidy(parse(text), NAMES)) == usual


def test_relation_takes_differences_apart():
    assert str(short_comparison("<", parse("x - y"), 1)) == "x <= y"
    assert str(short_comparison("==", parse("x ^ y"), 0)) == "x == y"
    assert str(short_comparison("==", parse("x ^ y"), 1)) == "x ^ y == 1"


def test_reduced_leaves_out_what_the_data_do_not_need():
    wanted = evaluate_arrays(parse("x == y"), GRID)
    formula = reduce_while_exact(
        parse("x == y and x < 9 or z > 8"), lambda e: bool((evaluate_arrays(e, GRID) == wanted).all())
    )
    assert str(formula) == "x == y"


@pytest.mark.parametrize(
    ("plain", "others"),
    [
        ("n % 6 == 1", ["is_power_of_two(n % 6)"]),
        ("x == y and y == z", ["-x ^ -y == -z"]),
        ("max(x - p, 0)", ["-(-x ^ min(x, p))"]),
        ("m > 2", ["m > m ^ 2"]),
        ("x ^ y ^ z", ["min(x, y) + max(x, z)", "x + y - z * 2"]),
        ("x <= 1 or x != 2 and x % 2 == 0", ["x < max(x, 3) ^ 1"]),
        ("x % 7 == 0 or x % 7 == 2", ["4 * x % 7 <= 1", "min(x % 7, 3) % 2 == 0"]),
        ("x % 5 // 2", ["0 if x % 5 <= 1 else 2 if x % 5 == 4 else 1"]),
        (
            "0 if x % 7 == 0 or x % 7 == 2 else 1 if x % 7 == 1 or x % 7 == 3 else 3 if x % 7 == 5 else 2",
            ["((5 - x % 7) ^ 3) % 6", "x % 7 % 2 + 2 * (x % 7 // 4)", "(x % 7 % 2) ^ (2 * (x % 7 // 4))"],
        ),
        ("x % 2 == 0 and y % 2 == 0", ["x % 2 + y % 2 == 0", "2 * (x % 2) == y % 2", "(x | y) % 2 == 0"]),
        ("n & -n > c", ["c ^ (c + max(c, c ^ (n - 1), n)) == n"]),
    ],
)
def test_a_formula_that_a_reader_sees_at_once__is_shown_before_a_short_one(plain, others):
    effort = reading_effort(parse(plain))
    for other in others:
        assert effort <= reading_effort(parse(other)), other


@pytest.mark.parametrize(
    ("short", "plain"),
    [
        ("x < max(x, 3) ^ 1", "x <= 1 or x >= 3 and x % 2 == 0"),
        ("4 * x % 7 <= 1", "x % 7 == 0 or x % 7 == 2"),
        ("x > x ^ 2", "x % 4 >= 2"),
        ("x % 2 if x ^ 3 > 2 else x - 1", "x - 1 if 1 <= x <= 3 else x % 2"),
        ("((x % 7) ^ 1) % 5 // 2", "0 if x % 7 <= 1 or x % 7 == 4 else 2 if x % 7 == 5 else 1"),
        (
            "-(-x ^ 1) if x >= 1 and (x + 1) % 8 < 2 else x",
            "0 if x == 0 else x - 1 if x % 8 == 0 else x + 1 if x % 8 == 7 else x",
        ),
        ("(x | min(y, z)) % 2 == 0", "x % 2 == 0 and min(y, z) % 2 == 0"),
        ("((x ^ y) % 2) ^ (2 * (min(x, y) % 2))", "(x + y) % 2 + 2 * (min(x, y) % 2)"),
        ("x ^ y ^ ((x % 2 + y % 2) & 2)", "x ^ (2 * ((x % 2 + y % 2) // 2)) ^ y"),
        ("y == x ^ 1", "x ^ y == 1"),
        (
            "(x % 7 % 2) ^ (2 * (x % 7 // 4))",
            "0 if x % 7 == 0 or x % 7 == 2 else 1 if x % 7 == 1 or x % 7 == 3 else 3 if x % 7 == 5 else 2",
        ),
    ],
)
def test_an_exact_formula_is_also_put_into_plainer_words(short, plain):
    names = sorted(parse(short).free)
    samples = made(short, **dict.fromkeys(names, range(60 if len(names) == 1 else 12)))
    target = P_POSITIONS if parse(short).kind is Kind.CONDITION else GRUNDY
    first, *others = [str(each.formula) for each in rank([parse(short)], samples, target, "search", 0)]
    assert first == plain
    assert short in others  # a proof may need it


def test_words_that_the_data_refute_are_not_taken():
    samples = made("x ^ y", x=range(12), y=range(12))
    assert [str(each.formula) for each in rank([parse("x ^ y")], samples, GRUNDY, "search", 0)] == ["x ^ y"]
    ends = Bounder({"x": NATURAL}, NO_FUNCTIONS).known
    assert not list(in_cases(parse("x ^ (x // 3)"), ends, False))  # its values do not repeat
    assert not list(in_cases(parse("64 // (x ^ 1)"), ends, False))  # it has no value at 1
