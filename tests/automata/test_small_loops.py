"""The plain Python loops give the same results as the compiled ones, down to the number of each state."""

from itertools import product

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


@given(st.integers(60, 200), st.integers(0, 2**32 - 1))
def test_sets_of_many_states_are_the_same(states, seed):
    """Sets of more than 64 states take several words; more than 64 sets take longer tables."""
    draw = np.random.default_rng(seed)
    asked = draw.integers(0, states, (2, states, 2), dtype=np.int32), draw.random((states, 2)) < 0.1, 300
    assert same(loops.subsets(*asked), small_loops.subsets(*asked))


@given(st.data())
def test_a_set_of_states_leads_to_the_states_that_its_members_lead_to(data):
    """After each word, the set is that of all states in which a run may be (the definition)."""
    after, sign = data.draw(tables(2))
    other = np.array(data.draw(st.permutations(range(len(after)))), np.int32)[after]
    rows, signs = loops.subsets(np.stack([after, other]), sign, 100)
    for word in product(range(2), repeat=4):
        state, runs = 0, {0}
        for letter in word:
            state, runs = rows[state, letter], {int(to[run, letter]) for to in (after, other) for run in runs}
        assert signs[state].tolist() == [any(sign[run, letter] for run in runs) for letter in range(2)]
