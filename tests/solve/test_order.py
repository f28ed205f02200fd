"""The order of play that is read from a ruleset's text; what compiled kernels call."""

import math

from hypothesis import given
from hypothesis import strategies as st

from grundylab.games import parse_ruleset
from grundylab.solve import runtime
from grundylab.solve.codegen import order_of_play


@given(root=st.integers(0, math.isqrt(2**63 - 1)), more=st.integers(-1, 1), n=st.integers(0, 2**63 - 1))
def test_the_compiled_square_root_is_exact_up_to_64_bits(root, more, n):
    for value in (n, min(max(root * root + more, 0), 2**63 - 1)):
        assert runtime.BUILT_IN["isqrt"](value) == math.isqrt(value)


@given(
    first=st.integers(-20, 20),
    last=st.integers(-20, 20),
    factor=st.integers(-5, 5),
    room=st.integers(-60, 60),
)
def test_a_range_is_cut_to_the_values_with_small_multiples(first, last, factor, room):
    low, high = runtime.at_most(first, last, factor, room)
    assert list(range(low, high + 1)) == [n for n in range(first, last + 1) if factor * n <= room]


def order(position, *moves):
    names = position.split(", ")
    ranges = ", ".join(name if ":" in name else f"{name}: 0..N" for name in names)
    text = f"title: t\nposition: {{{ranges}}}\nmoves:\n" + "".join(f"  - {move}\n" for move in moves)
    return order_of_play(parse_ruleset(text, "t"))


def test_the_coordinates_own_order_is_kept_where_it_is_one_of_play():
    assert order("x, y", "{take: t, from: x}", '{for: {w: 0..y-1}, to: {y: w, x: "min(x, w)"}}') == (0, 1)


def test_what_a_move_raises_comes_after_what_it_lowers():
    assert order(
        "x, y, z", "{take: t, from: x}", "{to: {y: y - 1, x: x + 1}}", "{to: {z: z - 1, y: y + 1}}"
    ) == (
        2,
        1,
        0,
    )


def test_a_short_coordinate_is_not_the_innermost_loop():
    moves = ("{take: t, from: x}", "{to: {y: y - 1, x: x + 1}}", "{take: t, from: q}")
    assert order("x, y, q: 0..1", *moves) == (2, 1, 0)
