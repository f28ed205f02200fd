"""The engine ``periods``: what it says of sequences and rows, and that it says nothing without a period."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grundylab.discovery import discover
from grundylab.discovery.base import Proposals, Samples
from grundylab.discovery.patterns import number_formula, one_of, residues, set_formula
from grundylab.discovery.periods import propose
from grundylab.formula.plain import evaluate
from grundylab.formula.syntax import Name
from grundylab.periodicity import Period
from grundylab.rulesets import make_instance, parse_ruleset, parse_target
from grundylab.rulesets.model import GRUNDY, P_POSITIONS
from grundylab.solving import solve

X = Name("x")
PILES = "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
ROWS_OF_PINS = """title: t
position: {x: 0..N}
moves:
  - {for: {t: 1..2, a: 0..x-t}, to: [{x: a}, {x: x - t - a}]}
"""
SPLIT_OR_TAKE = """title: t
position: {x: 0..N}
moves:
  - {take: t, from: x}
  - {for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}
"""
DIAGONAL = """title: t
position: {x: 0..N, y: 0..N}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
  - {for: {t: "1..min(x, y)"}, to: {x: x - t, y: y - t}}
"""


def found(game, target, bound):
    ruleset, target = parse_ruleset(game), parse_target(target)
    table = solve(make_instance(ruleset, {}, {"N": bound}), target.values)
    return discover([table], target, engine="periods")


@given(
    st.integers(0, 5),
    st.lists(st.integers(0, 9), max_size=8),
    st.lists(st.integers(0, 9), min_size=1, max_size=9),
    st.integers(0, 20),
)
def test_an_arithmetic_periodic_sequence_is_its_formula(start, beginning, pattern, saltus):
    values = beginning + [value + saltus * k for k in range(6) for value in pattern]
    period = Period(len(beginning), len(pattern), saltus, 5 * len(pattern))
    formula = number_formula("x", start, values, period)
    assert [evaluate(formula, {"x": start + i}) for i in range(len(values))] == values


@given(
    st.integers(0, 5), st.lists(st.booleans(), max_size=8), st.lists(st.booleans(), min_size=1, max_size=9)
)
def test_an_eventually_periodic_set_is_its_formula(start, beginning, pattern):
    members = beginning + 6 * pattern
    formula = set_formula("x", start, members, Period(len(beginning), len(pattern), 0, 5 * len(pattern)))
    assert [evaluate(formula, {"x": start + i}) for i in range(len(members))] == members


@given(st.integers(1, 24).flatmap(lambda p: st.tuples(st.just(p), st.sets(st.integers(0, p - 1)))))
def test_remainders_and_numbers_are_those_asked_for(case):
    modulus, rest = case
    wanted = sorted(rest)
    condition = residues(X, modulus, wanted)
    assert [x for x in range(modulus, 2 * modulus) if evaluate(condition, {"x": x})] == [
        r + modulus for r in wanted
    ]
    assert [x for x in range(30) if evaluate(one_of(X, wanted), {"x": x})] == wanted


@pytest.mark.parametrize(
    ("game", "target", "bound", "formula"),
    [
        (PILES, "p", 20, "x == y"),
        (PILES + "pass: {}\n", "p", 40, "y == (x if p == 0 else 0 if x == 0 else x + 1 if x % 2 != 0 else x - 1)"),
        (SPLIT_OR_TAKE, "grundy", 40, "0 if x == 0 else x - 1 if x % 4 == 0 else x + 1 if x % 4 == 3 else x"),
        ("title: t\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x}]\n", "grundy", 40, "x % 4"),
        ("title: t\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x}]\n", "p", 40, "x % 4 == 0"),
        ("title: t\nposition: {x: 0..N}\nmoves: [{take: '2..3', from: x, when: t <= x}]\n", "grundy", 40, "x % 5 // 2"),
    ],
)  # fmt: skip
def test_games_with_a_period_have_this_formula(game, target, bound, formula):
    best = found(game, target, bound)[0]
    assert best.exact
    assert str(best.formula) == formula


def test_kayles_has_the_period_12_and_its_14_exceptions():
    best = found(ROWS_OF_PINS, "grundy", 100)[0]
    exceptions = {
        0: 0,
        3: 3,
        6: 3,
        9: 4,
        11: 6,
        15: 7,
        18: 3,
        21: 4,
        22: 6,
        28: 5,
        34: 6,
        39: 3,
        57: 4,
        70: 6,
    }
    pattern = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]  # Guy & Smith 1956, Table of .77
    for x in range(300):
        assert evaluate(best.formula, {"x": x}) == exceptions.get(x, pattern[x % 12])


@pytest.mark.parametrize("target", ["p", "grundy", "grundy == 1"])
def test_nothing_is_said_where_no_period_is_seen(target):
    assert found(DIAGONAL, target, 30) == []


def test_nothing_is_said_of_parameters():
    columns = {"x": np.arange(20) % 10, "m": np.arange(20) // 10}
    told = propose(Samples(("x", "m"), columns, columns["x"] % 2, ("m",)), GRUNDY, 0, 5.0)
    assert told == Proposals(notes=("sequences are of one game, and m varies",))
    alone = Samples(
        ("x", "m"), {"x": columns["x"][:10], "m": columns["m"][:10]}, columns["x"][:10] < 1, ("m",)
    )
    assert [str(formula) for formula in propose(alone, P_POSITIONS, 0, 5.0).formulas] == ["x == 0"]
