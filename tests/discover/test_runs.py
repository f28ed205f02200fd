"""The engine for runs: its building blocks are exact, and its formulas hold in larger tables than it learnt from."""

from fractions import Fraction
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discover.games import SUMS, turns
from tests.discover.made import made
from tests.findings.made import agreeing_claims
from tests.sizes import examples
from tests.solved import tables

from grundylab.check.verification import verify
from grundylab.discover import Samples, collect, discover, engine_named
from grundylab.discover.polynomials import PolynomialVariable, fit_polynomial
from grundylab.discover.polynomials import solve_linear as solve_linear
from grundylab.discover.ranking import rank
from grundylab.discover.run_intervals import find_runs
from grundylab.discover.run_relations import RunRelation, find_relations
from grundylab.findings.claim_comparisons import comparison_at_tables
from grundylab.games import parse_target
from grundylab.language import Function, Functions, parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Int, Name
from grundylab.pipeline.config import read_studies
from grundylab.solve import solve

ROOT = Path(__file__).parents[2]
P = parse_target("p")
FEW = examples(15)


# -- exact linear algebra and polynomials ---------------------------------------------------------------------

ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-50, 50), min_size=width, max_size=width), min_size=1, max_size=30
    )
)


def total_of(coefficients, columns):
    return sum(c * column.astype(object) for c, column in zip(coefficients, columns, strict=True))


def solved(columns, wanted):
    """Return the linear combination of the columns that is found; assert that it gives the wanted values."""
    found = solve_linear(
        [PolynomialVariable(None, column).column for column in columns], np.array(list(map(int, wanted)))
    )
    assert found is None or np.all(total_of(found, columns) == wanted)
    return found


@FEW
@given(ROWS, st.lists(st.integers(-54, 54), min_size=4, max_size=4), st.integers(1, 6), st.data())
def test_a_combination_is_found_and_nothing_else_is_said_to_be_one(rows, numerators, denominator, data):
    columns = [np.array(column, dtype=object) * denominator for column in zip(*rows, strict=True)]
    weights = [Fraction(numerator, denominator) for numerator in numerators[: len(columns)]]
    assert solved(columns, total_of(weights, columns)) is not None
    solved(
        columns, np.array(data.draw(st.lists(st.integers(-50, 50), min_size=len(rows), max_size=len(rows))))
    )


def test_a_point_that_the_fit_did_not_see_is_checked():
    x = np.arange(1000)
    wanted = 2 * x
    wanted[501] += 1
    assert solved([x], 2 * x) == (Fraction(2),)
    assert solved([x], wanted) is None


# binomials make every polynomial with integer values
BINOMIALS = ["1", "x", "y", "x*(x - 1)//2", "x*y", "y*(y - 1)//2", "x*(x - 1)*(x - 2)//6", "x*(x - 1)//2*y"]


@FEW
@given(st.lists(st.integers(-4, 4), min_size=len(BINOMIALS), max_size=len(BINOMIALS)))
def test_a_polynomial_is_found_and_its_formula_has_its_values_elsewhere(weights):
    def at(x, y):
        terms = (evaluate_arrays(parse(text), {"x": x, "y": y}) for text in BINOMIALS)
        return sum(weight * term for weight, term in zip(weights, terms, strict=True))

    x, y = (axis.reshape(-1) for axis in np.meshgrid(range(7), range(7)))
    found = fit_polynomial([PolynomialVariable(Name("x"), x), PolynomialVariable(Name("y"), y)], at(x, y), 3)
    assert found is not None
    far = {"x": np.arange(-9, 60, 7), "y": np.arange(80, 11, -7)}
    assert np.array_equal(np.broadcast_to(evaluate_arrays(found, far), (10,)), at(**far))


def test_a_polynomial_needs_more_points_than_it_has_coefficients():
    x = np.arange(7)
    assert fit_polynomial([PolynomialVariable(Name("x"), x)], x**3, 3) is None
    assert (
        str(fit_polynomial([PolynomialVariable(Name("x"), np.arange(8))], np.arange(8) ** 3, 3))
        == "x * x * x"
    )


