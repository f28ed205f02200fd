"""Every reader of formulas says the same: plain, NumPy, compiled, logic, intervals, progressions."""

from __future__ import annotations

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from tests.differential import readers
from tests.differential.ways import uncompiled
from tests.logic.test_logic import SIGNED, statements, truths
from tests.logic.test_logic import conditions as expressible
from tests.logic.test_logic import environments as small
from tests.logic.test_logic import numbers as expressible_numbers
from tests.sizes import examples
from tests.strategies import FUNCTIONS, NAMES, PARAMETER, SMALL, environments, formulas

from grundylab.games import parse_ruleset
from grundylab.logic.lowered import Lowering
from grundylab.logic.mona import MISSING, find_mona
from grundylab.solve import kernels

BATCH = 8


@st.composite
def batches(draw, trees, values, size=BATCH):
    """Different formulas, at most ``size``, and some rows of values with one value of the parameter."""
    exprs = list(dict.fromkeys(draw(st.lists(trees(), min_size=size, max_size=size))))
    m = draw(st.integers(0, 12))
    rows = [row | {PARAMETER: m} for row in draw(st.lists(values(), min_size=1, max_size=4))]
    note(f"all with {rows}")
    note("\n".join(readers.report(expr, rows[0]) for expr in exprs))
    return exprs, rows


def shallow():
    return formulas(depth=2)


def either():
    return expressible(2) | expressible_numbers(2)


@examples(30, 2_600)
@given(batches(formulas, environments))
def test_plain_arrays_compiled_and_intervals_agree(batch):
    readers.assert_agree(*batch, uncompiled)


@examples(1)
@given(batches(shallow, environments, 12))
def test_they_agree_in_machine_code(batch):
    readers.assert_agree(*batch, kernels.load_module)


@examples(150)
@given(formulas(), st.fixed_dictionaries(dict.fromkeys(NAMES, SMALL)), st.data(), st.integers(0, 9))
def test_what_is_said_of_all_terms_of_progressions_is_the_plain_value_at_each(expr, values, data, term):
    steps = data.draw(st.fixed_dictionaries({n: st.sampled_from([0, 1, 2, 4, 8, 12]) for n in "xyz"}))
    note(readers.report(expr, values))
    found = readers.along(expr, values, steps, term)
    there = {name: value + term * steps.get(name, 0) for name, value in values.items()}
    if found is not None:
        assert found == readers.plain(expr, there)


@pytest.mark.skipif(find_mona() is None, reason=MISSING)
@examples(10, 400)
@given(batches(either, small))
def test_logic_agrees_with_all_of_these(batch):
    exprs, rows = batch
    readers.assert_agree(exprs, rows, uncompiled)
    logic = Lowering(FUNCTIONS, frozenset(SIGNED))
    cases = [(expr, *said) for expr in exprs for said in statements(logic, expr, rows[0])]
    found = truths([formula for _, formula, _ in cases])
    wrong = [str(expr) for (expr, _, expected), truth in zip(cases, found, strict=True) if truth != expected]
    assert not wrong, f"sentences: {wrong}"
    wrong = [str(expr) for expr in exprs if not readers.automata_agree(expr, rows[0])]
    assert not wrong, f"automata: {wrong}"


def test_a_failures_file_loads_and_has_the_formula():
    ruleset = parse_ruleset(readers.report(readers.parse("fib(x) + cases(y, z) > m"), {"x": 3, "m": 2}))
    assert str(ruleset.claim("random").formula) == "fib(x) + cases(y, z) > m"
    assert {function.name for function in ruleset.functions} == {function.name for function in FUNCTIONS}
