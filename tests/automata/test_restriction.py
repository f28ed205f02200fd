"""A set with numbers on some of its tracks: the other tracks' tuples, and nothing else."""

from itertools import combinations, product

import pytest

from grundylab.automata.dfa import AutomataBudget
from grundylab.automata.systems import BINARY, System
from grundylab.language import parse
from grundylab.logic.reader import AutomataReader

CONDITIONS = ("a + 2*b < c", "a + b == c and a % 3 == 1", "a <= b or c > 5", "a == 4")


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(
    ("system", "numbers"),
    [("binary", range(-3, 7)), ("fib", range(8)), ("base 3", range(8)), ("2,1", range(8))],
)
def test_a_restriction_has_the_tuples_that_the_numbers_complete(condition, system, numbers):
    reader = AutomataReader(
        work=AutomataBudget(system=BINARY if system == "binary" else System.parse(system))
    )
    whole = reader.true(parse(condition))
    for count in range(4):
        for fixed in combinations("abc", count):
            for values in product(numbers, repeat=count):
                at = dict(zip(fixed, values, strict=True))
                found = whole.restriction(at)
                assert not {*found.tracks} & {*fixed}
                rest = [name for name in whole.tracks if name not in at]
                for others in product(numbers, repeat=len(rest)):
                    every = {**at, **dict(zip(rest, others, strict=True))}
                    assert found.contains(every) == whole.contains({"a": 0, "b": 0, "c": 0, **every})


def test_a_negative_number_is_in_no_set_outside_twos_complement():
    reader = AutomataReader(work=AutomataBudget(system=System.parse("fib")))
    assert reader.true(parse("a <= b")).restriction({"a": -1}).is_empty
