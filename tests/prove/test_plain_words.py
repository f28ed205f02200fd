"""Formulas in the words of engines are proved in plain ones, which are equal at every position."""

import pytest

import grundylab as gl
from grundylab.games.position_bounds import bounds_within, space_condition

FLAGSHIP = "nim-with-a-pass-from-m"
MULTIPLES = "m % 4 == 0 or m % 4 == 3"
SUMS = "x ^ y ^ z == (p if x + (x ^ y) + y >= m else 0)"
LARGEST = "x ^ y ^ z == (p if 2 * max(max(x, y), x ^ y) >= m else 0)"


@pytest.mark.parametrize(
    ("formula", "plain", "exactly"),
    [
        # each is an answer of PySR, or says the same in other words of its operators
        ("x ^ y ^ z == (p if x + (x ^ y) + y >= m else 0)", SUMS, MULTIPLES),
        ("x ^ y ^ z == (p if (x + (x ^ y) + y) // m > 0 else 0)", SUMS, MULTIPLES),
        ("x ^ y ^ z == (1 if p * (x + (x ^ y) + y) >= m else 0)", SUMS, MULTIPLES),
        (
            "x ^ y ^ z == (1 if 2 * max(max(x, y), x ^ y) * p >= m else 0)",
            LARGEST,
            "popcount(m + 1) < 3 if m % 4 == 3 else popcount(m) < 3 and m % 4 == 0",
        ),
    ],
)
def test_a_formula_of_pysr_is_proved_for_exactly_its_parameters(formula, plain, exactly):
    proof = gl.prove(gl.load(FLAGSHIP), formula)
    assert (proof.status, str(proof.formula), str(proof.condition)) == ("proved", plain, exactly)


def test_what_is_not_understood_in_plain_words_either_is_undecided_as_it_was_given():
    proof = gl.prove(gl.load(FLAGSHIP), "x ^ y ^ z == (p * p * x // (y + 1) if x * y >= m else 0)")
    assert proof.status in ("undecided", "refuted")
    assert str(proof.formula) == "x ^ y ^ z == (p * p * x // (y + 1) if x * y >= m else 0)"


def test_the_ranges_of_a_game_are_those_of_its_rules_and_not_of_a_table():
    game = gl.load(FLAGSHIP)
    bounds = bounds_within(space_condition(game), game.formula_names)
    assert (bounds["p"].low, bounds["p"].high, bounds["x"].low, bounds["m"].low) == (0, 1, 0, 1)
    assert min(bounds["x"].high, bounds["m"].high) > 10**1000
