"""Automata over binary digits: equal sets have equal automata, membership by definition, and clear refusals."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import HUGE, LARGE, SMALL, automata, closed_under_zeros

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.language import parse
from grundylab.language.plain import evaluate

any_automaton = st.integers(1, 3).flatmap(automata)
natural = st.integers(0, 70)

KNOWN = [
    ("+0,,,0", "x == y"),
    ("+0,,,0,,0,0,", "x ^ y ^ z == 0"),
    ("-0,1 +1,", "is_power_of_two(x)"),
    ("+0,1 -1,0", "sum(x >> k & 1 for k in range(0, 10)) % 2 == 0"),
    ("-0,1,0,0 +1,1,0,1", "x < y"),
    ("+0,,,1 -1,,,0", "x == y and sum(x >> k & 1 for k in range(0, 10)) % 2 == 0"),
    ("-,", "False"),
    ("+0,0,0,0", "True"),
]


def word_of(numbers, places):
    """Return the symbols of the numbers' digits, low places first, by the definition."""
    return [sum((n >> p & 1) << (len(numbers) - 1 - i) for i, n in enumerate(numbers)) for p in range(places)]


def reads(automaton, word):
    state = 0
    for symbol in word:
        state = DEAD if state == DEAD else automaton.rows[state][symbol]
    return state != DEAD and automaton.accepting[state]


@pytest.mark.parametrize(("text", "condition"), KNOWN)
def test_automata_of_known_sets(text, condition):
    automaton, formula = DigitAutomaton.parse(text), parse(condition)
    for numbers in product(range(0, 40, 3), range(9), range(9)):
        names = dict(zip("xyz", numbers, strict=True))
        assert (numbers[: automaton.arity] in automaton) == evaluate(formula, names)


@given(any_automaton, st.data())
def test_a_tuple_is_in_the_set_if_its_digits_and_any_zeros_after_them_lead_to_an_accepting_state(
    automaton, data
):
    numbers = data.draw(st.tuples(*[natural] * automaton.arity))
    least = max(numbers).bit_length()
    for places in range(least, least + 4):
        assert (numbers in automaton) == reads(automaton, word_of(numbers, places))


@given(any_automaton, st.data())
def test_many_tuples_at_once_are_those_one_by_one(automaton, data):
    kind = data.draw(st.sampled_from([SMALL, SMALL | LARGE, SMALL | HUGE]))
    rows = data.draw(st.lists(st.tuples(*[kind] * automaton.arity), max_size=8))
    fits = all(-(2**63) <= n < 2**63 for row in rows for n in row)
    columns = [
        np.array([row[i] for row in rows], np.int64 if fits else object) for i in range(automaton.arity)
    ]
    assert automaton.contains_each(columns).tolist() == [row in automaton for row in rows]


def test_no_tuple_with_a_negative_number_is_in_a_set():
    everything = DigitAutomaton.parse("+0,0,0,0")
    assert (0, 0) in everything
    assert (-1, 0) not in everything
    assert everything.contains_each([np.array([0, -1]), np.array([0, 0])]).tolist() == [True, False]


@given(any_automaton)
def test_the_text_reads_back_to_the_same_automaton(automaton):
    assert DigitAutomaton.parse(str(automaton)) == automaton


@given(any_automaton, st.data())
def test_equal_sets_have_equal_automata(automaton, data):
    """Renumber states, duplicate them, and add unreachable ones: the normal form stays the same."""
    count = len(automaton.rows)
    copies = 2 * count + 1  # state s of the copy c is c * count + s; the last one cannot be reached
    rows = [
        tuple(
            DEAD if target == DEAD else target + count * data.draw(st.integers(0, 1))
            for target in automaton.rows[state % count]
        )
        for state in range(2 * count)
    ]
    rows.append((copies - 1,) * len(rows[0]))
    accepting = [*automaton.accepting, *automaton.accepting, data.draw(st.booleans())]
    order = [0, *data.draw(st.permutations(range(1, copies)))]
    place = {old: new for new, old in enumerate(order)} | {DEAD: DEAD}
    shuffled = [tuple(place[target] for target in rows[old]) for old in order]
    assert DigitAutomaton(tuple(shuffled), tuple(accepting[old] for old in order)) == automaton


@given(any_automaton, any_automaton)
def test_different_automata_of_as_many_numbers_are_different_sets(one, other):
    """Different automata of n and m states differ at some numbers of fewer than n + m digits."""
    if one.arity != other.arity or one.arity > 2:
        return
    digits = one.states + other.states - 1 if one.arity == 1 else min(one.states + other.states - 1, 6)
    if one.arity == 2 and digits < one.states + other.states - 1:
        return
    numbers = product(range(1 << digits), repeat=one.arity)
    assert (one == other) == all((n in one) == (n in other) for n in numbers)


@given(any_automaton)
def test_no_two_states_accept_the_same_and_from_each_something_is_accepted(automaton):
    def accepted(state, length):
        """Return, as a tree, the words of at most ``length`` symbols that a state accepts."""
        if state == DEAD:
            return frozenset()
        here = {()} if automaton.accepting[state] else set()
        if length == 0:
            return frozenset(here)
        following = [accepted(target, length - 1) for target in automaton.rows[state]]
        return frozenset(here | {(symbol, words) for symbol, words in enumerate(following) if words})

    each = [accepted(state, automaton.states) for state in range(len(automaton.rows))]
    assert len(set(each)) == len(each)
    assert all(each) or len(each) == 1


def test_states_are_counted_with_the_one_that_accepts_nothing():
    assert [DigitAutomaton.parse(text).states for text in ("+0,,,0", "+0,0", "-,", "-0,1 +1,1")] == [
        2,
        1,
        2,
        2,
    ]


def test_piles_may_be_what_an_automaton_reads():
    assert parse('accepts("+0,,,0,,0,0,", x, ...)', ("x", "y", "z")) == parse(
        'accepts("+0,,,0,,0,0,", x, y, z)'
    )


def test_an_automaton_in_other_words_is_the_same_formula():
    assert str(parse('accepts("+1,,,2 +2,,,1 +1,,,0", x, y + 0)')) == 'accepts("+0,,,0", x, y + 0)'


def test_closed_under_zeros_is_what_automata_need():
    assert closed_under_zeros([(1, 0), (0, 1)], [True, False]) == (True, True)
    assert closed_under_zeros([(DEAD, 0)], [True]) == (False,)
