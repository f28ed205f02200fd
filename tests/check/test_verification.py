"""Verdicts: every position counts, the counterexample is the smallest, and no position checked is no 'holds'."""

from dataclasses import replace
from functools import cache
from importlib import import_module

import pytest
from hypothesis import assume, given
from tests.discover.made import made
from tests.sizes import examples
from tests.strategies import conditions

from grundylab.check.verification import Check, FrameRows, ranges_affordable, verify, verify_samples
from grundylab.discover.repairs import propose_condition
from grundylab.errors import EvaluationError, FormulaError, LimitError
from grundylab.games import Rules, make_instance, parse_ruleset, parse_target
from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.solve import solve

PASS = parse_ruleset(
    "title: t\nparameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
    "pass: {when: x + ... >= m}",
    "pass",
)
P = parse_target("p")


@cache
def table(m, size, kind):
    return solve(make_instance(PASS, {"m": m}, {"N": size}), kind, "reference")


def tables(*values, size=7, kind="outcome"):
    return [table(m, size, kind) for m in values]


@examples(25)
@given(conditions(("x", "y", "p", "m"), 2, False).filter(lambda formula: "for x" not in str(formula)))
def test_the_counterexample_is_the_smallest_of_all_and_the_count_is_of_all(formula):
    found = verify(formula, P, tables(2, 3))
    wrong = []
    for table in tables(2, 3):
        rules = Rules(table.instance)
        for position in rules.positions():
            env = rules.environment(position)
            try:
                value = evaluate(formula, {name: env[name] for name in ("x", "y", "p", "m")})
            except LimitError:  # then nothing is said of the rest of the table
                assume(False)
            except EvaluationError:
                value = None
            if value != (table[position] == 0):
                wrong.append((rules.measure(position), *position, env["m"], value))
    assert found.checked == 2 * 8 * 8 * 2
    assert found.status == ("refuted" if wrong else "holds")
    if wrong:
        example = found.counterexample
        smallest = min(wrong, key=lambda row: row[:-1])
        assert (*example.order, example.found) == smallest


def test_where_leaves_out_positions_before_the_formula_is_asked():
    formula = parse("x % p == 0 and x == y")  # has no value where p == 0
    verdict = verify(formula, P, tables(1), parse("p == 1 and x != y and x + y != 3"))
    assert verdict.checked == sum(1 for x in range(8) for y in range(8) if x != y and x + y != 3)


def test_nothing_checked_is_undecided_and_says_why():
    verdict = verify(parse("x == y"), P, tables(1), parse("x > 100"))
    assert (verdict.status, verdict.checked) == ("undecided", 0)
    assert "x > 100" in verdict.reason


def test_a_formula_without_a_value_is_wrong_there():
    found = verify(parse("x % p == 0"), P, tables(50))
    where_p_is_0, unlike = 8 * 8, 8 * 7
    assert (found.status, found.wrong) == ("refuted", where_p_is_0 + unlike)
    assert (dict(found.counterexample.position), found.counterexample.found) == (
        {"x": 0, "y": 0, "p": 0},
        None,
    )


def test_of_few_wrong_positions_all_are_kept():
    eight, nine = "x == y and x > 3", "x == y and x > 3 or x == 0 and y == p + 1 == 1"
    (check,) = verify(parse(eight), P, tables(50)).checks
    assert [tuple(each.position.values()) for each in check.all_wrong] == [
        (x, x, p) for x in range(4) for p in range(2)
    ]
    (check,) = verify(parse(nine), P, tables(50)).checks
    assert (check.wrong, check.all_wrong) == (9, ())


def test_a_table_that_was_not_examined_to_its_end_may_have_more_exceptions():
    verdict = verify(parse("x == y and x > 3"), P, tables(50, size=16))
    assert len(verdict.exceptions) == 8
    stopped = Check(verdict.checks[0].instance, 0, None, "too many steps")
    assert replace(verdict, checks=(*verdict.checks, stopped)).exceptions == ()


