"""Numbers that are nim-sums over the places of binary digits, found from the values alone."""

import pytest
from tests.discover.made import made

from grundylab.check.samples import Samples
from grundylab.discover.complete import smallest_formulas
from grundylab.discover.ranking import is_exact
from grundylab.discover.search_budget import SearchBudget
from grundylab.discover.structure import reduction_formulas
from grundylab.language import parse


def over_places(term: str, name: str = "n") -> str:
    """Return the nim-sum of a term of the place i, which counts from 1, over the digits 1 of a number."""
    return f"nim_sum(({name} >> (i - 1)) % 2 * {term} for i in range(1, floor_log2(max({name}, 1)) + 2))"


@pytest.mark.parametrize("term", ["(i & -i)", "min(i % 5, 3)"])
def test_a_nim_sum_over_the_digits_is_found_from_the_places(term):
    """As in Ruler (*Winning Ways*, chapter 14), where a coin is worth the power of two that divides its place."""
    samples = made(over_places(term), n=range(200))
    found = smallest_formulas(samples, SearchBudget(0.2)).formulas
    assert parse(over_places(term)) in found
    assert all(is_exact(tree, samples) for tree in found)


def test_one_value_that_is_no_nim_sum_spoils_it():
    samples = made(over_places("(i & -i)"), n=range(200))
    spoilt = Samples(samples.names, samples.columns, samples.values + (samples.columns["n"] == 77))
    assert smallest_formulas(spoilt, SearchBudget(0.2)).formulas == ()


def test_two_rows_of_coins_have_the_nim_sum_of_both():
    samples = made(
        f"{over_places('(i & -i)', 'x')} ^ {over_places('(i & -i)', 'y')}", x=range(70), y=range(70)
    )
    found = reduction_formulas(samples, SearchBudget(3.0))
    assert found
    assert is_exact(found[0], samples)
