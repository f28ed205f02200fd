"""A printed table is proved only if each of its entries was computed in one game and is right."""

import pytest
from tests.findings.made import candidate

from grundylab.check.families import judge_family, parse_extent
from grundylab.check.judging import judge
from grundylab.findings.verdicts import verified_claim, verified_claims, verified_formulas
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve import solve

TABLE = """claims:
  - id: a
    target: grundy
    table: {rows: {x: 0..2}, columns: {y: 0..2}, entries: "0 1 2\\n1 0 3\\n2 3 %s"}
"""
NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
FAMILY = """title: Nim of piles that a function bounds
position: {x: 0..N, y: 0..N}
where: y <= f(0)
functions:
  f(n): {any: "True"}
moves: [{take: t, from: x}, {take: t, from: y}]
"""


@pytest.mark.parametrize(
    ("entry", "sizes", "status"),
    [("0", (2, 4), "proved"), ("0", (1, 1), "holds"), ("5", (2, 4), "refuted"), ("5", (1, 1, 1), "holds")],
)
def test_entries_outside_the_instances_are_not_computed(entry, sizes, status):
    ruleset = parse_ruleset(NIM + TABLE % entry, "nim")
    tables = [solve(make_instance(ruleset, {}, {"N": size})) for size in sizes]
    (claim,) = ruleset.claims
    record = verified_claim(ruleset, claim, judge(claim, tables))
    assert (record.status, record.complete) == (status, status == "proved")


def test_entries_that_few_games_of_a_family_have_are_not_all_computed():
    ruleset = parse_ruleset(FAMILY + TABLE % "5", "family")
    (claim,) = ruleset.claims
    instance = make_instance(ruleset, {}, {"N": 2})
    verdicts, games = judge_family([claim], [instance], {"f": parse_extent("0..0 -> 0..1")})
    assert games == 2
    record = verified_claim(ruleset, claim, verdicts[0])
    assert (record.status, record.complete) == ("holds", False)


TAKE = """title: Take 1 to m
parameters: {m: %s}
position: {x: 0..N}
moves: [{take: "1..min(x, m)", from: x}]
claims:
  - id: t
    where: %s
    target: grundy
    table: {columns: [x], entries: "0 0\\n1 1\\n2 2\\n3 %d"}
"""


@pytest.mark.parametrize(
    ("domain", "where", "computed", "status"),
    [
        ("m >= 3", '"True"', [3], "holds"),  # true of every m, which one value does not show
        ("m >= 3", '"True"', [3, 4, 5], "holds"),
        ("m >= 2", '"True"', [3, 2], "refuted"),
        ("m >= 3", "m == 3", [3], "proved"),
        ("m >= 3", "m == 3", [4], "proved"),  # a table of its own is computed for the value
        ("m >= 3", "m <= 4", [3, 4], "proved"),
        ("m >= 3", "m <= 4", [3], "holds"),
        ("m >= 2", "m <= 4", [3, 4], "holds"),
        ("m >= 3", "m == 3 or 5 == m", [5, 3], "proved"),
        ("m >= 3", "m == 3 or 5 <= m", [5, 3], "holds"),
        ("3 <= m < 5", '"True"', [3, 4], "proved"),
        ("3 <= m < 5", "m % 2 == 0", [4], "proved"),
        ("m >= 3", "m * m < 10", [3], "holds"),  # that this is one value only is not seen
        ("m >= 3", "x <= 1 and m == 3", [3], "holds"),  # not every entry is asked about
    ],
)
def test_a_table_is_proved_for_the_parameters_only_that_were_computed(domain, where, computed, status):
    ruleset = parse_ruleset(TAKE % (domain, where, 3), "take-here")
    tables = [solve(make_instance(ruleset, {"m": m}, {"N": 6})) for m in computed]
    (record,) = verified_claims(ruleset, tables)
    assert (record.status, record.complete) == (status, status == "proved")


@pytest.mark.parametrize(("where", "status"), [('"True"', "holds"), ("m == 3", "proved")])
def test_so_is_a_corrected_table(where, status):
    ruleset = parse_ruleset(TAKE % ("m >= 3", where, 7), "take-here")
    (record,) = verified_claims(ruleset, [solve(make_instance(ruleset, {"m": 3}, {"N": 6}))])
    assert record.status == "refuted"
    assert (record.correction.status, record.correction.complete) == (status, status == "proved")


def test_a_table_that_is_another_in_each_game_has_no_correction():
    """The Grundy number at 3 is 3 for m = 3, and 0 for m = 2."""
    ruleset = parse_ruleset(TAKE % ("m >= 2", '"True"', 3), "take-here")
    (record,) = verified_claims(ruleset, [solve(make_instance(ruleset, {"m": m}, {"N": 6})) for m in (3, 2)])
    assert (record.status, record.correction) == ("refuted", None)


def test_of_a_partial_formula_the_smallest_counterexample_is_told_and_no_verdict():
    ruleset = parse_ruleset(NIM, "nim")
    tables = [solve(make_instance(ruleset, {}, {"N": size})) for size in (6, 3)]
    partial = [candidate(f, exact=False) for f in ("x <= y", "x == 0")]
    best, other = verified_formulas(ruleset, partial, {"test": tables})
    assert (best.status, best.counterexample.position) == ("partial", {"x": 0, "y": 1})
    assert (other.status, other.counterexample.position) == ("partial", {"x": 0, "y": 1})
