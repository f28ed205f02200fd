"""Decisions by automata under hypotheses: what they say is what the definition of the conditions says."""

from itertools import product

import pytest

from grundylab.automata.dfa import intersection
from grundylab.errors import GrundylabError
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.prove.core.closing import Decisions

SMALL = range(6)
CONDITIONS = (
    "x + y < 2*z",
    "x ^ y == z",
    "1 << floor_log2(y) > x",  # without a value where y == 0
    "x % 3 == y and z > y",
    "any(2*y == x for y in range(0, z))",  # its own y is another
)


@pytest.mark.parametrize("known", ["y == 0", "y == 3", "y == 2 and x == 1", "y == 1 and y == 2"])
@pytest.mark.parametrize("hypothesis", CONDITIONS)
@pytest.mark.parametrize("goal", [*CONDITIONS, "y != 0", "3 != x"])  # false where a number is known
def test_a_decision_under_known_numbers__fails_where_the_goal_is_not_true(
    known: str, hypothesis: str, goal: str
) -> None:
    first, second, said = map(parse_condition, (known, hypothesis, goal))
    decisions = Decisions([first, second, said])
    parts = [decisions.failing(given, said) for given in ([first], [first, second])]
    alone, both = (intersection(each, decisions.work) for each in parts)
    for numbers in product(SMALL, repeat=3):
        values = dict(zip("xyz", numbers, strict=True))
        wrong = is_true(known, values) and not is_true(goal, values)
        assert alone.contains(values) == wrong
        assert both.contains(values) == (wrong and is_true(hypothesis, values, without=True))


def is_true(condition: str, values: dict[str, int], without: bool = False) -> bool:
    """Tell whether the condition is true of the values; ``without`` if it has no value."""
    try:
        return bool(evaluate(parse_condition(condition), values))
    except GrundylabError:
        return without
