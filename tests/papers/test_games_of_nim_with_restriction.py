"""Takahashi, Manabe, Mizugaki and Miyadera, "Games of Nim with restriction": its examples and sets."""

import pytest

# Example 23: (x, y) that are no P-positions, and the P-position that a move leads to, where it is named.
EXAMPLE_23 = [
    ((8, 9), (8, 3)),
    ((12, 8), None),
    ((14, 3), None),
    ((18, 5), (4, 5)),
    ((16, 2), None),
    ((14, 7), None),
    ((13, 8), (12, 1)),
    ((9, 9), None),
    ((15, 3), None),
    ((12, 7), (0, 7)),
    ((17, 2), None),
    ((15, 5), None),
    ((3, 6), (2, 6)),
    ((7, 12), None),
]
# f(1), f(2), … of the turn limits of Figures 11 and 15 to 20.
TURN_LIMITS = {
    "power-3-2": [1, 2, 5, 8, 11, 14, 18, 22, 27, 31],
    "square": [1, 4, 9, 16, 25, 36, 49, 64, 81, 100],
    "log2": [1, 2, 2, 3, 3, 3, 3, 4, 4, 4],
    "log10": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
    "fibonacci": [1, 2, 3, 5, 8, 13, 21, 34, 55, 89],
    "tribonacci": [1, 1, 2, 4, 7, 13, 24, 44, 81, 149],
}


@pytest.fixture(scope="session")
def stones(solved):
    """The game of Definition 17 to the size of the paper's program."""
    return solved("two-stones-ceil", a=1, b=2, N=30)


def p_positions(table):
    (slab,) = table.slabs(cells=table.instance.cells)
    rows = zip(*slab.coordinates, slab.values, strict=True)
    return {tuple(map(int, position)) for *position, value in rows if value == 0}


def test_example_13_moves_from_15_stones_to_8_up_to_14_and_from_11_to_7_and_from_6_to_3(options, solved):
    assert options("max-nim-floor", (15,), N=15) == {(x,) for x in range(8, 15)}
    assert (7,) in options("max-nim-floor", (11,), N=15)
    assert (3,) in options("max-nim-floor", (6,), N=15)
    assert p_positions(solved("max-nim-floor", N=15)) == {(0,), (1,), (3,), (7,), (15,)}


@pytest.mark.parametrize(("position", "reply"), EXAMPLE_23)
def test_example_23_names_n_positions_and_the_p_positions_they_reach(stones, options, position, reply):
    assert stones[position] != 0
    reached = options("two-stones-ceil", position, a=1, b=2, N=30)
    assert any(stones[option] == 0 for option in reached)
    if reply is not None:
        assert stones[reply] == 0
        assert reply in reached


def test_definition_20_is_the_set_of_p_positions_of_two_kinds_of_stones(stones):
    printed = {(2 * i - 2, 2**n - i) for n in range(7) for i in range(1, 2**n + 1)}
    assert p_positions(stones) == {(x, y) for x, y in printed if x <= 30 and y <= 30}


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_definition_29_is_the_set_of_p_positions_of_the_turn_limit_m_k(solved, m):
    """To the size of Figure 11: up to 30 stones in turns 1 to 15."""
    table = solved("turn-limit-linear", m=m, N=30, K=15)
    true = {(n, k) for n, k in p_positions(table) if k <= 15}
    printed = {
        (j * (m * j + m * (k - 1) + 1) + i, k)
        for k in range(1, 16)
        for j in range(31)
        for i in range(m * j + 1)
    }
    assert true == {(n, k) for n, k in printed if n <= 30}


@pytest.mark.parametrize(("name", "limits"), TURN_LIMITS.items())
def test_the_turn_limits_are_the_functions_under_the_figures(load, value, name, limits):
    functions = load(f"turn-limit-{name}").functions
    assert [value("f(k)", functions, k=k) for k in range(1, 11)] == limits


def test_the_decimal_logarithm_steps_at_powers_of_ten(load, value):
    functions = load("turn-limit-log10").functions
    assert [value("f(k)", functions, k=k) for k in (9, 10, 99, 100, 999, 1000)] == [1, 2, 2, 3, 3, 4]


@pytest.mark.parametrize("name", ["linear", *TURN_LIMITS])
def test_no_stones_are_a_p_position_in_every_turn_and_one_stone_in_none(solved, name):
    parameters = {"m": 1} if name == "linear" else {}
    table = solved(f"turn-limit-{name}", N=12, K=8, **parameters)
    assert {table[0, k] for k in range(1, 9)} == {0}
    assert 0 not in {table[1, k] for k in range(1, 9)}