def test_a_rational_polynomial_without_integer_values_is_none():
    x = np.arange(0, 40, 2)
    assert fit_polynomial([PolynomialVariable(Name("x"), x)], x // 2, 2) is None


# -- runs -----------------------------------------------------------------------------------------------------


def on_a_grid(truth, width, height) -> Samples:
    x, y = (axis.reshape(-1) for axis in np.meshgrid(range(width), range(height), indexing="ij"))
    return Samples(("x", "y"), {"x": x, "y": y}, np.array(truth).reshape(-1))


@FEW
@given(st.integers(3, 9), st.integers(2, 4), st.data())
def test_runs_are_those_of_the_definition(width, height, data):
    cells = data.draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    truth, expected = np.array(cells).reshape(width, height), []
    for y in range(height):
        blocks = [
            (value, [x for x, _ in group]) for value, group in groupby(enumerate(truth[:, y]), lambda p: p[1])
        ]
        inside = [block for value, block in blocks if value]
        expected += [(y, n, b[0], b[-1], b[-1] < width - 1) for n, b in enumerate(inside)]
    found = find_runs(on_a_grid(truth, width, height), "x")
    if found is None:
        assert len(expected) < 2
        return
    columns = (found.row["y"], found.number, found.start, found.end, found.ended)
    assert sorted(zip(*(column.tolist() for column in columns), strict=True)) == sorted(expected)


def test_rows_with_holes_have_no_runs():
    whole = on_a_grid([[True, False]] * 5, 5, 2)
    assert find_runs(whole, "x") is None  # one run, from end to end, says nothing of where runs begin
    striped = on_a_grid([[True, True], [False, False]] * 3, 6, 2)
    assert find_runs(striped, "x") is not None
    assert find_runs(striped.at(np.flatnonzero(striped.columns["x"] != 2)), "x") is None


def test_an_end_that_the_row_cuts_off_is_not_fitted():
    runs = find_runs(on_a_grid([[x % 3 == 0 for _ in range(2)] for x in range(7)], 7, 2), "x")
    assert runs.start.tolist() == [0, 3, 6] * 2
    assert runs.end[runs.known("end")].tolist() == [0, 3] * 2
    runs = find_runs(on_a_grid([[x >= y for y in range(4)] for x in range(6)], 6, 4), "x")
    assert not runs.ended.any()
    assert str(runs.fit("start")) == "y"
    assert runs.fit("end") is None


# -- games ----------------------------------------------------------------------------------------------------


def test_theorem_35_is_found_from_the_training_data_of_its_study():
    study = read_studies(ROOT / "studies" / "papers.yaml", str(ROOT / "rulesets"))["turn-limit-linear"]
    training, testing = ([solve(each, "outcome") for each in some] for some in (study.train, study.test))
    best = discover(training, P, "runs")[0]
    assert best.exact
    expected = "any(j * (m * (j + k - 1) + 1) <= u <= j * (m * (j + k) + 1) for j in range(0, u + 1))"
    assert str(best.formula) == expected
    assert "theorem-35" in agreeing_claims(comparison_at_tables(study.ruleset, best, testing))


def by_steps(seed: int) -> str:
    """Return a random non-decreasing step function as a formula; its first value may be larger than the second."""
    rng = np.random.default_rng(seed)
    ends, levels = np.cumsum(rng.integers(1, 9, 6)) + 1, np.cumsum(rng.integers(0, 6, 7)) + 1
    cases = [f"{level} if k <= {end} else " for end, level in zip(ends, levels, strict=False)]
    return f"{rng.integers(1, 20)} if k == 1 else " + "".join(cases) + str(levels[-1])


LIMITS = [
    "k*k",
    "floor_log2(k) + 1",
    "isqrt(k) + k//3 + 1",
    "(k + 2)//3",
    *map(by_steps, range(6)),
    "k*k*k",
    "3",
]


def test_a_formula_learnt_of_four_functions__is_true_of_all_that_never_decrease():
    cases = ", ".join(f'{{when: m == {m}, value: "{limit}"}}' for m, limit in enumerate(LIMITS))
    game = turns(f"{{cases: [{cases}, {{otherwise: 1}}]}}", "m: m >= 0")
    found = [c for c in discover(tables(game, "p", m=range(4), N=40, K=12), P, "runs") if c.exact]
    assert [str(candidate.formula) for candidate in found] == [SUMS]
    every = tables(game, "p", m=range(len(LIMITS)), N=50, K=16)
    assert verify(found[0].formula, P, every).status == "holds"


def test_the_formula_of_runs__is_false_of_a_function_that_decreases():
    game = turns("3 if k == 3 else 2")
    assert verify(parse(SUMS), P, tables(game, "p", N=9, K=4)).status == "refuted"
    assert discover(tables(game, "p", N=40, K=8), P, "runs")[0].formula != parse(SUMS)


def test_the_relations_between_rows_are_those_of_the_game():
    """The run after the n-th one of the next row begins f(k) + 1 after it; a run ends where that row's begins."""
    samples = collect(tables("turn-limit-log2", "p", N=60, K=12), P)
    found = find_relations(find_runs(samples, "u"))
    on = (("k", 1),)
    assert RunRelation("j", "start", "end", 1, on, ((1, Int(1)), (1, parse("f(k)")))) in found["start"]
    assert RunRelation("j", "end", "start", 0, on, ()) in found["end"]


@pytest.mark.parametrize("text", ["x ^ y == 6", "x * y % 7 == 1", "x * x + y * y < 40"])
def test_a_set_that_is_no_union_of_runs__has_no_exact_formula_and_no_error(text):
    samples = made(text, x=range(13), y=range(13))
    ranked = rank(engine_named("runs")(samples, P, 0, 20.0).formulas, samples, P, "runs", 0)
    assert not any(candidate.exact for candidate in ranked)


def test_a_formula_may_call_the_rulesets_functions_and_no_others():
    functions = Functions((Function("h", ("x",), parse("x % 4")),))
    samples = Samples(("x",), {"x": np.arange(9)}, np.arange(9) % 4 == 0, (), functions)
    ranked = rank([parse("h(x) == 0"), parse("g(x) == 0")], samples, P, "runs", 0)
    assert [(str(candidate.formula), candidate.exact) for candidate in ranked] == [("h(x) == 0", True)]
    assert samples.at(np.arange(3)).functions is samples.functions
