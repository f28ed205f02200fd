"""Minima and maxima of quotients of linear forms, found from the values alone."""

from random import Random

import numpy as np
import pytest
from tests.discover.made import made

from grundylab.discover.complete import smallest_formulas
from grundylab.discover.envelopes import envelope_formulas
from grundylab.discover.ranking import is_exact
from grundylab.discover.search_budget import UNLIMITED, SearchBudget
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays

SIDE = range(40)


@pytest.mark.parametrize(
    "formula",
    [
        "min(3 * x, y + x // 2)",
        "max(7, 3 * x - 5, y + x // 2)",
        "min(2 * x + 1, 2 * y + 3, (x + y) // 3 + 9)",
        "max(3 * (y - 2 * x) // 4 - 1, 0)",
    ],
)
def test_a_minimum_or_maximum_of_quotients_is_found_as_it_was_made(formula):
    assert parse(formula) in envelope_formulas(made(formula, x=SIDE, y=SIDE), UNLIMITED)


def test_two_coins_that_slide_and_push_have_their_formula_where_the_sum_is_even():
    """The published formula of arXiv 2504.18606 costs 22: a search by cost ends far below that."""
    told = "max(min(3 * ((y - x) // 2) - 1, y - x + x // 2), 0)"
    box = made(told, x=SIDE, y=SIDE)
    x, y = box.columns["x"], box.columns["y"]
    samples = box.at(((x + y) % 2 == 0) & ((x < y) | (y == 0)))
    found = smallest_formulas(samples, SearchBudget(0.2)).formulas
    assert found
    assert is_exact(found[0], samples)
    assert str(found[0]) == "max(min(x // 2 + y - x, 3 * (y - x) // 2 - 1), 0)"


def _quotient(rng: Random) -> str:
    a, b = rng.randint(-4, 4), rng.randint(-4, 4)
    return f"({a}*x + {b}*y + {rng.randint(0, 20)}) // {rng.randint(1, 4)}"


@pytest.mark.parametrize("seed", range(20))
def test_what_is_found_is_exact_and_two_quotients_are_found(seed):
    rng = Random(seed)
    formula = f"{rng.choice(['min', 'max'])}({_quotient(rng)}, {_quotient(rng)})"
    samples = made(formula, x=SIDE, y=SIDE)
    found = envelope_formulas(samples, UNLIMITED)
    assert found
    for tree in found:
        assert np.array_equal(evaluate_arrays(tree, samples.columns), samples.values)


@pytest.mark.parametrize("formula", ["x ^ y", "x * y", "(x + y) % 3", "x == y"])
def test_nothing_is_said_of_other_numbers(formula):
    assert envelope_formulas(made(formula, x=SIDE, y=SIDE), UNLIMITED) == []
