"""Periods of sequences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grundylab.solve.periodicity import Period, find_period

KAYLES_PATTERN = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]


def least(values):
    """Return the least period, found by trying every period and preperiod; None if there is none."""
    found = []
    for period in range(1, len(values)):
        saltus = values[-1] - values[-1 - period]
        good = [values[i + period] == values[i] + saltus for i in range(len(values) - period)]
        preperiod = next((i for i in range(len(good)) if all(good[i:])), len(good))
        if len(good) - preperiod > period:
            found.append((preperiod + period, period, preperiod, saltus, len(good) - preperiod))
    return min(found, default=None)


@given(st.lists(st.integers(0, 2), max_size=40))
def test_it_is_the_period_with_the_fewest_values_to_remember(values):
    found = find_period(np.array(values, dtype=np.int64))
    wanted = least(values)
    assert (found is None) == (wanted is None)
    if wanted is not None:
        _, period, preperiod, saltus, confirmed = wanted
        assert found == Period(preperiod, period, saltus, confirmed)


@given(
    st.lists(st.integers(0, 5), max_size=12),
    st.lists(st.integers(0, 5), min_size=1, max_size=9),
    st.integers(0, 12),
)
def test_a_planted_period_is_found(beginning, pattern, saltus):
    values = beginning + [value + saltus * k for k in range(12) for value in pattern]
    found = find_period(np.array(values))
    assert found is not None
    assert len(pattern) % found.period == 0 or found.preperiod + found.period < len(beginning) + len(pattern)
    for i in range(found.preperiod, len(values) - found.period):
        assert values[i + found.period] == values[i] + found.saltus


def test_a_period_seen_only_once_is_none():
    assert find_period(np.array([0, 1, 4, 9, 16, 25, 36, 49])) is None


@given(st.lists(st.sampled_from([0, 2**62, -(2**63), 2**63 - 1, 2**70]), max_size=12))
def test_values_and_differences_of_any_size_have_their_period(values):
    types = [object] if 2**70 in values else [object, np.int64]
    wanted = least(values)
    for found in (find_period(np.array(values, dtype=kind)) for kind in types):
        assert (found and (found.preperiod, found.period, found.saltus)) == (
            wanted and (wanted[2], *wanted[1::2][:2])
        )
