"""Candidates are counted at the positions that they concern, and ranked; ties are told unless they agree elsewhere, too."""

import pytest
from tests.discover.made import made
from tests.findings.made import proposed

from grundylab.check.shares import all_checked
from grundylab.discover.ranking import count_right, is_exact, rank, ties, with_constant
from grundylab.games import parse_target
from grundylab.language import parse

P, GRUNDY = parse_target("p"), parse_target("grundy")
SUM = made("x + y", x=range(4), y=range(4))
EQUAL = made("x == y", x=range(4), y=range(4))


def ranked(samples, target, *texts):
    found = rank(map(parse, texts), samples, target, "search", 0)
    return [(str(each.formula), each.train.right) for each in found]


def candidate(text, where="True", **values):
    return proposed(text, GRUNDY, "search", 0, 16, where=where, values=values)


@pytest.mark.parametrize(
    ("text", "exact"),
    [("x + y", True), ("x", False), ("x // y", False), ("x + y if y == 0 else 1 // 0", False)],
)
def test_a_formula_is_exact_only_if_it_has_the_value_everywhere(text, exact):
    assert is_exact(parse(text), SUM) == exact


def test_one_that_is_not_exact_is_kept_if_it_is_smaller_than_all_better_ones():
    assert ranked(SUM, GRUNDY, "x * y", "x", "x + y", "min(x, y)", "0") == [("x + y", 16), ("x", 4)]


def test_what_is_of_another_kind_or_has_no_value_or_names_what_is_unknown_is_left_out():
    assert ranked(SUM, GRUNDY, "x == y", "x // y", "z", "f(x)", "y") == [("y", 4)]


def test_a_condition_that_is_mostly_wrong_is_joined_by_its_negation():
    assert ranked(EQUAL, P, "x != y") == [("x == y", 16), ("x != y", 0)]
    assert ranked(EQUAL, P, "x <= y") == [("x <= y", 10)]


def test_only_the_positions_of_a_condition_are_counted():
    assert count_right(candidate("x"), SUM) == all_checked(4, 16)
    assert count_right(candidate("x", "y == 0"), SUM) == all_checked(4, 4)
    assert count_right(candidate("x", "y > 9"), SUM) == all_checked(0, 0)
    assert count_right(candidate("x // y"), SUM) == all_checked(0, 16)


def test_a_lookup_has_the_values_of_the_samples_wherever_they_begin():
    samples = made("x + y", x=range(2, 6), y=range(3, 6))
    (found,) = rank([candidate("G(5, y) - 5 + x", G="this")], samples, GRUNDY, "search", 0)
    assert (found.train.right, found.train.total) == (12, 12)


def test_a_constant_follows_the_candidates_that_are_right_at_more_positions():
    found = with_constant(rank([parse("x"), parse("max(x, y) + 1")], SUM, GRUNDY, "search", 7), SUM)
    assert [(str(each.formula), each.train.right, each.origin.seed) for each in found] == [
        ("max(x, y) + 1", 5, 7),
        ("3", 4, 7),
    ]
    exact = rank([parse("x + y")], SUM, GRUNDY, "search", 7)
    assert with_constant(exact, SUM) == exact


def test_of_ties_that_agree_beyond_the_samples_too_one_is_told():
    few = made("x", x=range(3))  # beyond them, x is at most 5
    exact = [parse(text) for text in ("x + 0 * x", "x % 3", "x % 5")]
    found = ties(exact, lambda formula: is_exact(formula, few), few)
    assert list(map(str, found)) == ["x % 3", "x % 4", "x % 5", "x % 6"]


def test_beyond_the_samples_are_odd_and_even_numbers():
    samples = made("x", x=range(20))
    exact = [parse(f"x if x % 2 == {rest} or x < 20 else 0") for rest in range(2)]
    assert set(ties([parse("x"), *exact], lambda formula: False, samples)) == {parse("x"), *exact}
