"""Claims about every game of a family: exactly the functions with the property are tried."""

from fractions import Fraction
from itertools import islice, pairwise, product
from math import prod

import numpy as np
import pytest

from grundylab.check import families
from grundylab.check.families import family_games, judge_family, parse_extent
from grundylab.errors import FormulaError, InstanceError, RulesetError
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve import solve
from grundylab.solve.codegen import kernel_source

MAXIMUM = """title: maximum Nim
position: {x: 0..N}
functions:
  f(n): {any: "%s"}
moves: [{take: "1..min(f(x), x)", from: x}]
claims:
  - {id: i, where: x >= 1 and f(x) == f(x - 1), values: {G: this}, target: grundy, formula: G(x - f(x) - 1)}
  - {id: ii, where: x >= 1 and f(x) > f(x - 1), target: grundy, formula: f(x)}
"""
REGULAR = "n == 0 or 0 <= f(n) - f(n - 1) <= 1"


def family(condition=REGULAR):
    return parse_ruleset(MAXIMUM % condition, "maximum")


def functions(ruleset, extent):
    found = family_games(ruleset, {"f": parse_extent(extent)})
    return [tuple(game.functions["f"].values.flat) for game in found]


@pytest.mark.parametrize(
    ("condition", "extent", "wanted"),
    [
        (REGULAR, "0..3 -> 0..2", lambda f: all(0 <= b - a <= 1 for a, b in pairwise(f))),
        ("n == 0 or f(n - 1) <= f(n)", "0..4 -> 0..3", lambda f: list(f) == sorted(f)),
        ("True", "0..2 -> 1..3", lambda f: True),
    ],
)
def test_every_function_with_the_property_is_there_once(condition, extent, wanted):
    box = parse_extent(extent)
    every = product(box.values, repeat=len(box.arguments[0]))
    assert functions(family(condition), extent) == [f for f in every if wanted(f)]


def test_one_kernel_solves_the_games_of_all_functions_as_the_definition_does():
    games = list(family_games(family(), {"f": parse_extent("0..6 -> 0..3")}))
    instances = [make_instance(game, {}, {"N": 6}) for game in games]
    texts = {kernel_source(game).text for game in games}
    assert len(games) > 20
    assert len(texts) == 1
    for instance in instances:
        found = solve(instance, "grundy", "kernel").values
        assert np.array_equal(found, solve(instance, "grundy", "reference").values)


def test_where_a_function_has_no_value_its_kernel_says_what_the_definition_says():
    game = next(iter(family_games(family(), {"f": parse_extent("0..3 -> 0..3")})))
    instance = make_instance(game, {}, {"N": 5})
    with pytest.raises(RulesetError, match="past the end") as told:
        solve(instance, "grundy", "reference")
    with pytest.raises(RulesetError) as found:
        solve(instance, "grundy", "kernel")
    assert str(found.value) == str(told.value)


def test_functions_of_two_arguments_are_looked_at_on_a_grid():
    text = """title: bars
position: {x: 0..N}
functions:
  F(a, b): {any: "(a == 0 or F(a - 1, b) <= F(a, b)) and (b == 0 or F(a, b - 1) <= F(a, b))"}
moves: [{take: t, from: x}]
"""
    games = family_games(parse_ruleset(text, "bars"), {"F": parse_extent("0..1, 0..3 -> 0..2")})
    # MacMahon: the plane partitions in a box of sides a, b, c are the product of (i + j + k - 1)/(i + j + k - 2)
    box = product(range(1, 3), range(1, 5), range(1, 3))
    expected = prod(Fraction(sum(sides) - 1, sum(sides) - 2) for sides in box)
    assert sum(1 for _ in games) == expected == 105


def test_the_lemma_on_regular_sequences_needs_that_nothing_is_taken_from_nothing():
    """Levine's lemma is about functions with f(0) = 0, where no more than x can be taken from a pile of x."""
    ruleset = family(f"f(0) == 0 and ({REGULAR})")
    instance = make_instance(ruleset, {}, {"N": 7})
    verdicts, games = judge_family(ruleset.claims, [instance], {"f": parse_extent("0..7 -> 0..7")})
    assert [verdict.status for verdict in verdicts] == ["holds", "holds"]
    assert games == 2**7


def test_a_counterexample_names_the_function():
    ruleset = family()
    instance = make_instance(ruleset, {}, {"N": 3})
    verdicts, _ = judge_family(ruleset.claims, [instance], {"f": parse_extent("0..3 -> 0..4")})
    example = verdicts[1].counterexample
    assert (example.position, example.functions["f"].told("f")) == ({"x": 1}, "f(0) = 1, f(1..3) = 2")
    assert (example.truth, example.found) == (1, 2)


