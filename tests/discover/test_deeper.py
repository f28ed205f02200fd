"""The enumeration continues where ``search`` ends, and a larger budget never gives a worse answer."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from tests.discover.made import made
from tests.sizes import examples
from tests.strategies import formulas

from grundylab.discover import engine_named
from grundylab.discover.complete import smallest_formulas
from grundylab.discover.cost import cost
from grundylab.discover.ranking import is_exact
from grundylab.discover.search_budget import SearchBudget
from grundylab.errors import EvaluationError
from grundylab.games import parse_target

NUMBER, P = parse_target("grundy"), parse_target("p")


def test_deeper__finds_what_is_dearer_than_what_search_looks_at():
    samples = made("x % (y + z) // y", ("y", "z"), x=range(12), y=range(1, 4), z=range(2, 5))
    assert not smallest_formulas(samples, SearchBudget(1.0)).formulas
    (found,) = engine_named("deeper")(samples, NUMBER, 0, 20.0).formulas
    assert is_exact(found, samples)
    assert cost(found) <= 9


@pytest.mark.parametrize("engine", ["search", "deeper"])
@examples(4)
@given(formula=formulas(("x", "y"), 2, calls=False), least=st.floats(0.02, 0.1), times=st.floats(1.3, 2.5))
def test_more_budget_is_never_worse(engine, formula, least, times):
    try:
        samples = made(str(formula), x=range(12), y=range(12))
    except EvaluationError:  # it has no value somewhere
        reject()
    assume(samples.values.dtype != object)
    target = P if samples.values.dtype == bool else NUMBER
    best = []
    for step in range(4):
        proposed = engine_named(engine)(samples, target, 0, least * times**step).formulas
        best.append(min((cost(tree) for tree in proposed if is_exact(tree, samples)), default=inf))
    assert best == sorted(best, reverse=True)
