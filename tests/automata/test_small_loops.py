"""The plain Python loops give the same results as the compiled ones, down to the number of each state."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grundylab.automata import loops, small_loops


@st.composite
def tables(draw, width):
    """Draw two tables: the state after each letter, and whether a letter repeated for ever is accepted."""
    states = draw(st.integers(1, 6))
    rows = st.lists(st.integers(0, states - 1), min_size=width, max_size=width)
    after = draw(st.lists(rows, min_size=states, max_size=states))
    sign = draw(st.lists(st.booleans(), min_size=states * width, max_size=states * width))
    return np.array(after, np.int32), np.array(sign).reshape(states, width)


def same(one, other):
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@given(st.data())
def test_products_and_groups_are_the_same(data):
    width = data.draw(st.sampled_from([1, 2, 4]))
    (a, sign_a), (b, sign_b) = data.draw(tables(width)), data.draw(tables(width))
    letters = [np.array(data.draw(st.permutations(range(width)))) for _ in range(2)]
    truth, most = data.draw(st.integers(0, 15)), data.draw(st.sampled_from([1, 3, 100]))
    asked = (a, sign_a, letters[0], b, sign_b, letters[1], truth, most)
    table, sign = loops.product(*asked)
    assert same((table, sign), small_loops.product(*asked))
    if len(table):
        first, group = loops.groups_by_row(sign)
        assert same((first, group), small_loops.groups_by_row(sign))
        assert same(loops.refined(group, table), small_loops.refined(group, table))


@given(st.data())
def test_sets_of_states_are_the_same(data):
    width = data.draw(st.sampled_from([1, 2, 4]))
    after, sign = data.draw(tables(width))
    other = np.array(data.draw(st.permutations(range(len(after)))), np.int32)[after]
    asked = (np.stack([after, other]), sign, data.draw(st.sampled_from([1, 3, 100])))
    assert same(loops.subsets(*asked), small_loops.subsets(*asked))
