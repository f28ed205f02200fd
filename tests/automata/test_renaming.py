"""Renamed tracks keep their numbers, also where the alphabetical order of the tracks changes by a cycle."""

from itertools import permutations

import pytest

from grundylab.language import parse
from grundylab.logic.reader import AutomataReader

TRACKS = ("a", "b", "c", "d")


@pytest.mark.parametrize("order", list(permutations(TRACKS)))
def test_a_renamed_automaton_reads_each_number_on_its_new_track(order: tuple[str, ...]) -> None:
    found = AutomataReader().true(parse("a + 2 * b < c and d % 3 == 1"))
    new = dict(zip(TRACKS, (f"{name}{place}" for place, name in enumerate(order)), strict=True))
    values = {"a": 3, "b": 5, "c": 14, "d": 7}
    assert found.contains(values)
    assert found.renamed(new).contains({new[name]: value for name, value in values.items()})
    turned = found.renamed(dict(zip(TRACKS, order, strict=True)))
    for numbers in permutations(values.values()):
        old = dict(zip(TRACKS, numbers, strict=True))
        assert turned.contains(dict(zip(order, numbers, strict=True))) == found.contains(old)
