"""Ranges of choices narrowed by conditions: the same tables as by the definition, where products need more than 64 bits, too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.differential.ways import interpreted
from tests.sizes import examples

from grundylab.errors import RulesetError
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve import solve
from grundylab.solve.narrowing import narrowed

MOVE = """
title: Roots
position: {n: 0..N}
moves:
  - for: {CHOICES}
    when: "CONDITION"
    to: {n: n - t}
"""


def game(condition: str, choices: str = "t: 1..n") -> str:
    return MOVE.replace("CHOICES", choices).replace("CONDITION", condition)


def high(condition: str, choices: str = "t: 1..n", choice: int = 0) -> str:
    (move,) = narrowed(make_instance(parse_ruleset(game(condition, choices)), {}, {"N": 9})).ruleset.moves
    return str(move.choices[choice].range.high)


@pytest.mark.parametrize(
    ("condition", "end"),
    [
        ("t*t <= n", "min(n, isqrt(max(n, 0)))"),
        ("n - 3 >= t*t", "min(n, isqrt(max(n - 3, 0)))"),
        ("t*t < n and n % 3 > 0", "min(n, isqrt(max(n - 1, 0)))"),
        ("t <= t*t*t*t <= n", "min(n, isqrt(isqrt(max(n, 0))))"),
        ("t*t*t <= n", "n"),  # a cube root is not in the language
        ("t*n <= n", "n"),
        ("t*t >= n", "n"),
        ("t*t <= n or n > 5", "n"),
        (
            "n // (t - 1) > 2 and t*t <= n",
            "n",
        ),  # the first condition has no value at t = 1, which is an error
    ],
)
def test_the_range_ends_at_the_root(condition, end):
    assert high(condition) == end


def test_an_end_mentions_no_later_choice():
    assert high("t*t <= s", "t: 1..n, s: 1..n") == "n"
    assert high("s*s <= t", "t: 1..n, s: 1..n", 1) == "min(n, isqrt(max(t, 0)))"


@pytest.mark.parametrize(
    "condition", ["t*t <= n", "t*t < n - 5", "t*t*t*t <= 3*n", "t*t <= n and n <= t*t*t*t"]
)
def test_the_kernel_agrees_with_the_definition(condition):
    instance = make_instance(parse_ruleset(game(condition, "t: 1..n - 1")), {}, {"N": 90})
    fast, slow = solve(instance, "grundy", "kernel"), solve(instance, "grundy", "reference")
    assert fast.instance == instance
    assert np.array_equal(fast.values, slow.values)


POWERS = st.sampled_from(["t*t", "t*t*t*t", "s*s", "t*s"])
NUMBERS = st.sampled_from(["n", "n - 3", "2*n", "100 // n", "n // (t - 2)", "t + n", "floor_log2(n)", "7"])
COMPARISONS = st.builds(
    lambda power, op, number, after: f"{power} {op} {number}{after}",
    POWERS, st.sampled_from(["<=", "<", ">=", "=="]), NUMBERS, st.sampled_from(["", " <= n", " < t*t*t*t"]),
)  # fmt: skip
RANGES = st.sampled_from(
    ["t: 1..n, s: 1..n", "t: 1..n - 1, s: 1..t", "s: 0..2, t: 1..n - s", "t: 1..n, s: 0..n - t"]
)


@examples(8, 320)
@given(RANGES, st.lists(COMPARISONS, min_size=1, max_size=2), st.sampled_from([" and ", " or "]))
def test_random_conditions_give_the_definitions_table_or_its_words(choices, conditions, joined):
    instance = make_instance(parse_ruleset(game(joined.join(conditions), choices)), {}, {"N": 14})

    def found(method):
        try:
            return solve(instance, "grundy", method).values.tolist()
        except RulesetError as error:
            return str(error)

    with interpreted():  # Python runs the kernel's source, which saves compiling it
        fast = found("kernel")
    assert fast == found("reference")


def test_products_of_small_choices_fit_64_bits_in_large_tables():
    instance = make_instance(
        parse_ruleset(game("t*t <= n and n <= t*t*t*t", "t: 1..n - 1")), {}, {"N": 1 << 17}
    )
    assert solve(instance, "grundy", "kernel").values.max() > 0


@pytest.mark.parametrize(
    ("choices", "condition"),
    [
        ("t: 1..n", "t*t <= floor_log2(n)"),  # no value at n = 0, where there is no choice
        ("t: 1..n", "t*t <= 100 // n"),
        ("t: 1..n - 5", "t*t <= isqrt(n - 5)"),
        ("t: 1..n, s: 1..t - 2", "s*s <= n // (t - 1)"),
    ],
)
def test_an_end_without_a_value_is_not_evaluated(choices, condition):
    instance = make_instance(parse_ruleset(game(condition, choices)), {}, {"N": 30})
    fast, slow = solve(instance, "grundy", "kernel"), solve(instance, "grundy", "reference")
    assert np.array_equal(fast.values, slow.values)


@pytest.mark.parametrize(
    ("choices", "condition"),
    [
        ("t: 1..n", "n // (t - 1) > 2 and t*t <= n"),
        ("t: 1..n", "n // (t - 6) <= t*t <= n"),
        ("t: 1..n", "t*t <= n // (t - 6) and t*t <= n"),
        ("t: 1..n, s: 0..n // (t - 6)", "t*t <= n"),
        ("t: 1..n + 5", "t*t <= n + 30"),  # takes more than there is
    ],
)
def test_a_fault_of_the_rules_has_the_words_of_the_definition(choices, condition):
    instance = make_instance(parse_ruleset(game(condition, choices)), {}, {"N": 20})
    with pytest.raises(RulesetError) as slow:
        solve(instance, "grundy", "reference")
    with pytest.raises(RulesetError) as fast:
        solve(instance, "grundy", "kernel")
    assert str(fast.value) == str(slow.value)
