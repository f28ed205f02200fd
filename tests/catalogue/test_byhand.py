"""Explanations of counterexamples: the options' values, or the values of both sides of a false equation."""

import pytest

from grundylab.catalogue.hand_calculation import hand_calculation
from grundylab.catalogue.wording import verdict_text, words_text
from grundylab.check.families import judge_family, parse_extent
from grundylab.check.judging import judge
from grundylab.check.verification import ChosenFunction
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve import solve

NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nclaims:\n"


def told(claim):
    ruleset = parse_ruleset(f"{NIM}  - {{id: a, {claim}}}\n", "game")
    found = judge(ruleset.claims[0], [solve(make_instance(ruleset, {}, {"N": 7}))])
    assert found.counterexample is not None
    return tuple(found.counterexample.position.values()), words_text(
        hand_calculation(ruleset, ruleset.claims[0], found.counterexample)
    )


@pytest.mark.parametrize(
    ("claim", "at", "words"),
    [
        ("target: grundy, formula: x | y", (1, 1), "its options have the Grundy numbers 1, so that its own is 0"),
        ("target: grundy == 2, formula: x + y == 2", (1, 1), "its options have the Grundy numbers 1, so that its own is 0"),
        ("target: p, formula: x == 0", (0, 1), "an N-position, because the move 'take from y' leads to (x=0, y=0), a P-position; the Grundy numbers of its options include 0, but not 1"),
        ("target: p, formula: x == y == 0", (1, 1), "a P-position, because every option is an N-position"),
        ("every-option: x < 2", (2, 1), "its option (x=2, y=0) does not fulfil it"),
        ("where: x >= 1, some-option: x == y", (1, 1), "none of its options (x=0, y=1), (x=1, y=0) fulfils it"),
        ("condition: x ^ y == x + y", (1, 1), "x ^ y == x + y says 0 = 2"),
        ("condition: x == 0 or y <= x < 5", (1, 2), "x == 0 says 1 = 0; y <= x says 2 ≤ 1"),
        ("condition: x == y if x > 2 else y != 1", (0, 1), "y != 1 says 1 ≠ 1"),
        ("condition: (1 if x == 0 else 0) == (1 if y == 0 else 0)", (0, 1), "y == 0 says 1 = 0"),
        ("condition: not x == y", (0, 0), "not x == y is false"),
        ("for: {m: 0..N}, condition: m < 5", (0, 0), "with m = 5: m < 5 says 5 < 5"),
        ("for: {m: 1..2, n: m..2}, condition: x + m + n < 4", (0, 0), "with m = 2, n = 2: x + m + n < 4 says 4 < 4"),
        ("values: {G: this}, condition: 'G(x, y) == x'", (0, 1), "G(x, y) == x says 1 = 0"),
    ],
)  # fmt: skip
def test_the_work_is_that_of_the_counterexample(claim, at, words):
    assert told(claim) == (at, words)


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("condition: x ^ y == x + y",
         ["refuted: wrong at 37 of 64 positions (N=7)",
          "smallest counterexample: (x=1, y=1): the condition is false, x ^ y == x + y says 0 = 2"]),
        ("values: {G: this}, condition: 'G(x, y) == x'",
         ["refuted: wrong at 56 of 64 positions (N=7)", "smallest counterexample: (x=0, y=1): the condition is false"]),
        ("condition: not x == y",
         ["refuted: wrong at 8 of 64 positions (N=7)", "smallest counterexample: (x=0, y=0): the condition is false"]),
        ("condition: x // (y - 1) <= x",
         ["refuted: wrong at 8 of 64 positions (N=7)",
          "smallest counterexample: (x=0, y=1): the condition has no value there"]),
        ("target: p, formula: x == 0",
         ["refuted: wrong at 14 of 64 positions (N=7)",
          "smallest counterexample: (x=0, y=1): an N-position, the formula says P"]),
    ],
)  # fmt: skip
def test_a_verdict_tells_how_many_are_wrong_and_what_is_false_at_the_smallest(claim, lines):
    ruleset = parse_ruleset(f"{NIM}  - {{id: a, {claim}}}\n", "game")
    verdict = judge(ruleset.claims[0], [solve(make_instance(ruleset, {}, {"N": 7}))])
    assert verdict_text(verdict).splitlines()[1:3] == lines


def test_of_a_family_the_game_with_the_counterexamples_function_is_worked_in():
    ruleset = parse_ruleset(
        "title: maximum Nim\nposition: {x: 0..N}\nfunctions:\n  f(n): {any: f(n) <= n}\n"
        "moves: [{take: 1..f(x), from: x}]\nclaims:\n  - {id: a, target: grundy, formula: f(x)}\n",
        "maximum",
    )
    (found,), _ = judge_family(
        ruleset.claims, [make_instance(ruleset, {}, {"N": 3})], {"f": parse_extent("0..3 -> 0..2")}
    )
    example = found.counterexample
    assert (example.position, example.functions["f"].told("f")) == (
        {"x": 2},
        "f(0..1) = 0, f(2) = 2, f(3) = 0",
    )
    said = "its options have the Grundy numbers 0, so that its own is 1"
    assert words_text(hand_calculation(ruleset, ruleset.claims[0], example)) == said


@pytest.mark.parametrize(
    ("lows", "shape", "values", "text"),
    [
        ((0,), (4,), (0, 0, 1, 1), "f(0..1) = 0, f(2..3) = 1"),
        ((1,), (3,), (1, 2, 1), "f(1) = 1, f(2) = 2, f(3) = 1"),
        ((0, 1), (2, 2), (0, 0, 1, 2), "f(0, 1..2) = 0, f(1, 1) = 1, f(1, 2) = 2"),
    ],
)
def test_a_function_of_a_family_is_told_by_its_arguments(lows, shape, values, text):
    assert ChosenFunction(lows, shape, values).told("f") == text
