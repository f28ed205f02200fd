"""A number is written out as a sum of monomials, the same one for two numbers only if they are always equal."""

from __future__ import annotations

from itertools import product

from hypothesis import event, given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.prove.core.facts import written_out


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
    left, right = (written_out(side) for side in condition.terms)
    assert (left == right) == same
    assert all(
        evaluate(left, {"x": x, "y": y}) == evaluate(condition.terms[0], {"x": x, "y": y})
        for x, y in product(range(3), repeat=2)
    )
