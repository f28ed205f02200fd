"""Numeration systems and the square roots whose multiples automata compute in them."""

from math import isqrt

import pytest

from grundylab.automata.systems import BINARY, FIBONACCI, System
from grundylab.language.numeration import square_of_system, system_of_root


def is_square(number: int) -> bool:
    return isqrt(number) ** 2 == number


@pytest.mark.parametrize("t", range(1, 20))
def test_the_square_of_a_system__is_the_least_whose_root_fits_it(t):
    fits = (c for c in range(2, 1000) if is_square(c * (t * t + 4)) and not is_square(c))
    assert square_of_system(System((t, 1))) == next(fits)


def test_the_square_of_a_system__belongs_to_the_system_of_its_root():
    assert square_of_system(FIBONACCI) == 5
    assert system_of_root(5) == FIBONACCI
    assert square_of_system(BINARY) is None
    assert square_of_system(System((1, 1, 1))) is None
