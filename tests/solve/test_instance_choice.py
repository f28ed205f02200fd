"""Tables that nobody gave have admissible parameters, fit their limits, and grow."""

from dataclasses import replace

import pytest

from grundylab.errors import InstanceError
from grundylab.games import parse_ruleset
from grundylab.games.settings import MOST_CHOSEN
from grundylab.solve.instance_choice import Room, chosen_instances, grown_instances, trial_instance

SMALL = Room(30_000, 3_000_000, 20)


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
