"""The tables of plainer forms: every row keeps the value wherever its condition is true."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples
from tests.strategies import formulas

from grundylab.errors import EvaluationError
from grundylab.language import NO_FUNCTIONS, parse
from grundylab.language.intervals import Bounder, Interval
from grundylab.language.plain import evaluate
from grundylab.language.plainer_forms import LARGEST, PLAINER, SIMPLER, other_forms
from grundylab.language.substitution import lower
from grundylab.language.syntax import Compare, distinct_parts, negate

FAR = 2 * LARGEST  # as good as no bound
LOWS, WIDTHS = [-FAR, *range(-3, 5), 7, 8], [0, 0, 1, 1, 3, FAR]
TRIALS, PLACES = 1500, 12
ROWS = [
    (row, opposite)
    for row in SIMPLER + PLAINER
    for opposite in [False, True][: 1 + isinstance(parse(row[0]), Compare)]
]


def drawn_interval(chance) -> Interval:
    low = chance.choice(LOWS)
    return Interval(low, low + chance.choice(WIDTHS if low > -FAR else [FAR, 2 * FAR]))


def drawn_number(chance, ends) -> int:
    near = max(ends.low, min(ends.high, chance.randint(-8, 20)))
    return chance.choice([ends.low, near, near, chance.randint(ends.low, ends.high)])


def value(formula, at):
    try:
        return evaluate(formula, at)
    except EvaluationError:
        return None


@pytest.mark.parametrize(("row", "opposite"), ROWS, ids=str)
def test_the_plainer_form_has_the_same_value_where_the_condition_is_true(row, opposite):
    pattern, applied, chance = parse(row[0]), 0, random.Random(row[0])
    if opposite:
        pattern = negate(pattern)
    for _ in range(TRIALS):
        known = {name: drawn_interval(chance) for name in sorted(pattern.free)}
        forms = list(other_forms(pattern, lambda part, known=known: known.get(str(part)), (row,)))
        applied += bool(forms)
        for _ in range(PLACES if forms else 0):
            at = {name: drawn_number(chance, ends) for name, ends in known.items()}
            wanted = value(pattern, at)
            assert all(value(form, at) == wanted for form in forms) or wanted is None, (at, forms)
    assert applied, "the row applies nowhere"


@examples(100)
@given(formulas(("a", "b", "c"), 2, calls=False), st.integers(0, 1 << 32))
def test_parts_of_random_formulas_have_the_same_value_in_plainer_forms(formula, seed):
    chance = random.Random(seed)
    known = {name: drawn_interval(chance) for name in "abc"}

    def ends(part):
        return Bounder(known, NO_FUNCTIONS).known(lower(part))

    for part in (part for part in distinct_parts(formula) if part.free <= known.keys()):
        for form in other_forms(part, ends, SIMPLER + PLAINER):
            for _ in range(PLACES):
                at = {name: drawn_number(chance, ends) for name, ends in known.items()}
                assert value(part, at) in (None, value(form, at)), (str(part), str(form), at)


def test_operands_are_exchanged_and_one_pair_of_several_is_rewritten():
    def bit_or_natural(part):
        return Interval(0, 1) if str(part) == "p" else Interval(0, FAR) if part.free else Interval(1, 1)

    assert "x ^ (1 - p)" in set(map(str, other_forms(parse("1 ^ x ^ p"), bit_or_natural, PLAINER)))
