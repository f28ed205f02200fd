"""Terms besides a bank's, and smaller problems that samples are split into, with the formulas found through them."""

from functools import reduce

import numpy as np
import pytest
from tests.discover.made import made

from grundylab.check.samples import collect
from grundylab.discover import engine_named
from grundylab.discover.cost import cost
from grundylab.discover.extra_terms import remainders
from grundylab.discover.ranking import is_exact
from grundylab.discover.sample_quotients import symmetric_quotients
from grundylab.discover.search_budget import UNLIMITED, SearchBudget
from grundylab.discover.structure import formulas_by_value, pile_splits, reduction_formulas
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.nim_products import nim_products
from grundylab.solve import solve

P, GRUNDY = parse_target("p"), parse_target("grundy")


def test_long_constants_cost_more():
    assert [cost(parse(text)) for text in ("7", "99", "100", "11585")] == [1, 1, 2, 4]


ONE, TWO, THREE = {"x": range(120)}, {"x": range(26), "y": range(26)}, {n: range(10) for n in "xyz"}


@pytest.mark.parametrize(
    ("formula", "ranges"),
    [
        ("(x ^ y) % 5 == 3 and (x ^ y) // 2 != 4", TWO),
        pytest.param("3 * ((x // 3) ^ (y // 3)) + (x + y) % 3", TWO, marks=pytest.mark.long),  # 15 seconds
        ("max(x, y, z) % 3 == min(x, y, z)", THREE),
    ],
)
def test_the_answer_to_a_smaller_problem_is_put_back(formula, ranges):
    samples = made(formula, **ranges)
    found = reduction_formulas(samples, SearchBudget(20.0))
    assert found
    for tree in found:
        assert np.array_equal(evaluate_arrays(tree, samples.columns), samples.values), tree


def test_functions_that_mention_what_is_left_out_are_left_out_too():
    game = parse_ruleset("""title: t
parameters: {k: k >= 1}
position: {x: 0..N, y: 0..N}
functions: {f(n): n // k}
moves: [{take: "1..f(x)", from: x}, {take: "1..f(y)", from: y}]
""")
    samples = collect([solve(make_instance(game, {"k": 2}, {"N": 12}), "grundy")], GRUNDY)
    for tree in reduction_formulas(samples, SearchBudget(3.0)):
        assert np.array_equal(evaluate_arrays(tree, samples.columns, samples.functions), samples.values)


@pytest.mark.parametrize(
    ("formula", "ranges"),
    [
        ("(x // 3) ^ (y // 3) ^ (z // 3) == 0", THREE),
        ("(x % 4) ^ (y % 4) ^ (z % 4) == 0", THREE),
        ("x // 2 == y // 2", TWO),
        ("(x % 5) ^ (7 * y % 9)", TWO),
        ("x * x + 3 * y + isqrt(z)", THREE),
        ("(x ^ (x // 2)) + 2 * (y ^ (y + 3))", TWO),
        ("nim_product(x // 3, y & -y)", TWO),
        ("(1 - x % 2) * (y ^ (y // 3))", TWO),
        ("nim_product(nim_product(x + 1, 1 + y % 4), z)", THREE),
    ],
)
def test_sums_of_piles_are_seen_and_each_part_is_a_function_of_one_coordinate(formula, ranges):
    samples = made(formula, **ranges)
    seen = next(pile_splits(samples))
    assert [part.coordinates for part in seen.parts] == [(name,) for name in ranges]
    assert all(len(part) == len(ranges[part.names[0]]) for part in seen.parts)
    values = [part.values[samples.columns[part.names[0]]] for part in seen.parts]
    whole = reduce(
        {"^": np.bitwise_xor, "+": np.add, "nim_product": nim_products, "*": np.multiply}[seen.operator],
        values,
    )
    assert np.array_equal(whole == 0 if samples.values.dtype == bool else whole, samples.values)


@pytest.mark.parametrize(
    ("formula", "ranges"),
    [("x * y", TWO), ("x ^ y ^ z == 1", THREE), ("x + y == z", THREE), ("max(x, y)", TWO), ("x <= y", TWO)],
)
def test_a_formula_that_is_no_sum_of_piles__is_not_taken_for_one(formula, ranges):
    assert not list(pile_splits(made(formula, **ranges)))


def test_values_of_piles_that_would_need_more_than_64_bits_are_none():
    """If no two sizes and no three form a P-position, each size needs a bit of its own."""
    seen = list(pile_splits(made("x + y + z == 0", x=range(70), y=range(2), z=range(3))))
    assert [each.operator for each in seen] == ["and"]


