"""Automata are learnt from tables: known cells keep their values, and automata that keep growing are not proposed."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.discover.games import (
    PASS,
    PASS_FROM_M,
    SUBTRACTION,
    piles,
)
from tests.discover.made import made
from tests.random_games import instances
from tests.sizes import examples
from tests.solved import tables
from tests.strategies import automata

from grundylab.automata.digits import DigitAutomaton
from grundylab.check.samples import collect
from grundylab.discover import EngineQuestion, Proposals, Samples, discover, engine_findings
from grundylab.discover.engines.automata import Learning, learn_from_boxes, propose
from grundylab.discover.losing_heaps import losing_heap_systems
from grundylab.discover.ranking import is_exact
from grundylab.discover.residuals import UNKNOWN, learn
from grundylab.findings.digit_words import digits_in_words
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.language.syntax import Accepts, free_names
from grundylab.solve import solve

P = parse_target("p")
MANY = 10_000
FEW = examples(15)


def table_of(automaton: DigitAutomaton, size: int) -> np.ndarray:
    """Return the table that says which tuples of numbers below ``size`` the automaton accepts."""
    columns = np.meshgrid(*[range(size)] * automaton.arity, indexing="ij")
    return automaton.contains_each(columns).astype(np.int8)


# -- learning from one table ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("arity", "most"), [(1, 5), (2, 3), (3, 2)])
@FEW
@given(data=st.data())
def test_an_automaton_is_learnt_back_from_a_table_of_twice_as_many_digits_as_it_has_states(arity, most, data):
    """Fewer digits than states lead to each state, and fewer digits than states tell two states apart."""
    automaton = data.draw(automata(arity, most))
    assert learn(table_of(automaton, 4 ** len(automaton.rows)), MANY) == automaton


@st.composite
def partial_tables(draw: st.DrawFn) -> np.ndarray:
    """Draw tables, random or of an automaton, in which a share of the cells is unknown."""
    shape = tuple(draw(st.lists(st.integers(1, 9), min_size=1, max_size=3)))
    if draw(st.booleans()):
        table = table_of(draw(automata(len(shape))), max(shape))[tuple(map(slice, shape))].copy()
    else:
        cells = st.lists(st.sampled_from([0, 1]), min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))
        table = np.array(draw(cells), dtype=np.int8).reshape(shape)
    share = draw(st.sampled_from([0, 0, 0.2, 0.7]))
    table[np.random.default_rng(draw(st.integers(0, 99))).random(shape) < share] = UNKNOWN
    return table


@given(partial_tables())
def test_a_learnt_automaton__says_what_the_table_says(table):
    known = table != UNKNOWN
    said = learn(table, MANY).contains_each(np.indices(table.shape))
    assert np.array_equal(said[known], table[known] == 1)


def test_cells_that_are_no_positions_do_not_matter():
    """All cells with y <= x <= y + 1 are in the set, and no other cells are positions."""
    x, y = np.indices((32, 32))
    table = np.where((x == y) | (x == y + 1), 1, UNKNOWN).astype(np.int8)
    assert str(learn(table, MANY)) == "+0,0,0,0"


def test_more_states_than_asked_for_are_refused():
    squares = np.array([int(n**0.5) ** 2 == n for n in range(1000)], dtype=np.int8)
    assert learn(squares, 20) is None


# -- the engine ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["isqrt(x) * isqrt(x) == x", "x * y % 7 == isqrt(x + y)"])
def test_a_condition_that_no_automaton_can_tell__is_not_proposed_and_that_is_said(condition):
    samples = made(condition, x=range(200), y=range(20))
    told = propose(samples, P, 0, 10.0)
    assert told.formulas == ()
    (note,) = told.notes
    assert note.startswith("does not look automatic, the automaton keeps growing")


def test_the_growth_is_said_of_what_is_proposed_too():
    assert propose(made("x == y", x=range(17), y=range(17)), P, 0, 10.0).notes == (
        "looks automatic: 2, 2, 2 states (x <= 4, y <= 4; x <= 8, y <= 8; x <= 16, y <= 16)",
    )


def test_the_automaton_of_a_half_that_is_wrong_in_the_whole_is_owned_up_to():
    one, other = (DigitAutomaton.parse(text) for text in ("+0,", "+0,0"))
    learning = Learning(("x",), [(4,), (8,)], [one, one], [3, 0])
    assert str(learning) == (
        "it may be automatic: 2, 2 states (x <= 4; x <= 8), but the last but one is wrong at 3 of the positions"
    )
    assert Learning(("x",), [(4,), (8,)], [other, one], [3, 0]).accepted is None
    assert Learning(("x",), [(8,)], [one], [0]).accepted is None
    assert str(Learning(("x",), [(8,)], [one], [0])).startswith("the table is too small")
    assert str(Learning(("x",), [(4,), (8,)], [one, None], [3, 9], True)).startswith(
        "not enough time to tell"
    )


def test_an_automaton_that_still_grows_a_little__is_asked_for_in_its_system_first():
    samples = collect(tables("wythoff-ends", "p", l=2, N=48), P)
    told = propose(samples, P, 0, 30.0)
    assert told.further is not None
    (note,) = told.further(samples, P, 0, 30.0).notes
    assert note.startswith(
        "in Fibonacci (Zeckendorf) digits it may be automatic"
    )  # and nothing of binary digits
    assert propose(made("x == y", x=range(17), y=range(17)), P, 0, 10.0).further is None


def test_a_name_that_never_varies_or_does_not_matter_is_not_read():
    samples = made("x ^ y == a", x=range(33), y=range(33), z=range(3), a=range(3, 4))
    (formula,) = propose(samples, P, 0, 10.0).formulas
    assert free_names(formula) == {"x", "y"}


def test_a_name_that_is_decided_by_the_others_is_read_unless_they_say_more():
    """Here z is x + y, so no two positions differ in z alone; it must not be dropped for having no effect."""
    x, y = (axis.reshape(-1) for axis in np.indices((33, 33)))
    samples = Samples(("x", "y", "z"), {"x": x, "y": y, "z": x + y}, x == y)
    learning = learn_from_boxes(samples)
    assert learning.names == ("x", "y", "z")


@pytest.mark.parametrize(
    ("target", "lowest", "values", "reason"),
    [
        ("grundy", 0, "x % 3", "an automaton describes a condition, but the target is a number"),
        ("p", 0, "x >= 0", "the target is the same at all positions"),
        ("p", -1, "x == 3", "x is negative at some positions, but automata read digits without a sign"),
        ("p", 49, "x == 3", "no coordinate and no parameter varies"),
    ],
)
def test_the_reason_why_nothing_is_proposed__is_said(target, lowest, values, reason):
    told = propose(made(values, x=range(lowest, 50)), parse_target(target), 0, 10.0)
    assert told == Proposals(notes=(reason,))


# -- games ---------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("last", "states"), [(4, 91), (5, 114)])
def test_larger_tables_are_asked_for_until_it_has_all_its_states(last, states):
    learnt = tables("wythoff-ends", "p", l=last, N=96)
    (found,) = engine_findings(learnt, EngineQuestion(P), ["automata"])
    (candidate,) = found.candidates
    assert isinstance(candidate.formula, Accepts)
    assert (candidate.exact, candidate.formula.automaton.states) == (True, states)


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        (SUBTRACTION, {"N": 60, "m": range(1, 9)}),
        (PASS_FROM_M, {"N": 12, "m": range(1, 9)}),
        (piles(3, PASS), {"N": 16}),
    ],
    ids=["taking at most m", "a pass from m", "a pass"],
)
def test_a_game_without_an_automaton_has_no_candidate(game, sizes):
    assert discover(tables(game, "p", **sizes), P, "automata") == []


@FEW
@given(instances())
def test_a_proposal_about_a_random_game__is_right_where_it_was_learnt(instance):
    training = solve(instance, "outcome", "reference")
    assume(training.positions)
    found = discover([training], P, "automata")
    assert all(candidate.exact for candidate in found)


@pytest.mark.parametrize("times", [2, 3, 5])
def test_a_game_whose_limit_depends_on_the_last_take_has_digits_of_its_own(times):
    """Schwenk, Take-away games, 1970: it is lost to move if the limit is less than the smallest part of the heap."""
    game = parse_ruleset(f"""title: t
position: {{n: 0..N, q: 0..{times}*N}}
moves: [{{for: {{t: "1..min(n, q)"}}, to: {{n: n - t, q: {times}*t}}}}]
measure: n
""")
    learnt, larger = (
        collect([solve(make_instance(game, {}, {"N": size}), "outcome")], P) for size in (80, 200)
    )
    (formula,) = propose(learnt, P, 0, 6.0).formulas
    assert isinstance(formula, Accepts)
    assert digits_in_words(formula)
    assert is_exact(formula, larger)


def test_heaps_that_are_no_sums_of_earlier_ones_give_no_system():
    heaps, limits = (grid.reshape(-1) for grid in np.indices((120, 120)))
    for losing in ([1, 3, 9, 27, 81], [1, 2, 4, 7, 11, 16, 22, 29, 37, 46], range(2, 100)):
        lost = np.isin(heaps, list(losing)) & (limits < heaps)
        samples = Samples(("n", "q"), {"n": heaps, "q": limits}, lost)
        assert [*losing_heap_systems(samples)] == []
