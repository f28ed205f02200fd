"""gplearn: its answers, and that it leaves no global state behind."""

import re
import time
from itertools import count

import numpy as np
import pytest
from tests.discover.made import made
from tests.discover.test_games import SUBTRACTION, piles, tables

from grundylab.discover import discover, engine_named, genetic
from grundylab.discover.engines import gplearn
from grundylab.games import parse_target
from grundylab.language import parse
from grundylab.language.plain import evaluate

P = parse_target("p")


@pytest.mark.parametrize("seed", range(2))
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


def test_no_clock_decides_an_answer(monkeypatch):
    """The answer is the same on a machine whose clock jumps by a day whenever it is read."""
    samples, target = made("x ^ y", x=range(8), y=range(8)), parse_target("grundy")
    before = engine_named("gplearn")(samples, target, 0, 1.0)
    days = count(0, 86_400)
    for clock in ("time", "perf_counter", "monotonic", "process_time"):
        monkeypatch.setattr(time, clock, lambda: next(days))
    assert engine_named("gplearn")(samples, target, 0, 1.0) == before
    assert before.formulas


def test_a_formula_comes_with_the_program_that_it_was_and_one_too_large_with_the_reason(monkeypatch):
    samples, target = made("x + y", x=range(8), y=range(8)), parse_target("grundy")
    told = engine_named("gplearn")(samples, target, 0, 5.0)
    assert set(told.equations) == set(told.formulas)
    assert told.equations[parse("x + y")] in ("+(x, y)", "+(y, x)")
    monkeypatch.setattr(genetic, "LARGEST", 2)
    told = engine_named("gplearn")(samples, target, 0, 1.0)
    assert told.unread
    for unread in told.unread:
        assert unread.reason == "its formula would have more than 2 nodes"
        assert unread.complexity == len(re.findall(r"[^(), ]+", unread.equation)) > 1
        assert 0 <= unread.loss < 1


@pytest.mark.parametrize(("node_seconds", "generations"), [(0.0, 5), (1e-4, 1)])
def test_the_budget_counts_programs_and_their_nodes(monkeypatch, node_seconds, generations):
    """When only programs were counted, a budget of 20 seconds took 32 seconds of processor time."""
    from gplearn.genetic import SymbolicRegressor

    fits, fit = [], SymbolicRegressor.fit
    monkeypatch.setattr(SymbolicRegressor, "fit", lambda *args: fits.append(1) or fit(*args))
    monkeypatch.setattr(gplearn, "PROGRAM_SECONDS", 1e-3)
    monkeypatch.setattr(gplearn, "NODE_SECONDS", node_seconds)
    engine_named("gplearn")(made("x * x % 7 == y % 5", x=range(20), y=range(20)), P, 0, 5.0)
    assert len(fits) == generations


def test_a_budget_that_is_used_up_is_said_and_no_budget_is_no_formula(monkeypatch):
    monkeypatch.setattr(gplearn, "PROGRAM_SECONDS", 0.02)
    hard = made("x * x % 7 == y % 5", x=range(20), y=range(20))
    told = engine_named("gplearn")(hard, P, 0, 36.0)
    assert told.formulas
    assert told.notes == (
        "stopped by the budget of 36 seconds: a larger budget may find more (populations: 1)",
    )
    none = engine_named("gplearn")(hard, P, 0, 0.001)
    assert none.formulas == ()
    assert none.notes[0].startswith("stopped by the budget of 0.001 seconds")
