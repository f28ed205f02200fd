"""The engine ``periods``: formulas of periodic sequences and rows, and no formula if there is no period."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discover.games import ROWS_OF_PINS, WYTHOFF
from tests.discover.made import made
from tests.sizes import examples
from tests.solved import tables

from grundylab.check.samples import Samples
from grundylab.discover import discover
from grundylab.discover.base import Proposals
from grundylab.discover.engines.periods import beatty, propose
from grundylab.discover.patterns import equals_one_of, number_formula, residues, set_formula
from grundylab.discover.ranking import is_exact
from grundylab.discover.sample_quotients import quotients
from grundylab.games import parse_target
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Name
from grundylab.solve.periodicity import Period

X = Name("x")
FEW = examples(15)


@FEW
@given(
    st.integers(0, 5),
    st.lists(st.integers(0, 9), max_size=8),
    st.lists(st.integers(0, 9), min_size=1, max_size=9),
    st.integers(0, 20),
)
def test_an_arithmetic_periodic_sequence_is_its_formula(start, beginning, pattern, saltus):
    values = beginning + [value + saltus * k for k in range(6) for value in pattern]
    period = Period(len(beginning), len(pattern), saltus, 5 * len(pattern))
    formula = number_formula("x", start, values, period)
    assert [evaluate(formula, {"x": start + i}) for i in range(len(values))] == values


@given(
    st.integers(0, 5), st.lists(st.booleans(), max_size=8), st.lists(st.booleans(), min_size=1, max_size=9)
)
def test_an_eventually_periodic_set_is_its_formula(start, beginning, pattern):
    members = beginning + 6 * pattern
    formula = set_formula("x", start, members, Period(len(beginning), len(pattern), 0, 5 * len(pattern)))
    assert [evaluate(formula, {"x": start + i}) for i in range(len(members))] == members


@given(st.integers(1, 24).flatmap(lambda p: st.tuples(st.just(p), st.sets(st.integers(0, p - 1)))))
def test_remainders_and_numbers_are_those_asked_for(case):
    modulus, rest = case
    wanted = sorted(rest)
    condition = residues(X, modulus, wanted)
    assert [x for x in range(modulus, 2 * modulus) if evaluate(condition, {"x": x})] == [
        r + modulus for r in wanted
    ]
    assert [x for x in range(30) if evaluate(equals_one_of(X, wanted), {"x": x})] == wanted


def test_kayles_has_the_period_12_and_its_14_exceptions():
    best = discover(tables(ROWS_OF_PINS, "grundy", N=100), GRUNDY, "periods")[0]
    places = (0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70)
    exceptions = dict(zip(places, (0, 3, 3, 4, 6, 7, 3, 4, 6, 5, 6, 3, 4, 6), strict=True))
    pattern = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]  # Guy & Smith 1956, Table of .77
    for x in range(300):
        assert evaluate(best.formula, {"x": x}) == exceptions.get(x, pattern[x % 12])


@pytest.mark.parametrize("target", ["grundy", "grundy == 1"])
def test_a_sequence_without_a_period__has_no_formula(target):
    assert discover(tables(WYTHOFF, target, N=30), parse_target(target), "periods") == []


def test_a_sequence_that_depends_on_a_parameter__has_no_formula():
    columns = {"x": np.arange(20) % 10, "m": np.arange(20) // 10}

    def told(values, rows=slice(None)):
        there = {name: column[rows] for name, column in columns.items()}
        return propose(Samples(("x", "m"), there, values[rows], ("m",)), P_POSITIONS, 0, 5.0)

    matters = columns["x"] % (columns["m"] + 2) == 0
    assert told(matters) == Proposals(notes=("a sequence belongs to one game, and m varies",))
    alone = [str(formula) for formula in told(matters, slice(10)).formulas]
    assert alone == [str(formula) for formula in told(columns["x"] % 2 == 0).formulas] == ["x % 2 == 0"]


@pytest.mark.parametrize("s", [2**0.5, (1 + 5**0.5) / 2, (3**0.5 + 1) / 2, 3 + 7**0.5, (5**0.5 - 1) / 2])
def test_multiples_of_a_quadratic_irrational_are_found_again(s):
    values = [int(n * s) for n in range(400)]
    formula = beatty(X, np.array(values[:60]))
    assert [evaluate(formula, {"x": n}) for n in range(400)] == values


@given(st.integers(8, 40), st.randoms(use_true_random=False))
def test_a_sequence_of_other_steps_has_no_such_formula(length, random):
    values = np.cumsum([0, 1, 4, *(random.choice([1, 4]) for _ in range(length - 3))])
    assert beatty(X, values) is None  # neighbouring steps of one are never three apart


@given(st.sampled_from(["x ^ y", "x + y", "abs(x - y)", "min(x, y)", "max(x, y)"]), st.integers(2, 5))
def test_names_are_put_together_where_the_target_is_a_function_of_that(term, modulus):
    samples = made(f"{term} == 0 or ({term}) % {modulus} == 1", x=range(16), y=range(16))
    assert any(is_exact(formula, samples) for formula in propose(samples, P_POSITIONS, 0, 5.0).formulas)


@FEW
@given(st.integers(0, 2**32 - 1))
def test_a_quotient_has_every_number_of_the_samples_and_the_same_values(seed):
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, 12, 300) for name in ("x", "y", "z")}
    values = (columns["x"] ^ columns["y"]) % 3 == rng.integers(0, 2)
    samples = Samples(("x", "y", "z"), columns, values)
    for quotient in quotients(samples):
        new = quotient.samples
        values_of = {}
        for row in range(len(new)):
            values_of[tuple(int(new.columns[name][row]) for name in new.names)] = bool(new.values[row])
        read = [evaluate_arrays(quotient.restored(Name(name)), columns) for name in new.names]
        assert [values_of[tuple(map(int, key))] for key in zip(*read, strict=True)] == values.tolist()


def test_members_that_no_period_explains_are_no_formula():
    members = np.zeros(100, dtype=bool)
    members[[0, 1, 3, 7, 15, 31, 63]] = True  # only the gaps grow
    samples = Samples(("x",), {"x": np.arange(100)}, members)
    assert propose(samples, P_POSITIONS, 0, 5.0).formulas == ()
