"""gplearn: its answers, and that it leaves no global state behind."""

import re

import numpy as np
import pytest
from tests.discover.games import SUBTRACTION, piles
from tests.discover.made import made
from tests.solved import tables

from grundylab.discover import discover, engine_named, genetic
from grundylab.discover.engines import gplearn
from grundylab.discover.genetic import genetic_problem
from grundylab.games import parse_target
from grundylab.language import parse
from grundylab.language.plain import evaluate

P = parse_target("p")


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("game", "target", "values", "formula"),
    [
        (piles(2), "p", {}, "x == y"),
        (piles(2), "grundy", {}, "x ^ y"),
        (SUBTRACTION, "p", {"m": (2, 4)}, "x % (m + 1) == 0"),
    ],
)
def test_a_formula_of_few_operators_is_found_whatever_the_seed(game, target, values, formula, seed):
    training = tables(game, target, N=9, **values)
    best = discover(training, parse_target(target), "gplearn", seed, budget=5.0)[0]
    assert best.exact
    position = {"x": 23, "y": 23, "m": 7}
    assert evaluate(best.formula, position) == evaluate(parse(formula), position)


def test_a_formula_comes_with_the_program_that_it_was_and_one_too_large_with_the_reason(monkeypatch):
    samples, target = made("x + y", x=range(8), y=range(8)), parse_target("grundy")
    told = engine_named("gplearn")(samples, target, 0, 5.0)
    assert set(told.equations) == set(told.formulas)
    assert told.equations[parse("x + y")].startswith("+(")
    monkeypatch.setattr(genetic, "LARGEST", 2)
    told = engine_named("gplearn")(samples, target, 0, 1.0)
    assert told.unread
    for unread in told.unread:
        assert unread.reason == "its formula would have more than 2 nodes"
        assert unread.complexity == len(re.findall(r"[^(), ]+", unread.equation)) > 1
        assert 0 <= unread.loss < 1


def fits_of(monkeypatch) -> list[int]:
    """Return a list to which each later fit of a population adds its generation."""
    from gplearn.genetic import SymbolicRegressor

    fits, fit = [], SymbolicRegressor.fit
    monkeypatch.setattr(
        SymbolicRegressor, "fit", lambda *args, **more: fits.append(args[0].generations) or fit(*args, **more)
    )
    return fits


HARD = made("x * x % 7 == y % 5", x=range(20), y=range(20))


@pytest.mark.parametrize(("node_seconds", "generations"), [(0.0, 20), (1.0, 1)])
def test_the_budget_counts_programs_and_their_nodes(monkeypatch, node_seconds, generations):
    """When only programs were counted, a budget of 20 seconds took 32 seconds of processor time."""
    fits = fits_of(monkeypatch)
    monkeypatch.setattr(gplearn, "NODE_SECONDS", node_seconds)
    monkeypatch.setattr(gplearn, "POPULATION", 50)
    told = engine_named("gplearn")(HARD, P, 0, 0.8)
    assert fits == list(range(1, generations + 1))
    assert told.formulas
    more = "programs" if generations == 20 else "generations"
    assert told.notes == (
        f"used up {generations} of 20 generations of 50 programs: a larger budget has more {more}",
    )


def test_one_population_evolves_through_all_rounds(monkeypatch):
    """Each budget had a population of its own before, and a run of 5 seconds ended in its second generation."""
    problems = []
    monkeypatch.setattr(gplearn, "POPULATION", 50)
    monkeypatch.setattr(gplearn, "fit_in_rounds", lambda samples, seed, fit, rows: problems.append(fit))
    with pytest.raises(AttributeError):  # nothing was fitted
        engine_named("gplearn")(HARD, P, 0, 2.0)
    (evolution,) = problems
    rows = np.arange(len(HARD))
    fits = fits_of(monkeypatch)
    for number in range(1, 6):
        with np.errstate(all="ignore"):
            assert evolution(genetic_problem(HARD, None, rows[number::3]), number)
        assert fits == list(range(1, 4 * number + 1))
    assert evolution(genetic_problem(HARD, None, rows), 0) is None


def test_an_exact_answer_has_no_note_about_the_budget():
    told = engine_named("gplearn")(made("x + y", x=range(8), y=range(8)), parse_target("grundy"), 0, 5.0)
    assert told.notes == ()
