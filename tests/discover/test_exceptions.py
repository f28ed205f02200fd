"""Exceptions are found for a formula that is wrong at a few small positions, and for no other formula."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.discover.made import made
from tests.findings.made import candidate as made_candidate
from tests.findings.made import proposed

from grundylab.check.verification import verify
from grundylab.discover.ranking import error_mask, is_exact
from grundylab.discover.repairs import (
    find_exceptions,
    right_by_setting,
    with_exceptions,
    with_parameter_conditions,
    with_repairs,
)
from grundylab.findings.verdicts import verified_claims, verified_formulas
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import evaluate
from grundylab.solve import solve

P, GRUNDY = parse_target("p"), parse_target("grundy")


def box(formula, size=24, changed=(), parameters=(0,)):
    """Return samples of a formula's values on a box, with other values at the changed positions."""
    samples = made(formula, ("m",), x=range(size + 1), y=range(size + 1), p=range(2), m=parameters)
    values = samples.values.copy()
    for position in changed:
        here = np.logical_and.reduce([samples.columns[n] == v for n, v in zip("xyp", position, strict=True)])
        values[here] = ~values[here] if values.dtype == bool else values[here] + 3
    return replace(samples, values=values)


def at(found):
    return [tuple(value for value in exception.position.values()) for exception in found]


places = st.sets(
    st.tuples(st.integers(0, 24), st.integers(0, 24), st.integers(0, 1)), min_size=1, max_size=10
)


@settings(max_examples=80)
@given(places, places.map(lambda s: {(x % 7, y % 7, p) for x, y, p in s}), st.booleans(), st.booleans())
def test_they_are_found_exactly_if_few_and_all_far_from_the_edge(anywhere, small, condition, near):
    changed = small if near else anywhere
    formula = "x ^ y == p" if condition else "(x ^ y) + p"
    samples = box(formula, changed=changed, parameters=(3, 5))
    found = find_exceptions(parse(formula), samples)
    few = len(changed) <= 8 and all(max(x, y) <= 6 for x, y, _ in changed)
    assert at(found) == (sorted(changed) if few else [])
    if few:
        assert is_exact(with_exceptions(parse(formula), found), samples)


@pytest.mark.parametrize("size", [24, 100])
def test_errors_that_go_on_to_the_edge_are_no_exceptions(size):
    line = [(0, y, 1) for y in range(1, 5)]
    assert find_exceptions(parse("x == y"), box("x == y", size, [*line, (0, size, 1)])) == ()
    assert at(find_exceptions(parse("x == y"), box("x == y", size, line))) == line


def test_a_formula_that_no_position_beyond_bears_out__has_no_exceptions():
    assert find_exceptions(parse("False"), box("x == 1 and y == 1", 24)) == ()


def test_an_exception_for_one_parameter_value_only_is_none():
    samples = box("x == y and (x != 2 or m == 3)", parameters=(3, 5))
    assert find_exceptions(parse("x == y"), samples) == ()


def test_a_small_table_has_no_far_from_the_edge():
    assert find_exceptions(parse("x == y"), box("x == y", 6, [(0, 1, 0)])) == ()


def test_the_formula_is_not_asked_at_its_exceptions():
    samples = box("x == y", 24, [(0, 1, 0)])
    (exception,) = find_exceptions(parse("x == y"), samples)
    formula = with_exceptions(parse("(24 % x) * 0 + x == y or x == 0"), [exception])
    assert evaluate_arrays(
        formula, {name: np.array([v]) for name, v in (("x", 0), ("y", 1), ("p", 0))}
    ).tolist() == [True]


def candidate(formula, samples, target=P):
    wrong = np.count_nonzero(error_mask(parse(formula), samples))
    return proposed(formula, target, "search", len(samples) - wrong, len(samples))


