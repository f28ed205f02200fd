"""Corrections of claims of every kind: a false claim gets the nearest true statement, a hopeless one gets none."""

from dataclasses import replace

import pytest
from tests.check.test_families import family

from grundylab.check.families import judge_family, parse_extent
from grundylab.check.judging import judge
from grundylab.check.mending import nearest_true_claim, nearest_true_family_claim
from grundylab.games import make_instance, parse_ruleset
from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.solve import solve

NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\npass: {}\nclaims:\n"
TABLE = """  - id: a
    target: grundy
    table:
      rows: {x: 0..2}
      columns: {y: 0..3}
      with: {p: 0}
      entries: |
        0 1 2 3
        1 0 2 3
        2 3 0 1
"""


def judged(claims):
    ruleset = parse_ruleset(NIM + claims, "game")
    tables = [solve(make_instance(ruleset, {}, {"N": size})) for size in (6, 9)]
    claim = ruleset.claims[0]
    verdict = judge(claim, tables)
    assert verdict.status == "refuted"
    return claim, tables, verdict


def test_a_table_is_corrected_entry_by_entry():
    better = nearest_true_claim(*judged(TABLE))
    assert better.changes == ("(1, 2): 2 becomes 3", "(1, 3): 3 becomes 2")
    assert better.verdict.status == "holds"
    assert dict(better.claim.printed.entries)[1, 2] == 3


def test_outcomes_are_corrected_as_letters():
    better = nearest_true_claim(
        *judged('  - {id: a, target: p, table: {columns: [x, y], with: {p: 1}, entries: "1 2 N\\n1 1 N"}}\n')
    )
    assert better.changes == ("(1, 2): N becomes P",)


@pytest.mark.parametrize(
    ("claim", "formula", "change"),
    [
        ("target: grundy, formula: x | y", "x ^ y", "x | y becomes x ^ y"),
        (
            "values: {G: this}, target: grundy, formula: 'G(0, x, 0) ^ G(1, y, 0)'",
            "G(0, x, 0) ^ G(0, y, 0)",
            "G(1, y, 0) becomes G(0, y, 0) in 'G(0, x, 0) ^ G(1, y, 0)'",
        ),
    ],
)
def test_the_nearest_true_formula_is_found(claim, formula, change):
    better = nearest_true_claim(*judged(f"  - {{id: a, where: p == 0, {claim}}}\n"))
    assert better.verdict.status == "holds"
    assert str(better.claim.formula) == formula
    assert better.changes == (change,)


def test_a_printed_set_is_corrected_as_a_formula():
    better = nearest_true_claim(
        *judged("  - {id: a, where: p == 0, target: p, positions: ['k, k + 1 for k >= 0']}\n")
    )
    assert better.verdict.status == "holds"
    assert better.claim.printed is None
    assert all(
        evaluate(better.claim.formula, {"x": x, "y": y, "p": 0}) == (x == y)
        for x in range(20)
        for y in range(20)
    )


def test_what_is_not_near_anything_true_gets_no_correction():
    claim, tables, _ = judged("  - {id: a, where: p == 1, target: grundy, formula: x - y}\n")
    hopeless = replace(claim, formula=parse("7 * x // (y + 3) - 5"))
    assert nearest_true_claim(hopeless, tables, judge(hopeless, tables)) is None


def test_what_the_file_says_is_true_instead_is_taken_and_judged_like_any_claim():
    said = "  - {id: a, where: p == 0, target: grundy, formula: x | y, instead: {formula: %s}}\n"
    better = nearest_true_claim(*judged(said % "y ^ x"))
    assert (str(better.claim.formula), better.changes, better.verdict.status) == ("y ^ x", (), "holds")
    assert nearest_true_claim(*judged(said % "x + y")).verdict.status == "refuted"


def test_a_claim_about_options_gets_none():
    assert nearest_true_claim(*judged("  - {id: a, where: p == 1, some-option: p == 0}\n")) is None


def test_a_claim_about_a_family_gets_the_condition_that_it_lacks():
    """The paper does not mention f(0), and if f(x) > x there are no f(x) stones to take."""
    ruleset = family()
    extents = {"f": parse_extent("0..6 -> 0..3")}
    instance = make_instance(ruleset, {}, {"N": 6})
    for claim, condition in zip(ruleset.claims, ("x > f(x)", "x >= f(x)"), strict=True):
        better = nearest_true_family_claim(claim, [instance], extents)
        (change,) = better.changes
        assert f"condition {condition} " in change
        assert better.verdict.status == "holds"
        # and so it does further on than it was looked for
        (verdict,), games = judge_family(
            [better.claim], [make_instance(ruleset, {}, {"N": 7})], {"f": parse_extent("0..7 -> 0..7")}
        )
        assert verdict.status == "holds"
        assert games > 500


@pytest.mark.parametrize(
    ("condition", "better"),
    [
        ("ceil((3 + x) / 2) == 3", "ceil((3 + x) / 2) == 4"),
        ("x > 4 and y < x", "x > 4"),
        ("x > 5", "x > 4"),
        ("x < y < x + 1", "x < y <= x + 1"),
    ],
)
def test_a_condition_is_corrected_where_it_says_too_much_and_never_made_a_plain_truth(condition, better):
    claim, tables, verdict = judged(f"  - {{id: a, where: x == 5 and y == 6, condition: '{condition}'}}\n")
    assert str(nearest_true_claim(claim, tables, verdict).claim.formula) == better


def test_a_condition_with_variables_is_corrected_for_all_their_values():
    text = "  - {id: a, where: x == 0 and p == 0, for: {u: 0..N, v: 0..u}, condition: u + v < 2 * u}\n"
    better = nearest_true_claim(*judged(text))
    assert str(better.claim.formula) == "u + v <= 2 * u"
    assert better.claim.variables
