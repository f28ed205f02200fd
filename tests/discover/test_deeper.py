"""The enumeration goes on where ``search`` ends, and more budget never gives a worse answer."""

from __future__ import annotations

from math import inf

import pytest
from tests.discover.made import made

from grundylab.discover import engine_named
from grundylab.discover.base import out_of_time
from grundylab.discover.complete import smallest
from grundylab.discover.cost import cost
from grundylab.discover.ranking import exact
from grundylab.discover.work import Work
from grundylab.games import parse_target

NUMBER, P = parse_target("grundy"), parse_target("p")


def test_it_finds_what_is_dearer_than_what_search_looks_at():
    samples = made("x % (y + z) // y", ("y", "z"), x=range(25), y=range(1, 6), z=range(2, 7))
    assert not smallest(samples, Work(3.0)).formulas
    (found,) = engine_named("deeper")(samples, NUMBER, 0, 20.0).formulas
    assert exact(found, samples)
    assert cost(found) <= 9


def test_it_ends_when_the_work_is_done_and_says_so():
    samples = made("(x * x + 7 * y) % 23 % 11", x=range(25), y=range(25))
    proposals = engine_named("deeper")(samples, NUMBER, 0, 0.2)
    assert not proposals.formulas
    assert proposals.notes == (out_of_time(0.2),)


@pytest.mark.parametrize("engine", ["search", "deeper"])
@pytest.mark.parametrize(
    "formula",
    [
        "(x + 2*y) % 6",
        "x % 3 == y % 5",
        "x ^ y if x > 2*y else y",
        "x * y // 3 % 4",
        "x < y or x & y == 0",
        "isqrt(x*y)",
    ],
)
def test_more_budget_is_never_worse(engine, formula):
    samples = made(formula, x=range(20), y=range(20))
    target = P if samples.values.dtype == bool else NUMBER
    best = []
    for budget in (0.05, 0.3, 1.5, 6.0):
        proposed = engine_named(engine)(samples, target, 0, budget).formulas
        best.append(min((cost(tree) for tree in proposed if exact(tree, samples)), default=inf))
    assert best == sorted(best, reverse=True)
