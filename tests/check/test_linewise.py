"""Verification line by line gives the same verdicts as verification of the solved table."""

from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_games import instances
from tests.sizes import examples, night

from grundylab.check import judging, linewise
from grundylab.check.linewise import check_lines
from grundylab.check.verification import check_table
from grundylab.errors import InstanceError, NoSweep
from grundylab.games import Claim, Target, make_instance, parse_ruleset
from grundylab.games.model import P_POSITIONS
from grundylab.language import parse, parse_condition
from grundylab.language.substitution import is_symmetric_in
from grundylab.solve import solve

PASS = """
title: t
piles: 3
parameters: {m: m >= 1}
position: {x: 0..N}
moves: [{take: t, from: x}]
pass: {when: x + ... >= m}
"""
RULESET = parse_ruleset(PASS, "pass")
FORMULAS = [
    "x ^ y ^ z == 0",
    "x ^ y ^ z == (p if x + y + z >= m else 0)",
    "x == y and z == 0",
    "p == 1",
    "floor_log2(x + 1) == z",
]
WHERES = ["True", "p == 1", "x <= y <= z", "m % 4 == 0", "x % 3 == 1 and z > y"]


# Each pair is compiled once, whatever m and N are; all pairs of the two are tried in a longer run.
PAIRS = list(product(FORMULAS, WHERES)) if night() else list(zip(FORMULAS, WHERES, strict=True))
asked = st.tuples(st.sampled_from(PAIRS), st.integers(1, 9), st.integers(0, 9))


def instance(m, bound):
    return make_instance(RULESET, {"m": m}, {"N": bound})


@examples(25)
@given(asked)
def test_line_by_line_it_is_the_verdict_of_the_solved_table(case):
    (formula, where), m, bound = case
    one, condition = instance(m, bound), parse_condition(where)
    expected = check_table(parse(formula), P_POSITIONS, solve(one, "outcome"), condition)
    assert check_lines(parse(formula), P_POSITIONS, one, condition) == expected


@examples(8)
@given(instances("piles"), st.sampled_from(["s == 0", "x % 2 == q", "x + s == 2"]))
def test_it_is_so_on_random_games_or_they_are_refused(one, formula):
    expected = check_table(parse(formula), P_POSITIONS, solve(one, "outcome", "reference"))
    with suppress(NoSweep):
        assert check_lines(parse(formula), P_POSITIONS, one) == expected


def test_the_verdict_is_the_same_in_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(linewise, "_LINES", 7)  # so that every thread has some
    table = solve(instance(6, 16), "outcome")
    for formula, where in PAIRS[:3]:
        asked = parse(formula), P_POSITIONS
        checks = [
            check_lines(*asked, table.instance, parse_condition(where), threads=count) for count in (1, 2, 3)
        ]
        assert checks == [check_table(*asked, table, parse_condition(where))] * 3


@pytest.mark.parametrize(
    ("formula", "target", "why"),
    [
        ("x ^ y", Target("grundy"), "for P-positions"),
        ("x // y == z", P_POSITIONS, "no value"),
        ("x << (9 * y + 9 * z) == 0", P_POSITIONS, "64 bits"),
    ],
)
def test_what_it_does_not_do_is_refused_with_the_reason(formula, target, why):
    with pytest.raises(NoSweep, match=why):
        check_lines(parse(formula), target, instance(2, 9))


def test_large_instances_are_verified_line_by_line_and_small_ones_are_not(monkeypatch):
    claim = Claim("asked", P_POSITIONS, parse(FORMULAS[0]))
    expected = judging.judge_instances(claim, [instance(4, 7)])
    monkeypatch.setattr(judging, "WORTH_IT", 1)
    monkeypatch.setattr(judging, "solve", None)  # no table is made
    assert judging.judge_instances(claim, [instance(4, 7)]) == expected


def test_what_fits_no_memory_is_refused_before_anything_is_done():
    claim = Claim("asked", Target("grundy"), parse("x ^ y ^ z"))
    with pytest.raises(InstanceError, match="choose smaller bounds"):
        judging.judge_instances(claim, [instance(4, 60_000)])


@pytest.mark.parametrize(
    ("text", "names", "same"),
    [
        ("x + y + z >= m", "xyz", True),
        ("(x ^ z) * y == max(x, y)", "xyz", False),
        ("max(z, x, y) >= x + (z + y)", "xyz", True),
        ("x - y >= 0", "xy", False),
        ("x >= 1 and y >= 1 or m == x + y", "xy", True),
        ("x + 2*y > 3", "xy", False),
        ("any(n == x + y for n in range(0, m))", "xy", True),
    ],
)
def test_what_stays_the_same_when_names_are_exchanged(text, names, same):
    assert is_symmetric_in(parse(text), tuple(names)) is same
