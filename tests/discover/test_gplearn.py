"""gplearn: what it is asked, what it answers, and that it leaves no trace."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from tests.discover.made import made
from tests.discover.test_games import PASS, SUBTRACTION, piles, tables
from tests.strategies import conditions, numbers

from grundylab.discover import collect, discover, engine_named, gplearn
from grundylab.discover.ranking import errors
from grundylab.discover.regression import answers, problem, solvable
from grundylab.games import parse_target
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Int, Name

P, GRUNDY = parse_target("p"), parse_target("grundy")


# -- the problem ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("x == y", ("x", "y")),
        ("x == y // 2", ("y", "x")[1:]),
        ("x % 3 == 0", ()),
        ("x ^ y == 3 and x < 3", ("x", "y")),
        ("x < 0", ()),
    ],
)
def test_a_coordinate_can_be_solved_for_if_the_condition_holds_once_along_it(condition, names):
    assert solvable(made(condition, x=range(8), y=range(8))) == names


def test_the_p_positions_of_a_game_with_a_pass_are_solved_for_the_last_pile():
    samples = collect(tables(piles(3, PASS), "p", 6), P)
    asked = problem(samples, 1_000, np.random.default_rng(0))
    assert asked.solved == "z"
    assert {str(leaf) for leaf in asked.leaves if isinstance(leaf, Name)} == {"x", "y", "p"}
    assert not asked.zero
    there = samples.at(np.flatnonzero(samples.values))
    assert sorted(asked.wanted.tolist()) == sorted(there.columns["z"].tolist())
    assert str(asked.formula(parse("x ^ y"))) == "z == x ^ y"


def test_what_cannot_be_solved_for_is_asked_for_by_zero_with_both_sides_of_the_same_weight():
    samples = collect(tables(SUBTRACTION, "p", 40, (3, 4)), P)
    asked = problem(samples, 1_000, np.random.default_rng(0))
    assert (asked.solved, asked.zero) == (None, True)
    assert set(asked.leaves) == {Name("x"), Name("m"), Int(0), Int(1), Int(2)}
    assert np.array_equal(asked.wanted == 0, samples.values)
    assert asked.weights[asked.wanted == 0].sum() == pytest.approx(asked.weights[asked.wanted == 1].sum())
    assert str(asked.formula(parse("x % (m + 1)"))) == "x % (m + 1) == 0"


@pytest.mark.parametrize("condition", ["x == 0", "x == 1"])
@pytest.mark.parametrize("bound", [1, 4])
def test_a_condition_that_is_the_same_everywhere_is_described_at_once(condition, bound):
    samples = made(condition, x=range(1), y=range(bound))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked = problem(samples, 1_000, np.random.default_rng(0))
    assert asked.weights.tolist() == [1] * len(asked.features)
    told = engine_named("gplearn")(samples, P, 0, 5.0)
    assert told.notes == ()
    assert any(not errors(formula, samples).any() for formula in told.formulas)


@pytest.mark.parametrize("target", ["x + y", "x ^ y == 1", "x < y"])
def test_a_problem_has_each_position_with_its_own_value(target):
    """Whatever the way of asking: the formula of the right term is right at the rows that were asked about."""
    samples = made(target, x=range(30), y=range(30))
    asked = problem(samples, 100, np.random.default_rng(1))
    right = {"x + y": "x + y", "x ^ y == 1": "x ^ 1", "x < y": "1 if y <= x else 0"}[target]
    names = [str(leaf) for leaf in asked.leaves]
    columns = {name: asked.features[:, place] for place, name in enumerate(names) if not name.isdecimal()}
    assert 30 <= len(asked.features) <= 150
    assert np.array_equal(evaluate_arrays(parse(right), columns), asked.wanted)


@settings(max_examples=60)
@given(formula=numbers(("x", "y"), 2, calls=False) | conditions(("x", "y"), 2, calls=False))
def test_an_answer_is_made_shorter_and_no_worse(formula):
    samples = made("x == y", x=range(5), y=range(5))
    before = errors(formula, samples)
    (answer,) = answers([formula], samples)
    assert answer.size <= formula.size
    after = errors(answer, samples)
    assert before is None or (after is not None and not np.any(after & ~before))


# -- the engine ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("game", "target", "values", "formula"),
    [
        (piles(2), "p", (), "x == y"),
        (piles(2), "grundy", (), "x ^ y"),
        (SUBTRACTION, "p", (2, 4), "x % (m + 1) == 0"),
    ],
)
def test_a_formula_of_few_operators_is_found_whatever_the_seed(game, target, values, formula, seed):
    training = tables(game, target, 9, values)
    best = discover(training, parse_target(target), "gplearn", seed, budget=20.0)[0]
    assert best.exact
    position = {"x": 23, "y": 23, "m": 7}
    assert evaluate(best.formula, position) == evaluate(parse(formula), position)


def test_numpys_global_generator_is_left_as_it_was():
    np.random.seed(5)
    expected = np.random.random()
    np.random.seed(5)
    engine_named("gplearn")(made("x == y", x=range(5), y=range(5)), P, 3, 0.5)
    assert np.random.random() == expected


def test_what_the_library_takes_to_be_imported_is_not_of_the_budget():
    """In a process of its own, where nothing is imported yet; the clock is of this process's work."""
    code = """
import sys
import time
clock = time.process_time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "gplearn.genetic":
            sys.meta_path.remove(self)
            time.process_time = lambda: clock() + 1000
sys.meta_path.insert(0, Slow())
import numpy as np
from grundylab.discover import Samples, engine_named
from grundylab.games import parse_target
x, y = (axis.reshape(-1) for axis in np.indices((5, 5)))
samples = Samples(("x", "y"), {"x": x, "y": y}, x + y)
print(*engine_named("gplearn")(samples, parse_target("grundy"), 0, 300.0).formulas)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "x + y" in done.stdout


def test_a_budget_that_is_used_up_is_said_and_no_budget_is_no_formula(monkeypatch):
    monkeypatch.setattr(gplearn, "PROGRAMS_PER_SECOND", 50)  # so that it is not the clock that stops it
    hard = made("x * x % 7 == y % 5", x=range(20), y=range(20))
    told = engine_named("gplearn")(hard, P, 0, 36.0)
    assert told.formulas
    assert told.notes == (
        "stopped by the budget of 36 seconds: with a larger one there may be more (populations: 1)",
    )
    none = engine_named("gplearn")(hard, P, 0, 0.001)
    assert none.formulas == ()
    assert none.notes[0].startswith("stopped by the budget of 0.001 seconds")
