"""Every parameter setting that a condition allows is listed, or none if they cannot all be listed."""

from dataclasses import replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grundylab.errors import InstanceError
from grundylab.games import parse_ruleset
from grundylab.games.settings import (
    MOST_CHOSEN,
    Room,
    chosen_instances,
    grown_instances,
    possible_settings,
    thin_sweep,
    trial_instance,
)
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate

SMALL = Room(30_000, 3_000_000, 20)
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


DEPENDENT = """
title: the second parameter is larger than the first
parameters: {m: m >= 3, n: n > m}
position: {x: 0..N, y: 0..M}
moves: [{take: t, from: x}]
"""


def test_what_a_sweep_leaves_open_is_chosen_within_the_domains_and_small():
    found = chosen_instances(parse_ruleset(DEPENDENT, "two"), {}, {})
    assert {i.parameters for i in found} == {
        (("m", m), ("n", n)) for m in range(3, 7) for n in range(4, 8) if n > m
    }
    (bounds,) = {i.bounds for i in found}
    assert dict(bounds)["N"] == dict(bounds)["M"] > 4
    assert sum(i.cells for i in found) <= 30_000


def test_what_a_sweep_gives_is_not_chosen():
    ruleset = parse_ruleset(DEPENDENT, "two")
    assert [i.label for i in chosen_instances(ruleset, {"m": [5], "n": [9]}, {"N": [7]}, SMALL)] == [
        "m=5,n=9,N=7,M=20"
    ]
    assert [
        i.label for i in chosen_instances(ruleset, {}, {"M": [2]}, replace(SMALL, largest=8), values=1)
    ] == ["m=3,n=4,N=8,M=2"]
    with pytest.raises(InstanceError, match="n=4"):
        chosen_instances(ruleset, {"m": [5], "n": [4]}, {}, SMALL)


def many(domain, count=16):
    """Return a game with ``count`` parameters, each with a domain that may depend on the one before."""
    names = [f"a{i}" for i in range(count)]
    before = ["0", *names]
    domains = ", ".join(f"{n}: '{domain.format(n, before[i])}'" for i, n in enumerate(names))
    return parse_ruleset(
        f"title: t\nparameters: {{{domains}}}\nposition: {{x: 0..N}}\nmoves: [{{take: t, from: x}}]\n", "many"
    )


@pytest.mark.parametrize("domain", ["{0} >= 0", "{0} > {1}", "{1} <= {0} <= {1} + 3"])
def test_of_many_parameters_few_settings_are_chosen(domain):
    ruleset = many(domain)
    found = {instance.parameters for instance in chosen_instances(ruleset, {}, {}, SMALL)}
    assert 1 < len(found) <= MOST_CHOSEN == 256
    assert len({dict(setting)["a15"] for setting in found}) > 1


def test_what_a_sweep_gives_is_all_there_beside_one_value_of_each_other_parameter():
    given = {"a0": [*range(300)], "a3": [7, 9]}
    found = chosen_instances(many("{0} >= 0"), given, {"N": [3]})
    assert len(found) == 600
    assert {dict(i.parameters)["a15"] for i in found} == {0}


def test_what_a_sweep_gives_has_its_own_limit():
    given = {f"a{i}": [*range(100)] for i in range(5)}
    with pytest.raises(InstanceError, match="10,000,000,000 combinations; at most 1,000,000"):
        chosen_instances(many("{0} >= 0"), given, {"N": [3]})


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


ENDED = "title: t\nparameters: {%s}\nposition: {%s}\nmoves: [{take: t, from: x}]\n"


@pytest.mark.parametrize(
    ("parameters", "position", "first", "next_ones", "one"),
    [
        ("k: k >= 1", "x: 1..k", [*range(1, 33)], [*range(1, 65)], 32),
        ("k: k % 4 == 3", "x: 0..k, y: 0..k", [*range(3, 64, 4)], [*range(3, 128, 4)], 127),
        (
            "k: is_power_of_two(k)",
            "x: 0..f(3)",
            [1 << n for n in range(10)],
            [1 << n for n in range(11)],
            512,
        ),
        ("m: m >= 0, k: k >= m", "x: 0..k", [*range(16)], [*range(32)], 31),
        ("k: k >= 1", "x: 1..20", [*range(1, 33)], [*range(1, 65)], 32),
    ],
)
def test_where_the_position_space_ends_at_a_parameter_it_has_many_values_and_then_more(
    parameters, position, first, next_ones, one
):
    functions = "functions: {f(n): n + k}\n" if "f(" in position else ""
    ruleset = parse_ruleset(ENDED % (parameters, position) + functions, "ended")

    def values(found):
        return sorted({dict(instance.parameters)["k"] for instance in found})

    found = chosen_instances(ruleset, {}, {}, replace(SMALL, largest=256))
    assert values(found) == first
    assert values(grown_instances(found)) == next_ones
    assert values(chosen_instances(ruleset, {}, {}, values=1)) == [one]
    assert trial_instance(ruleset).cells > 5


def test_the_values_of_a_parameter_keep_growing_when_they_are_many():
    found = chosen_instances(parse_ruleset(ENDED % ("k: k >= 1", "x: 1..k"), "ended"), {}, {})
    for _ in range(5):
        found = grown_instances(found)
    assert len(found) == MOST_CHOSEN
    values = [dict(instance.parameters)["k"] for instance in found]
    assert values == [*range(1, 129), *range(1281, 1409)]


@pytest.mark.parametrize(
    ("parameters", "position", "given"),
    [("k: k >= 1", "x: 1..k", {"k": [7]}), ("k: k <= 3", "x: 0..k", {})],
)
def test_nothing_grows_for_one_value_or_if_no_others_bound_the_position_space(parameters, position, given):
    found = chosen_instances(parse_ruleset(ENDED % (parameters, position), "ended"), given, {})
    assert grown_instances(found) == ()
