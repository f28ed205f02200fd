"""Rewriting changes no value and makes nothing larger."""

import numpy as np
import pytest

from grundylab.discover.rewriting import (
    negate,
    reading_effort,
    reduce_while_exact,
    short_comparison,
    simplify,
    tidy,
)
from grundylab.language import Kind, parse
from grundylab.language.arrays import evaluate_arrays

NAMES = ("x", "y", "z")
GRID = {
    n: axis.reshape(-1) for n, axis in zip(NAMES, np.meshgrid(*[range(7)] * 3, indexing="ij"), strict=True)
}


def same(a, b):
    return bool((evaluate_arrays(a, GRID) == evaluate_arrays(b, GRID)).all())


def random_formulas():
    """Return random formulas of both kinds, numbers and conditions; they are always the same ones."""
    rng = np.random.default_rng(7)
    numbers = ["x", "y", "z", "0", "1", "2"]
    conditions = ["x == y", "z < 1", "True", "False"]
    for _ in range(150):
        a, b = (numbers[i] for i in rng.integers(len(numbers), size=2))
        c, d = (conditions[i] for i in rng.integers(len(conditions), size=2))
        op = ["+", "-", "^", "*", "&", "|"][rng.integers(6)]
        test = ["==", "!=", "<", "<=", ">", ">="][rng.integers(6)]
        numbers += [f"({a} {op} {b})", f"max({a}, {b})", f"(({a}) if {c} else ({b}))"]
        conditions += [
            f"({a} {test} {b})",
            f"({c} and {d})",
            f"({c} or not {d})",
            f"(({c}) if {d} else {a} < 2)",
        ]
    return [text for text in numbers + conditions if len(text) < 200]


@pytest.mark.parametrize("part", range(5))
def test_simplify_and_tidy_keep_every_value_and_do_not_grow(part):
    for text in random_formulas()[part::5]:
        formula = parse(text)
        for other in (simplify(formula), tidy(formula, NAMES)):
            assert other.size <= formula.size, text
            assert same(formula, other), f"{text} became {other}"
        if formula.kind is Kind.CONDITION:
            assert not (evaluate_arrays(formula, GRID) == evaluate_arrays(negate(formula), GRID)).any(), text


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
    ],
)
def test_what_a_reader_sees_at_once_is_shown_before_what_is_short(plain, others):
    effort = reading_effort(parse(plain))
    for other in others:
        assert effort <= reading_effort(parse(other)), other
