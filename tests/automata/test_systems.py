"""Numeration systems: digits of numbers, and addition as automata, compared with integer arithmetic."""

import random
from math import isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grundylab.automata.beatty import RootMultiple, _is_right, beatty_automaton, root_multiple
from grundylab.automata.dfa import AutomataBudget, Dfa, TooLarge, constant_dfa, projection, valid_words
from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.sums import linear_in_recurrence
from grundylab.automata.systems import BINARY, FIBONACCI, MAX_DIGIT, TRIBONACCI, System, aligned_digits
from grundylab.errors import FormulaError
from grundylab.logic.atoms import digit_automaton_dfa

BASES = [System.of_base(3), System.of_base(5), System.of_base(10)]
SYSTEMS = [FIBONACCI, System((2, 1)), System((3, 1)), TRIBONACCI, System((2, 2)), System((3, 2, 1)), *BASES]
systems = st.sampled_from(SYSTEMS)
each_system = pytest.mark.parametrize("system", SYSTEMS, ids=str)


def greedy(system, number):
    """Return the number's digits by the definition, with the places' values from the recurrence."""
    first, factors = [1], system.recurrence
    while first[-1] <= number:
        back = reversed(first[-len(factors) :])
        first.append(sum(f * v for f, v in zip(factors, back, strict=False)) + (len(first) < len(factors)))
    found = []
    for value in reversed(first):
        found.append(number // value)
        number %= value
    return found[::-1]


def without_zeros(digits):
    while digits and digits[-1] == 0:
        digits = digits[:-1]
    return digits


def test_known_places():
    assert FIBONACCI.first(7) == [1, 2, 3, 5, 8, 13, 21]
    assert TRIBONACCI.first(6) == [1, 2, 4, 7, 13, 24]
    assert System((2, 1)).first(5) == [1, 3, 7, 17, 41]
    assert System((3, 1)).first(5) == [1, 4, 13, 43, 142]
    assert System.of_base(3).first(5) == [1, 3, 9, 27, 81]
    assert FIBONACCI.digits(12) == [1, 0, 1, 0, 1]  # 8 + 3 + 1


@given(st.sampled_from([BINARY, *SYSTEMS]), st.integers(0, 10**30))
def test_a_number_has_its_digits_back(system, number):
    digits = system.digits(number)
    assert system.number(digits) == number
    assert without_zeros(digits) == digits
    if system != BINARY:
        assert digits == without_zeros(greedy(system, number))


def test_digits_are_written_the_highest_first():
    assert FIBONACCI.written(12) == "10101"
    assert FIBONACCI.written(0) == "0"
    assert BINARY.written(6) == "110"
    assert System((2, 1)).written(6) == "20"
    assert System((11, 1)).written(34) == "2 10"  # 2 * 12 + 10
    assert System.of_base(3).written(34) == "1021"
    assert System.of_base(16).written(255) == "15 15"


def is_valid(system, word):
    state = 0
    for digit in word:
        state = system.valid[state][digit]
        if state < 0:
            return False
    return True


@each_system
def test_the_valid_words_are_the_digits_of_the_numbers_with_zeros_above(system):
    places = 4 if system.base > 2 else 8
    words = [
        word
        for number in range(system.base**places)
        if is_valid(system, word := base_word(system, number, places))
    ]
    assert len(words) == system.first(places + 1)[places]
    assert sorted(map(system.number, words)) == list(range(len(words)))
    assert all(without_zeros(word) == system.digits(system.number(word)) for word in words)


def base_word(system, number, places):
    return [number // system.base**place % system.base for place in range(places)]


@each_system
def test_automata_say_that_every_number_has_one_word(system):
    """Prove by induction that every number has exactly one word, of any length.

    Equal values have equal words, 0 has a word, and each word of a number is followed by one of the next number.
    """
    work = AutomataBudget(system=system)
    same = linear_in_recurrence({"x": 1, "y": -1}, 0, "==", work)
    base = system.base
    letters = [a + b * base for a, b in ((a, a) for a in range(base))]
    sign = np.zeros((2, base**2), dtype=bool)
    sign[0, 0] = True
    after = np.full((2, base**2), 1, dtype=np.int32)
    after[0, letters] = 0
    equal_words = Dfa(("x", "y"), after, sign, work)
    assert (same ^ equal_words).is_empty
    assert linear_in_recurrence({"y": 1, "x": -1}, -1, "==", work).without("y").is_full
    assert linear_in_recurrence({"x": 1}, 0, "==", work).contains({"x": 0})


@pytest.mark.parametrize("t", [1, 2, 3, 5])
def test_the_automaton_of_a_beatty_sequence_is_that_of_the_integer_parts(t):
    pairs, luck, d = beatty_automaton(System((t, 1))), random.Random(t), t * t + 4
    for n in [*range(30), *(luck.randrange(10 ** luck.randrange(1, 40)) for _ in range(60))]:
        value = ((2 - t) * n + isqrt(d * n * n)) // 2
        assert (n, value) in pairs
        assert (n, value + luck.choice([-3, -2, -1, 1, 2, 3])) not in pairs


@pytest.mark.parametrize("t", [1, 2])
def test_another_relation_is_not_taken_for_a_beatty_sequence(t):
    """Change each transition in turn: every changed relation is rejected."""
    work = AutomataBudget(system=System((t, 1)))
    pairs = digit_automaton_dfa(["n", "a"], beatty_automaton(work.system), work)
    assert _is_right(pairs, t, work)
    assert not _is_right(pairs, t + 1, work)
    for state in range(pairs.states):
        for letter in range(0, pairs.next.shape[1], 2):
            after = pairs.next.copy()
            after[state, letter] = (after[state, letter] + 1) % pairs.states
            changed = Dfa(pairs.tracks, after, pairs.sign, work)
            assert (changed ^ pairs).is_empty or not _is_right(changed, t, work)


def test_what_root_is_read_in_which_system():
    assert root_multiple(5, FIBONACCI) == RootMultiple(2, -1)
    assert root_multiple(20, FIBONACCI) == RootMultiple(4, -2)
    assert root_multiple(2, System((2, 1))) == RootMultiple(1, 0)
    assert root_multiple(13, System((3, 1))) == RootMultiple(2, 1)
    assert root_multiple(5, System((4, 1))) == RootMultiple(1, 1)
    for system in (BINARY, TRIBONACCI, System((2, 2)), System((2, 1)), System((11, 1))):  # 125 = 11*11 + 4
        assert root_multiple(5, system) is None


@each_system
def test_less_is_that_there_is_a_difference(system):
    work = AutomataBudget(system=system)
    less = linear_in_recurrence({"x": 1, "y": -1}, 1, "<=", work)
    difference = linear_in_recurrence({"x": 1, "z": 1, "y": -1}, 1, "==", work).without("z")
    assert (less ^ difference).is_empty
    assert not less.is_full


FORMS = [
    ({"x": 1, "y": 1, "z": -1}, 0),
    ({"x": 1, "u": -1, "y": -1, "z": 1}, 0),
    ({"x": 2, "y": -3}, 5),
    ({"x": 1, "y": 1}, -30),
    ({"x": -2, "y": -1}, 17),
    ({"x": 1}, 0),
    ({"x": 1, "y": -1}, 1),
    ({"x": 3}, -14),
]


@each_system
@pytest.mark.parametrize("relation", ["==", "<="])
def test_sums_are_those_of_integers(system, relation):
    work, luck = AutomataBudget(system=system), random.Random(f"{system} {relation}")
    forms = FORMS if len(system.recurrence) == 2 else FORMS[2:]
    for factors, offset in forms:
        automaton, seen = linear_in_recurrence(factors, offset, relation, work), set()
        for _ in range(150):
            top = luck.choice([4, 30, 1000, 10**9, 10**25])
            numbers = {name: luck.randrange(top) for name in factors}
            name = luck.choice(list(factors))
            rest = offset + sum(factor * numbers[other] for other, factor in factors.items() if other != name)
            numbers[name] = max(
                0, -rest // factors[name] + luck.choice([-1, 0, 0, 1])
            )  # next to where it is 0
            value = offset + sum(factor * numbers[name] for name, factor in factors.items())
            right = value == 0 if relation == "==" else value <= 0
            seen.add(right)
            assert automaton.contains(numbers) == right, (factors, offset, numbers)
        assert True in seen or automaton.is_empty


@each_system
def test_what_is_said_of_no_number_s_digits_makes_no_difference(system):
    work = AutomataBudget(system=system)
    number = valid_words("x", work)
    assert number.is_full
    assert (~number).is_empty
    assert (~number).example() is None
    assert (~number).without("x").is_empty
    assert projection(["x"], [~number], work).is_empty
    assert constant_dfa(True, work).is_full
    small = linear_in_recurrence({"x": 1}, -3, "<=", work)
    assert [n for n in range(12) if small.contains({"x": n})] == [0, 1, 2, 3]
    assert [n for n in range(12) if (~small).contains({"x": n})] == list(range(4, 12))
    assert (~small).example()["x"] > 3
    assert not small.contains({"x": -1})


@each_system
def test_a_number_may_have_more_digits_than_those_it_is_found_for(system):
    work = AutomataBudget(system=system)
    more = linear_in_recurrence({"x": 5, "y": -1}, 7, "==", work)  # y is 5 x + 7
    assert more.without("y").is_full
    some_x = more.without("x")
    assert [n for n in range(40) if some_x.contains({"y": n})] == list(range(7, 40, 5))


@st.composite
def of_system(draw):
    system, arity = draw(st.sampled_from(SYSTEMS[:4])), draw(st.integers(1, 2))
    count = draw(st.integers(1, 3))
    target = st.integers(-1, count - 1)
    rows = [list(draw(st.tuples(*[target] * system.base**arity))) for _ in range(count)]
    accepting = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    for state in range(count):  # zeros stay, so that they make no difference
        rows[state][0] = state
    return DigitAutomaton(tuple(map(tuple, rows)), tuple(accepting), system)


@given(of_system(), st.data())
def test_automata_read_the_digits_of_their_system(automaton, data):
    assert DigitAutomaton.parse(str(automaton)) == automaton
    numbers = data.draw(
        st.lists(st.tuples(*[st.integers(-1, 10**12)] * automaton.arity), min_size=1, max_size=5)
    )
    for row in numbers:
        state = 0 if min(row) >= 0 else -1
        for digits in aligned_digits(automaton.system, map(abs, row)):
            symbol = int("".join(map(str, digits)), automaton.system.base)
            state = -1 if state < 0 else automaton.rows[state][symbol]
        assert (row in automaton) == (state >= 0 and automaton.accepting[state])
    columns = [np.array(column) for column in zip(*numbers, strict=True)]
    assert automaton.contains_each(columns).tolist() == [row in automaton for row in numbers]
    huge = [column.astype(object) * 10**20 for column in columns]
    big = [tuple(n * 10**20 for n in row) for row in numbers]
    assert automaton.contains_each(huge).tolist() == [row in automaton for row in big]


@pytest.mark.parametrize(
    "text",
    [
        "fibo",
        "2",
        "1,2",
        "0,0",
        "2,0",
        f"{MAX_DIGIT + 1},1",
        "1,1,1,1,1,1,1",
        "",
        "-1,1",
        "1;1",
        "١,١",
        "base",
        "base 03",
        "base ٣",
    ],
)
def test_what_is_no_system_is_refused(text):
    with pytest.raises(FormulaError, match="fib, trib, base 3"):
        DigitAutomaton.parse(f"{text}: +0,0")


@pytest.mark.parametrize("base", [1, 37, 99])
def test_a_base_is_from_2_to_36(base):
    with pytest.raises(FormulaError, match=f"base {base} .*from 2 to 36"):
        System.parse(f"base {base}")


def test_a_sequence_that_begins_with_other_numbers_gives_digits_and_no_sums():
    system = System.parse("1,2,3,4,6; 1,0,0,1")
    assert str(system) == "1,2,3,4,6;1,0,0,1"
    assert system.first(10) == [1, 2, 3, 4, 6, 8, 11, 15, 21, 29]
    for number in range(500):
        rest, greedy_digits = number, []
        for value in reversed(system.places(number)):
            greedy_digits.insert(0, int(value <= rest))
            rest -= value * (value <= rest)
        assert rest == 0
        assert system.digits(number) == greedy_digits
    with pytest.raises(TooLarge, match="adds"):
        AutomataBudget(system=system)


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3;1,0,0,1", "2,3,4,5;1,0,1", "1,2,2,3;1,0,1", "1,2,5,6;1,0,1", "1,2,3,4;1,1,1", "1,2,3;2,1", "1,2,3;0,1,1",
        "1,2,3;1,0,1,0", ";1,1", "1,2;", "1,2;1", "1,2,x;1,1", ",".join(map(str, range(1, 26))) + ";1,1",
    ],
)  # fmt: skip
def test_other_sequences_are_refused(text):
    with pytest.raises(FormulaError, match="not a numeration system"):
        System.parse(text)


def test_a_system_has_one_name():
    assert str(DigitAutomaton.parse("1,1: -0,1 +1,1")).startswith("fib: ")
    assert str(DigitAutomaton.parse("base  3: +0,0,")) == "base 3: +0,0,"
    assert str(DigitAutomaton.parse("base 2: -0,1 +1,")) == "-0,1 +1,"
    assert System.parse("2, 1") == System.parse("2,1") == System((2, 1))


def test_an_automaton_that_gets_too_large_is_refused():
    rows = " ".join(
        f"+{state},{','.join(str((7 * state + k) % 900) for k in range(1, 256))}" for state in range(900)
    )
    with pytest.raises(FormulaError, match="10,000 states"):
        DigitAutomaton.parse(f"trib: {rows}")
