"""Conditions reported as true everywhere are true at all positions of a box; others are false at some position."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.games import parse_ruleset
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import If, Not, conjunction, disjunction
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.comparing import equal_values_condition
from grundylab.prove.core.decide import true_everywhere
from grundylab.prove.outcome import Limits

needs_mona = pytest.mark.skipif(find_mona() is None, reason=MISSING)
GAME = parse_ruleset(
    "title: t\nparameters: {m: m >= 2}\nposition: {x: 0..N, y: 0..N}\nwhere: x <= y + 3\n"
    "moves: [{take: t, from: x}]\nfunctions: {h(z): floor(z/2)}",
    "game",
)
CELLS = Limits(timeout=60).cells
# of period 4 and decided by numbers below 8, or powers of two: they differ below 40 if they differ
ATOMS = [
    "x == y",
    "x < y + 2",
    "(x + y) % 4 == 1",
    "x % 2 == 0",
    "is_power_of_two(x + 1)",
    "x ^ y == 3",
    "y >= 5",
]
ATOMS += [
    "y == x",
    "x <= y + 1",
    "(x ^ y ^ 1) % 2 == 1",
    "not x % 2 == 1",
    "h(x) == 2",
    "4 <= x <= 5",
    "y > 4",
]


@st.composite
def conditions(draw):
    first, second = (parse(draw(st.sampled_from(ATOMS))) for _ in range(2))
    form = draw(st.sampled_from(["one", "and", "or", "not"]))
    return {
        "one": first,
        "and": conjunction(first, second),
        "or": disjunction(first, second),
        "not": Not(first),
    }[form]


def on_box(condition):
    x, y = (axis.reshape(-1) for axis in np.meshgrid(range(40), range(40), indexing="ij"))
    kept = x <= y + 3
    return evaluate_arrays(condition, {"x": x[kept], "y": y[kept]}, GAME.functions)


@needs_mona
@examples(20)
@given(conditions(), conditions(), conditions())
def test_equality_is_decided_as_it_is_on_a_box(a, b, where):
    for one, other in ((a, b), (a, Not(Not(a))), (If(a, b, Not(b)), If(b, a, Not(a)))):
        found = true_everywhere(GAME, equal_values_condition(one, other), where, CELLS)
        assert found is bool(np.all((on_box(one) == on_box(other))[on_box(where)]))


@needs_mona
@pytest.mark.parametrize(
    ("condition", "where", "found"),
    [
        ("x + m >= 2", "True", True),  # the domain of m is used
        ("x + m >= 3", "True", False),
        ("x + m >= 3", "m == 3", True),
        ("x <= 3", "y == 0", True),  # the space is used
        ("(1 << floor_log2(x)) >= 0", "True", False),  # no value is not true
        ("x * y == y * x", "True", None),  # outside the logic
        ("x == y", "m == 1", None),  # no such game
    ],
)
@pytest.mark.parametrize("program", [None, "no-such-program"])
def test_domain_space_and_what_has_no_value(condition, where, found, program, monkeypatch):
    if program is not None:
        monkeypatch.setenv("GRUNDYLAB_MONA", program)
    assert true_everywhere(GAME, parse(condition), parse(where), CELLS) is found
