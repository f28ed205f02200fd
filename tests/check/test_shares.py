"""Shares: only all is 100 %, only none is 0 %, and a rule for rare positions is measured where these are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grundylab.check.shares import SplitCounts, percent


@pytest.mark.parametrize(
    ("right", "total", "text"),
    [
        (0, 7, "0 %"), (1, 10**9, "0.01 %"), (57, 100, "57 %"), (29, 100, "29 %"), (2, 3, "66.66 %"),
        (999, 1_000, "99.9 %"), (10**9 - 1, 10**9, "99.99 %"), (10**15 - 1, 10**15, "99.99 %"), (7, 7, "100 %"),
    ],
)  # fmt: skip
def test_a_share_is_rounded_down_but_not_to_nothing(right, total, text):
    assert percent(right / total) == text


@given(st.integers(1, 10**9), st.data(), st.sampled_from([2, 4]))
def test_only_all_is_100_percent_and_only_none_is_0(total, data, digits):
    right = data.draw(st.integers(0, total))
    text = percent(right / total, digits)
    assert (text == "100 %", text == "0 %") == (right == total, right == 0)


def test_a_constant_finds_nothing_of_what_it_denies():
    """Use 3 P-positions among 200 positions, and the formulas False, True, and one that finds two of the three."""
    false = SplitCounts(right=197, total=200, true_right=0, true_total=3)
    true = SplitCounts(right=3, total=200, true_right=3, true_total=3)
    some = SplitCounts(right=198, total=200, true_right=2, true_total=3)
    assert (false.share, false.recall, false.specificity, false.balanced) == (0.985, 0, 1, 0.5)
    assert (true.share, true.recall, true.specificity, true.balanced) == (0.015, 1, 0, 0.5)
    assert (some.recall, some.specificity) == (2 / 3, 196 / 197)
    assert some.balanced == (2 / 3 + 196 / 197) / 2


def test_where_there_is_nothing_to_count_there_is_no_share():
    assert SplitCounts().share is None
    number = SplitCounts(right=1, total=2)
    assert (number.share, number.recall, number.specificity, number.balanced) == (0.5, None, None, None)
    never = SplitCounts(right=5, total=5, true_right=0, true_total=0)
    assert (never.recall, never.specificity, never.balanced) == (None, 1, None)