@pytest.mark.parametrize(
    ("formula", "ranges", "operator"),
    [
        ("x % 6 > 3 and y % 6 > 3 and z % 6 > 3", THREE, "and"),
        ("x >= 5 and y % 3 == 1", TWO, "and"),
        ("x >= 5 or y % 3 == 1", TWO, "or"),
        ("x % 2 == 0 or y == 3 or z > 8", THREE, "or"),
    ],
)
def test_a_condition_on_each_coordinate_or_on_any_is_seen_and_found(formula, ranges, operator):
    samples = made(formula, **ranges)
    (seen,) = pile_splits(samples)
    assert seen.operator == operator
    values = [part.values[samples.columns[part.names[0]]] for part in seen.parts]
    assert np.array_equal(
        reduce(np.logical_and if operator == "and" else np.logical_or, values), samples.values
    )
    for tree in reduction_formulas(samples, SearchBudget(3.0)):
        assert np.array_equal(evaluate_arrays(tree, samples.columns), samples.values)


FOUR = {n: range(7) for n in "xyzw"}


@pytest.mark.parametrize(
    ("formula", "ranges", "terms"),
    [
        ("min(x, y, z, w) % 2 == 0 and (x + y + z + w) % 2 == 0", FOUR, {"min(x, y, z, w)", "x + y + z + w"}),
        ("(x ^ y ^ z) == 0 and min(x, y, z) <= 2", THREE, {"min(x, y, z)", "x ^ y ^ z"}),
        ("x % 2 + y % 2 + z % 2 == 1", THREE, {"x % 2 + y % 2 + z % 2"}),
        (
            "((1 if x == 1 else 0) + (1 if y == 1 else 0) + (1 if z == 1 else 0)) % 3 == 0",
            THREE,
            {"(1 if x == 1 else 0) + (1 if y == 1 else 0) + (1 if z == 1 else 0)"},
        ),
    ],
)
def test_piles_that_may_be_exchanged_are_seen_through_the_fewest_numbers(formula, ranges, terms):
    samples = made(formula, **ranges)
    seen = list(symmetric_quotients(samples))
    assert terms in [set(map(str, each.terms.values())) for each in seen]
    assert {len(each.terms) for each in seen} == {len(terms)}
    found = reduction_formulas(samples, SearchBudget(10.0))
    assert found
    larger = made(formula, **{name: range(2 * side.stop) for name, side in ranges.items()})
    assert np.array_equal(evaluate_arrays(found[0], larger.columns), larger.values), found[0]


@pytest.mark.parametrize("formula", ["x + 2 * y == z", "x ^ y ^ z == 3 and x > 1"])
def test_piles_that_may_not_be_exchanged_are_left_as_they_are(formula):
    assert not list(symmetric_quotients(made(formula, **THREE)))


def test_a_remainder_without_a_value_somewhere_is_no_term():
    terms = {str(tree) for tree, _ in remainders(made("x % (k + 1)", ("k",), x=range(9), k=(0, 1, 2)))}
    assert "x % (k + 1)" in terms
    assert "x % k" not in terms


def test_piles_have_a_function_for_each_setting_of_the_parameters():
    samples = made("(x % (m + 1)) ^ (y % (m + 1)) ^ (z % (m + 1)) == 0", ("m",), **THREE, m=(2, 3, 5))
    (seen,) = pile_splits(samples)
    part = seen.parts[0]
    assert part.names == ("x", "m")
    assert np.array_equal(part.values, part.columns["x"] % (part.columns["m"] + 1))


def test_a_coordinate_with_few_values_is_looked_at_value_by_value():
    """Report the simple formula for one value of the coordinate, though the other value has none."""
    samples = made(
        "x ^ y == z if p == 0 else (7*x*x + 5*y*z + x*y*z) % 11 < 4",
        x=range(9),
        y=range(9),
        z=range(9),
        p=range(2),
    )
    proposed = engine_named("search")(samples, P, 0, 3.0)
    assert not any(is_exact(formula, samples) for formula in proposed.formulas)
    assert [(str(part.formula), str(part.where)) for part in proposed.parts] == [("x ^ y == z", "p == 0")]


def test_formulas_for_each_value_are_one_formula_by_cases():
    samples = made("(x ^ y) * 3 + z if p == 0 else x * y + z", x=range(9), y=range(9), z=range(9), p=range(2))
    ((parts, whole),) = formulas_by_value(samples, UNLIMITED)
    assert {str(where) for where, _ in parts} == {"p == 0", "p == 1"}
    assert is_exact(whole, samples)


def test_turning_the_corners_of_a_rectangle_is_a_product():
    """Turning Corners (Berlekamp, Conway and Guy, *Winning Ways*, chapter 14): four coins at corners are turned over."""
    game = parse_ruleset("""title: t
position: {x: 0..N, y: 0..N}
moves: [{for: {a: 0..x-1, b: 0..y-1}, to: [{x: a, y: b}, {x: a, y: y}, {x: x, y: b}]}]
""")
    samples = collect([solve(make_instance(game, {}, {"N": 9}), "grundy")], GRUNDY)
    assert "nim_product(x, y)" in map(str, reduction_formulas(samples, SearchBudget(3.0)))
