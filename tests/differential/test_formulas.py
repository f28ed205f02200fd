"""All readers of formulas agree: plain, NumPy, compiled, logic, intervals."""

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
from tests.strategies import FUNCTIONS, PARAMETER, accepted_in_other_systems, environments, formulas

from grundylab.logic.lowering import Lowering
from grundylab.logic.mona import MISSING, find_mona
from grundylab.solve import kernels

BATCH = 8


@st.composite
def batches(draw, trees, values, size=BATCH):
    """Draw different formulas, at most ``size``, and some rows of values with one value of the parameter."""
    exprs = list(dict.fromkeys(draw(st.lists(trees(), min_size=size, max_size=size))))
    m = draw(st.integers(0, 12))
    rows = [row | {PARAMETER: m} for row in draw(st.lists(values(), min_size=1, max_size=4))]
    note("\n".join([f"all with {rows}", *map(str, exprs)]))
    return exprs, rows


def shallow():
    return formulas(depth=2)


def either():
    return expressible(2) | expressible_numbers(2)


@examples(15, 2_600)
@given(batches(formulas, environments))
def test_plain_arrays_compiled_and_intervals_agree(batch):
    readers.assert_agree(*batch, uncompiled)


@examples(10, 400)
@given(batches(accepted_in_other_systems, environments))
def test_they_agree_on_automata_of_other_digits(batch):
    readers.assert_agree(*batch, uncompiled)


@examples(1)
@given(batches(shallow, environments, 12), batches(accepted_in_other_systems, environments, 4))
def test_they_agree_in_machine_code(batch, others):
    exprs, rows = batch
    readers.assert_agree([*exprs, *others[0]], rows, kernels.load_module)


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
