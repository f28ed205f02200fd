"""Functions of one number: what is looked up is what the plain reader says, and symmetry is never claimed falsely."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.discover.made import made

from grundylab.check.samples import Samples
from grundylab.discover import engine_named
from grundylab.discover.fingerprints import unseen, with_seen
from grundylab.discover.lifting import _equal, nim_sums
from grundylab.discover.sampling import draw
from grundylab.discover.scatter import scrambled
from grundylab.discover.sequences import MOST_ARGUMENTS, alike, sequences
from grundylab.discover.work import Work
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.language import plain

grid = partial(made, parameters=("m",), x=range(6), y=range(6), z=range(6), m=(2, 5))


def test_nim_sums_have_the_values_of_their_trees():
    samples = grid("x ^ y ^ z == m")
    for functions in sequences(samples, 900, Work(60.0)):
        sums = nim_sums(samples, functions, ("x", "y", "z"), 900, Work(60.0))
        assert len(sums.values) > 100
        for index in range(0, len(sums.values), 7):
            tree, row = sums.expr(index), draw(samples, 5)[index % 5]
            position = {name: int(samples.columns[name][row]) for name in samples.names}
            assert (
                plain.compile_plain(tree)(position)
                == sums.values[index, row]
                == sums.at_positions(samples)[index, row]
            )
            assert sums.sizes[index] == tree.size


@pytest.mark.parametrize(
    ("formula", "group"),
    [
        ("x ^ y ^ z == m", ("x", "y", "z")),
        ("x + y == 2 * z", ("x", "y")),
        ("x + m == y * z", ("y", "z")),
        ("x + 2 * y == 3 * z", ()),
    ],
)
def test_exchangeable_coordinates_are_those_that_leave_the_target_alone(formula, group):
    assert alike(grid(formula)) == group


@given(st.lists(st.integers(0, 2**40), unique=True, min_size=1))
@settings(max_examples=50, deadline=None)
def test_different_numbers_are_scrambled_differently_and_alone_as_together(numbers):
    together = scrambled(np.array(numbers))
    assert len(set(together.tolist())) == len(numbers)
    assert [int(scrambled(np.array([number]))[0]) for number in numbers] == together.tolist()


@pytest.mark.parametrize("greatest", [1, 200, 255, 256, 700, MOST_ARGUMENTS - 1, MOST_ARGUMENTS])
def test_functions_are_known_at_every_coordinate_or_there_are_none(greatest):
    columns = {"x": np.array([0, greatest]), "y": np.array([1, greatest // 2])}
    samples = Samples(("x", "y"), columns, np.array([True, False]))
    found = sequences(samples, 300, Work(1.0))
    assert all(functions.length > greatest for functions in found)
    assert bool(found) == (greatest < MOST_ARGUMENTS)


@pytest.mark.parametrize("engine", ["search", "tree"])
@pytest.mark.parametrize("places", [1, 2, 300])
def test_engines_bear_few_positions_and_large_ones(engine, places):
    numbers = np.arange(places, dtype=np.int64)
    rare = np.array([not n & 0x55 for n in range(places)])
    for values in (np.ones(places, dtype=bool), rare, numbers % 3):
        samples = Samples(("n",), {"n": numbers}, values)
        target = P_POSITIONS if values.dtype == bool else GRUNDY
        for formula in engine_named(engine)(samples, target, 0, 1.0).formulas:
            assert formula.kind is target.kind


SMALL = st.integers(0, 3)


@given(st.lists(st.tuples(*[SMALL] * 4), max_size=30), st.dictionaries(SMALL, SMALL))
def test_the_rows_that_have_the_wanted_values_are_found(rows, wanted):
    found = _equal(
        np.array(rows, dtype=int).reshape(-1, 4), np.array([*wanted], dtype=int), np.array([*wanted.values()])
    )
    assert list(found) == [
        n for n, row in enumerate(rows) if all(row[at] == value for at, value in wanted.items())
    ]


@given(st.lists(st.lists(st.integers(-9, 9), max_size=12), max_size=6))
def test_what_was_seen_before_is_known_however_often_it_comes(blocks):
    known, seen = np.empty(0, dtype=np.int64), set()
    for block in blocks:
        fresh = unseen(np.array(block, dtype=np.int64), known)
        assert list(fresh) == [
            n for n, value in enumerate(block) if value not in seen and value not in block[:n]
        ]
        known, seen = with_seen(known, np.array(block, dtype=np.int64)[fresh]), seen | set(block)
        assert list(known) == sorted(seen)
