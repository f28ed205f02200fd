"""An equation is left out as an identity only if it is one and both sides have values everywhere."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.prove.kernel.equal_formulas import is_identity


def polynomials(depth: int) -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["x", "y", "0", "1", "2", "3"])
    if depth == 0:
        return leaves
    part = polynomials(depth - 1)
    return (
        leaves | st.builds("({} {} {})".format, part, st.sampled_from("+-*"), part) | part.map("-{}".format)
    )


@examples(150)
@given(one=polynomials(3), other=polynomials(3), how=st.sampled_from(["other", "expanded", "swapped"]))
def test_it_is_one_exactly_if_the_sides_agree_on_a_grid_wider_than_their_degree(one, other, how):
    """Degrees are at most 8 in each name, so that nine values of each decide."""
    sides = {
        "other": (one, other),
        "expanded": (f"({one}) * ({other} + 1)", f"({one}) * ({other}) + {one}"),
        "swapped": (f"{one} + {other} * x", f"x * {other} + {one}"),
    }
    condition = parse_condition("{} == {}".format(*sides[how]))
    grid = product(range(18), repeat=2)  # a product of two of them has twice the degree
    same = all(evaluate(condition, {"x": x, "y": y}) for x, y in grid)
    event(f"{how}: {same}")
    assert is_identity(condition) == same


@pytest.mark.parametrize(
    "text", ["x // x == x // x", "x % y == x % y", "1 << x == 1 << x", "x <= x", "x == x and x < 0"]
)
def test_what_may_have_no_value_or_is_no_equation_is_none(text):
    assert not is_identity(parse_condition(text))