def test_a_family_is_not_one_game():
    with pytest.raises(InstanceError, match=r"f\(\) open"):
        solve(make_instance(family(), {}, {"N": 3}))


@pytest.mark.parametrize("text", ["0..3", "0..3 -> 5..2", "a -> 0..2", "0..3 -> -1..2"])
def test_an_extent_is_arguments_and_values(text):
    with pytest.raises(FormulaError, match=r"is not an extent; .* 0..10 -> 0..11"):
        parse_extent(text)


@pytest.mark.parametrize(
    ("extents", "words"),
    [
        ({}, r"f\(\) .* extent"),
        ({"f": "0..1, 0..1 -> 0..1"}, r"f\(\) has 1 arguments, not 2"),
        ({"f": "0..3 -> 0..1", "g": "0..3 -> 0..1"}, "'g'"),
    ],
)
def test_extents_fit_the_free_functions(extents, words):
    ruleset = family()
    given = {name: parse_extent(text) for name, text in extents.items()}
    with pytest.raises(InstanceError, match=words):
        judge_family(ruleset.claims, [make_instance(ruleset, {}, {"N": 3})], given)


def test_a_property_may_ask_of_earlier_arguments_only():
    with pytest.raises(RulesetError, match="not chosen yet"):
        functions(family("f(n + 1) >= f(n)"), "0..2 -> 0..1")


TWO = """title: two free functions
position: {x: 0..N}
functions:
  f(n): {any: "f(n) >= 0"}
  g(a, b): {any: "g(a, b) <= %s"}
moves: [{take: "1..min(x, f(x) + g(x, x))", from: x}]
claims:
  - {id: i, target: p, formula: x == 0}
"""
FAR = {"f": "0..39 -> 0..2", "g": "0..30, 0..30 -> 0..1"}  # 3**40 functions and 2**961


def extents(texts):
    return {name: parse_extent(text) for name, text in texts.items()}


@pytest.mark.parametrize("texts", [FAR, FAR | {"f": "0..3000 -> 0..5"}])
def test_the_first_games_of_a_family_cost_no_more_than_these(monkeypatch, texts):
    monkeypatch.setattr(families, "SEARCH_STEPS", 100_000)
    found = islice(family_games(parse_ruleset(TWO % "a + b", "two"), extents(texts)), 3)
    last = [(game.functions["f"].values.flat[-1], game.functions["g"].values.flat[-2:]) for game in found]
    assert [(f, *map(int, g)) for f, g in last] == [(0, 0, 0), (0, 0, 1), (0, 1, 0)]


def test_games_of_two_free_functions_are_in_lexicographic_order():
    found = family_games(
        parse_ruleset(TWO % 1, "two"), extents({"f": "0..1 -> 0..1", "g": "0..0, 0..1 -> 0..2"})
    )
    values = [tuple(map(int, [*g.functions["f"].values.flat, *g.functions["g"].values.flat])) for g in found]
    assert values == [*product(range(2), repeat=4)]


@pytest.mark.parametrize(
    ("condition", "extent", "words"),
    [
        ("f(n) >= 0", "0..40 -> 0..3", "100 games .* 0..40 -> 0..3"),
        (REGULAR, "0..999 -> 0..2", "100 games .* 0..999 -> 0..2"),
        ("n < 30 or f(n) < 0", "0..30 -> 0..1", "f: .* 100,000 steps"),
        ("f(n) >= 0 and all(i >= 0 for i in range(0, 50000))", "0..9 -> 0..1", "100,000 steps"),
        ("f(n) >= 0", "0..10000 -> 0..1", "f: 0..10000 -> 0..1 has 10,001 arguments; .* at most 10,000"),
    ],
)
def test_a_family_that_is_too_large_is_refused_before_any_game_is_solved(
    monkeypatch, condition, extent, words
):
    monkeypatch.setattr(families, "MAX_GAMES", 100)
    monkeypatch.setattr(families, "SEARCH_STEPS", 100_000)
    monkeypatch.setattr(families, "solve", None)
    ruleset = family(condition)
    with pytest.raises(InstanceError, match=words):
        judge_family(ruleset.claims, [make_instance(ruleset, {}, {"N": 4})], {"f": parse_extent(extent)})


def test_tables_of_all_games_together_have_a_limit(monkeypatch):
    monkeypatch.setattr(families, "MAX_CELLS", 1_000)
    ruleset, every = family("f(n) >= 0"), {"f": parse_extent("0..5 -> 0..1")}
    assert judge_family(ruleset.claims, [make_instance(ruleset, {}, {"N": 4})], every)[1] == 64
    with pytest.raises(InstanceError, match=r"N=19\): .* 50 games"):
        judge_family(ruleset.claims, [make_instance(ruleset, {}, {"N": 19})], every)
