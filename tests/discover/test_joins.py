"""What is screened many at once, against its definition, on random terms."""

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grundylab.discover.joins import KEPT, equations
from grundylab.discover.lifting import FEWEST, _determined
from grundylab.language.syntax import Expr, Name, compare


@dataclass
class Given:
    """Terms of which only values and sizes matter."""

    values: np.ndarray
    sizes: np.ndarray

    def expr(self, number: int) -> Expr:
        return Name(f"t{number}")


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(3, 90), st.sampled_from([2, 3, 50]))
def test_equations_are_all_pairs_that_are_equal_just_where_the_target_holds(seed, count, places, values):
    chance = np.random.default_rng(seed)
    terms = chance.integers(0, values, size=(count, places)).astype(np.int32)
    target = chance.random(places) < 0.2
    terms[:, target] = terms[chance.integers(0, 2, size=count)][:, target]
    sizes = chance.integers(1, 5, size=count)
    by_size = sorted(range(count), key=lambda i: (sizes[i], i))
    pairs = sorted(
        (sizes[i] + sizes[j], i, j)
        for number, i in enumerate(by_size)
        for j in by_size[number + 1 :]
        if 0 < target.sum() < places and ((terms[i] == terms[j]) == target).all()
    )
    found = equations(Given(terms, sizes), target)
    assert found == [compare("==", Name(f"t{i}"), Name(f"t{j}")) for _, i, j in pairs[:KEPT]]


@given(st.integers(0, 2**32 - 1), st.integers(1, 120), st.sampled_from([3, 10, 60]))
def test_a_row_is_determined_if_it_is_constant_wherever_the_cells_are_equal(seed, places, cells):
    chance = np.random.default_rng(seed)
    at = chance.integers(0, cells, size=places)
    rows = chance.integers(0, 3, size=(40, places))
    rows[::3] = chance.integers(0, 9, size=cells)[at]
    constant = [
        n for n, row in enumerate(rows) if all(len(set(row[at == cell])) == 1 for cell in set(at.tolist()))
    ]
    assert _determined(rows, at).tolist() == (constant if len(set(at.tolist())) >= FEWEST else [])
