"""Every parameter setting that a condition allows is listed, or none if they cannot all be listed."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grundylab.games import parse_ruleset
from grundylab.games.settings import possible_settings, thin_sweep
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate

GAME = "title: t\nparameters: {a: %s, b: %s}\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
ATOMS = st.sampled_from(
    [
        "a <= 3",
        "4 > a",
        "-2 <= a",
        "a >= 1",
        "b == 2",
        "0 <= b < 3",
        "b < 3",
        "b > -1",
        "a % 2 == 0",
        "a != b",
        "x <= a",
    ]
)


def game(a="True", b="True"):
    return parse_ruleset(GAME % tuple(f'"{domain}"' for domain in (a, b)), "game")


@st.composite
def conditions(draw):
    parts = [
        " and ".join(draw(st.lists(ATOMS, min_size=1, max_size=4))) for _ in range(draw(st.integers(1, 2)))
    ]
    return " or ".join(parts)


@given(conditions(), conditions().filter(lambda text: "x" not in text and "b" not in text))
def test_no_setting_is_missing(where, domain):
    ruleset, condition = game(domain), parse_condition(where)
    found = possible_settings(ruleset, condition)
    if found is None:
        return
    for a in range(-5, 9):
        for b in range(-5, 9):
            inside = evaluate(parse_condition(domain), {"a": a}, ruleset.functions)
            if inside and any(evaluate(condition, {"a": a, "b": b, "x": x}) for x in range(-5, 9)):
                assert (("a", a), ("b", b)) in found


@pytest.mark.parametrize(
    ("where", "count"),
    [
        ("a == 3 and b == 4", 1),
        ("0 <= a <= 3 and 2 > b >= 0", 8),
        ("a == 3 and b == 4 or a == 5 and b == 1", 2),
        ("a == 3", None),
        ("a == 3 or 0 <= a and b == 1 and a <= 2", None),
        ("0 <= a <= 1000 and 0 <= b <= 1000", None),
        ("a == 3 and b == 4 and a < b", 1),
        ("a == 3 and b == 4 and a > b", 0),
    ],
)
def test_finitely_many_are_listed(where, count):
    found = possible_settings(game(), parse_condition(where))
    assert (None if found is None else len(found)) == count


def test_without_parameters_there_is_one_setting():
    ruleset = parse_ruleset("title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n", "game")
    assert possible_settings(ruleset, parse_condition("x >= 3")) == {()}


@given(st.lists(st.integers(1, 9), max_size=9), st.integers(1, 300), st.integers(0, 3))
def test_the_longest_lists_lose_their_ends(lengths, most, kept):
    sweep = {f"a{i}": [*range(length)] for i, length in enumerate(lengths)}
    given = [*sweep][:kept]
    found = thin_sweep(sweep, most, given)
    assert [*found] == [*sweep]
    assert all(sweep[name][: len(values)] == values != [] for name, values in found.items())
    assert all(found[name] == sweep[name] for name in given)
    free = [len(values) for name, values in found.items() if name not in given]
    cut = [len(found[name]) for name in sweep if found[name] != sweep[name]]
    assert prod(map(len, found.values())) <= most or set(free) <= {1}
    assert not cut or max(free) <= min(cut) + 1  # as equal as can be, and no more is lost than needed