def test_a_check_counts_where_the_condition_is_true_and_where_the_formula_misses_it():
    (check,) = verify(parse("x == y and x > 3 or x == 0 and y > 3"), P, tables(50)).checks
    assert (check.true, check.true_wrong, check.wrong) == (16, 8, 16)


def test_rows_of_a_frame_have_a_smallest_counterexample():
    rows = made("x == y", x=range(-4, 4), y=range(-4, 4))
    assert verify_samples(parse("x == y"), P, rows).status == "holds"
    example = verify_samples(parse("x == y or abs(x) + abs(y) == 3"), P, rows).counterexample
    assert (dict(example.position), example.measure) == ({"x": -3, "y": 0}, 3)
    assert (example.truth, example.found) == (0, 1)
    assert verify_samples(parse("(1 << 5000) > 0 and x == y"), P, rows).status == "undecided"
    assert (FrameRows(1).label, FrameRows(1_200).label) == ("1 row of the frame", "1,200 rows of the frame")


def test_ranges_are_affordable_up_to_some_number_of_values_in_all_cells():
    (solved,) = tables(50)  # 128 cells
    few, many, unknown = (
        ranges_affordable([parse(f"sum(1 for i in range(0, {stop})) == x")], solved.instance)
        for stop in (781_250, 781_251, "unknown")
    )
    assert (few, many, unknown) == (True, False, True)


def test_a_formula_of_the_wrong_kind_is_refused():
    with pytest.raises(FormulaError, match="grundy needs a number"):
        verify(parse("x == y"), parse_target("grundy"), tables(1, kind="grundy"))


def test_a_level_set_is_held_against_grundy_numbers():
    for formula, status in (("x ^ y == 5", "holds"), ("x ^ y == 4", "refuted")):
        found = verify(parse(formula), parse_target("grundy == 5"), tables(50, kind="grundy"))
        assert found.status == status


def test_a_sweep_proposes_the_condition_on_the_parameters():
    # with two piles and m >= 1, x == y ^ 1 … is right from m stones on only for some m
    formula = parse("x ^ y == (1 if p == 1 and x + y >= m else 0)")
    verdict = verify(formula, P, tables(*range(1, 13), size=12))
    held = [check.instance.constants["m"] for check in verdict.checks if check.holds]
    assert 0 < len(held) < 12
    condition = propose_condition(verdict)
    assert [m for m in range(1, 13) if evaluate(condition, {"m": m})] == held


def test_too_few_values_propose_nothing():
    assert propose_condition(verify(parse("x == y"), P, tables(1, 2))) is None
    assert propose_condition(verify(parse("x == y"), P, tables(50, 60))) is None


@pytest.mark.parametrize("cells", [1, 2, 3, 4])
def test_the_verdict_does_not_depend_on_the_slabs(cells, monkeypatch):
    formula = parse("x == y or p == 1 and x > 3")
    whole = verify(formula, P, tables(2))
    monkeypatch.setattr(import_module("grundylab.solve.table"), "_SLAB", cells * 5)
    table.cache_clear()  # a table keeps its slabs
    assert verify(formula, P, tables(2)) == whole


def test_values_where_nothing_was_checked_are_not_among_those_where_it_holds():
    formula, where = parse("x ^ y == 0"), parse("p == 1 and m % 3 == 0")
    verdict = verify(formula, P, tables(*range(1, 10)), where)
    assert [check.holds for check in verdict.checks] == [None, None, False] * 3
    assert len(verdict.informative) == 3
    assert propose_condition(verdict) is None


def test_a_limit_of_the_tool_is_undecided_and_no_refutation():
    for text in ("(1 << 5000) > 0 and x == y", "sum(1 for i in range(0, 10000000)) == 0 or x == y"):
        verdict = verify(parse(text), P, tables(50))
        assert (verdict.status, verdict.counterexample) == ("undecided", None)
        assert verdict.reason.startswith("pass (m=50,N=7): ")
