"""Remembered results save time, and no cells of the budget."""

import pytest

from grundylab.automata.dfa import REMEMBERED, AutomataBudget, TooLarge
from grundylab.logic.atoms import linear_relation


@pytest.mark.parametrize("make", [lambda a, b: a & b, lambda a, b: a.without("x")])
def test_a_result_that_is_remembered_costs_as_many_cells_again(make):
    work = AutomataBudget()
    a = linear_relation({"x": 3, "y": -5}, 1, "<=", work)
    b = linear_relation({"x": 1, "y": 1}, -9, "==", work)
    work.give(10_000)
    first = make(a, b)
    cells = work.given - work.left
    assert cells > 0
    assert make(a, b) is first
    assert work.given - work.left == 2 * cells
    work.give(cells - 1)
    with pytest.raises(TooLarge):
        make(a, b)


def test_no_more_is_remembered_than_is_said():
    work = AutomataBudget()
    a = linear_relation({"x": 3, "y": -5}, 1, "<=", work)
    for number in range(REMEMBERED + 10):
        work.once(number, lambda: a)
    assert len(work.remembered) == REMEMBERED
