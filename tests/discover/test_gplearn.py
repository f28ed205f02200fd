"""gplearn: what it answers, and that it leaves no trace."""

import subprocess
import sys

import numpy as np
import pytest
from tests.discover.made import made
from tests.discover.test_games import SUBTRACTION, piles, tables

from grundylab.discover import discover, engine_named
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