def test_a_candidate_with_exceptions_comes_first_unless_an_exact_one_is_as_small():
    samples = box("x == y", 24, [(1, 2, 0)])
    partial = candidate("x == y", samples)
    first, last = with_repairs([partial], samples)
    assert (first.exact, at(first.origin.exceptions), last) == (True, [(1, 2, 0)], partial)
    small = proposed("x == y", P, "search", len(samples), len(samples))
    assert with_repairs([small, partial], samples) == [small, partial]


def test_a_partial_candidate_says_for_which_parameter_values_it_is_exact():
    samples = box("x ^ y == (1 if m % 3 == 0 else 0)", 12, parameters=(2, 3, 4, 6))
    formula = parse("x ^ y == 1")
    right = {(("m", value),): value % 3 == 0 for value in (2, 3, 4, 6)}
    assert right_by_setting(formula, samples) == right
    under, partial = with_parameter_conditions([candidate("x ^ y == 1", samples)], samples)
    assert partial.origin.exact_for == ({"m": 3}, {"m": 6})
    assert (under.exact, under.formula) == (True, formula)
    kept = evaluate_arrays(under.where, samples.columns)
    assert np.array_equal(kept, samples.columns["m"] % 3 == 0)
    assert under.train.total == np.count_nonzero(kept)


NIM = parse_ruleset(
    "title: Nim\nparameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
    "claims:\n  - {id: early, target: p, formula: x == y and x != 2 or x + 1 == y == 1}\n"
    "  - {id: late, target: p, formula: x == y and x != 20}\n",
    "nim-here",
)


def tables(*sizes, values=(1,)):
    return [
        solve(make_instance(NIM, {"m": m}, {"N": size}), "outcome", "reference")
        for size in sizes
        for m in values
    ]


def test_a_verdict_lists_all_of_few_small_errors():
    found = verify(NIM.claim("early").formula, P, tables(12, 24))
    assert found.status == "refuted"
    assert [tuple(e.position.values()) for e in found.exceptions] == [(0, 1), (2, 2)]
    assert verify(NIM.claim("late").formula, P, tables(12, 24)).exceptions == ()
    assert verify(parse("x == y and x != 2"), P, tables(4, 24)).exceptions == ()  # 2 is no small number of 4
    assert verify(parse("x <= y"), P, tables(24)).exceptions == ()


def test_a_claim_with_exceptions_stays_refuted_and_is_corrected_but_for_them():
    early, late = verified_claims(NIM, tables(24))
    assert (early.status, late.status) == ("refuted", "refuted")
    assert [item.position for item in early.test.exceptions] == [{"x": 0, "y": 1}, {"x": 2, "y": 2}]
    assert (early.correction.status, late.test.exceptions) == ("holds", ())


def test_a_refuted_candidate_is_followed_by_itself_with_the_exceptions():
    refuted, repaired = verified_formulas(NIM, [made_candidate("x == y and x != 2")], {"test": tables(24)})
    assert (refuted.status, repaired.status) == ("refuted", "holds")
    assert (refuted.origin.derived, repaired.origin.derived) == (False, True)
    assert verify(repaired.formula, P, tables(30)).status == "holds"


def test_a_candidate_under_a_condition_is_judged_there_and_a_refuted_one_gets_one():
    text = 'title: take 1 to m\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: "1..min(x, m)", from: x}]\n'
    game = parse_ruleset(text, "take")
    solved = [solve(make_instance(game, {"m": m}, {"N": 30}), "outcome", "reference") for m in range(1, 7)]
    (record,) = verified_formulas(game, [made_candidate("x % 2 == 0", where="m == 1")], {"test": solved})
    assert (record.status, str(record.where), record.test.checked) == ("holds", "m == 1", 31)
    even = made_candidate("x % (m + 1) == 0 and (m % 2 == 0 or x != 2 * m + 2)")
    (record,) = verified_formulas(game, [even], {"test": solved})
    assert record.status == "refuted"
    condition = record.condition
    assert [m for m in range(1, 7) if evaluate(condition, {"m": m})] == [2, 4, 6]
