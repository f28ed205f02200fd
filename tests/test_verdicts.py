"""A table is proved only if every entry of it was computed in one game, and none is wrong."""

import pytest

from grundylab.families import judge_family, parse_extent
from grundylab.judging import judge
from grundylab.rulesets import make_instance, parse_ruleset
from grundylab.solving import solve
from grundylab.verdicts import claim_record, judge_candidates

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
    record = claim_record(ruleset, claim, judge(claim, tables))
    assert (record["status"], record["complete"]) == (status, status == "proved")


def test_entries_that_few_games_of_a_family_have_are_not_all_computed():
    ruleset = parse_ruleset(FAMILY + TABLE % "5", "family")
    (claim,) = ruleset.claims
    instance = make_instance(ruleset, {}, {"N": 2})
    verdicts, games = judge_family([claim], [instance], {"f": parse_extent("0..0 -> 0..1")})
    assert games == 2
    record = claim_record(ruleset, claim, verdicts[0])
    assert (record["status"], record["complete"]) == ("holds", False)


def test_of_the_best_partial_formula_the_smallest_counterexample_is_told_and_no_verdict():
    ruleset = parse_ruleset(NIM, "nim")
    tables = [solve(make_instance(ruleset, {}, {"N": size})) for size in (6, 3)]
    common = {"target": "p", "engine": "search", "exact": False, "total": 9}
    best, next_best = judge_candidates(
        ruleset, [{**common, "formula": f} for f in ("x <= y", "x == 0")], tables
    )
    assert (best["status"], best["counterexample"]["position"]) == ("partial", {"x": 0, "y": 1})
    assert (next_best["status"], next_best["counterexample"]) == ("partial", None)
