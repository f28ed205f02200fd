"""The progression reader, compared with the plain reader term by term."""

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.strategies import FUNCTIONS, NAMES, PARAMETER, formulas

from grundylab.errors import EvaluationError
from grundylab.language import Kind, parse
from grundylab.language.plain import compile_plain
from grundylab.language.progression import NotLinear, Progression, condition_reader, number_reader

STEPS = st.sampled_from([0, 0, 1, 2, 3, 4, 8, 12, 16, 60, 64, -8])


@given(
    formulas(),
    st.fixed_dictionaries(dict.fromkeys(NAMES, st.builds(Progression, st.integers(-6, 40), STEPS, STEPS))),
    st.integers(0, 6),
)
def test_what_it_says_of_all_terms_is_true_of_each(formula, values, m):
    values = {**values, PARAMETER: Progression(m)}
    along = condition_reader if formula.kind is Kind.CONDITION else number_reader
    try:
        found = along(formula, FUNCTIONS)(values)
    except (NotLinear, EvaluationError):
        assume(False)
    value = compile_plain(formula, FUNCTIONS)
    for k, other in product(range(8), repeat=2):
        term = found.at(k, other) if isinstance(found, Progression) else found
        assert term == value({name: progression.at(k, other) for name, progression in values.items()})


@pytest.mark.parametrize(
    ("text", "start", "step", "wanted"),
    [
        ("x % 12", 71, 12, (11, 0)),
        ("x // 4", 7, 12, (1, 3)),
        ("x ^ 5", 16, 8, (21, 8)),
        ("x ^ (x + 1)", 2, 4, (1, 0)),
        ("3 & x", 9, 4, (1, 0)),
        ("x | 2", 8, 4, (10, 4)),
        ("x << 2", 1, 3, (4, 12)),
        ("x >> 1", 5, 4, (2, 2)),
        ("min(4, x)", 4, 1, (4, 0)),
        ("max(x, 2 * x - 9)", 9, 5, (9, 10)),
        ("abs(3 - x)", 3, 2, (0, 2)),
        ("ceil((x + 1)/2)", 4, 2, (3, 1)),
        ("x - 1 if x % 4 == 0 else x + 1", 4, 4, (3, 4)),
        ("sum(n for n in range(x, x + 3))", 5, 2, (18, 6)),
    ],
)
def test_values_are_found(text, start, step, wanted):
    assert number_reader(parse(text))({"x": Progression(start, step)}) == Progression(*wanted)


@pytest.mark.parametrize(
    ("text", "start", "step"),
    [
        ("x % 5", 0, 12),
        ("x * x", 0, 1),
        ("min(4, x)", 3, 1),
        ("1 if x == 9 else 0", 0, 3),
        ("x ^ (x + 1)", 0, 1),
        ("isqrt(x)", 0, 1),
    ],
)
def test_what_is_no_progression_is_refused(text, start, step):
    with pytest.raises(NotLinear):
        number_reader(parse(text))({"x": Progression(start, step)})


def test_a_condition_true_once_only_is_neither_true_nor_false():
    x = {"x": Progression(71, 12)}
    assert condition_reader(parse("x >= 71 and x % 12 == 11"))(x)
    assert not condition_reader(parse("x == 70 or x % 3 == 0"))(x)
    with pytest.raises(NotLinear):
        condition_reader(parse("x == 83"))(x)


def test_two_progressions_at_once():
    place = {"y": Progression(18, 160), "z": Progression(18 + 9, 160, 1)}
    assert not condition_reader(parse("z == y + 5 and y % 160 == 18 or z == y + 7"))(place)
    assert condition_reader(parse("y <= z and z - y >= 9"))(place)
    with pytest.raises(NotLinear):
        condition_reader(parse("z == y + 12"))(place)
    with pytest.raises(NotLinear):
        condition_reader(parse("z <= 400"))(place)
