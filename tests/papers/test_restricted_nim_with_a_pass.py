"""Miyadera and Manabe, "Restricted Nim with a pass" (2023): what is printed there against the solver."""

from dataclasses import replace

import pytest

from grundylab.formula.syntax import TRUE

# Figure 1: the Grundy numbers of (t, p), a row for each p and a column for each t = 0, …, 25.
FIGURE_1 = {
    0: "0 1 0 2 1 3 0 4 2 5 1 6 3 7 0 8 4 9 2 10 5 11 1 12 6 13",
    1: "0 2 1 0 2 4 1 3 0 6 2 5 4 8 1 7 3 10 0 9 6 12 2 11 5 14",
}
# Lemma 4: Grundy numbers of three piles (s, t, u, p).
LEMMA_4 = {
    1: [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 1, 0), (1, 1, 0, 1), (0, 1, 1, 1), (1, 0, 1, 1)],
    0: [(1, 1, 0, 0), (0, 1, 1, 0), (1, 0, 1, 0), (1, 1, 1, 1)],
    2: [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)],
}


@pytest.mark.parametrize("p", FIGURE_1)
def test_figure_1_is_the_grundy_numbers_of_one_pile_with_a_pass(solved, p):
    table = solved("max-nim-ceil-pass", N=25)
    assert [table[t, p] for t in range(26)] == [int(entry) for entry in FIGURE_1[p].split()]


@pytest.mark.parametrize(("grundy", "positions"), LEMMA_4.items())
def test_lemma_4_is_the_grundy_numbers_of_three_small_piles(solved, grundy, positions):
    table = solved("max-nim-ceil-3-pass", N=1)
    assert {table[position] for position in positions} == {grundy}


@pytest.mark.parametrize("n", range(2, 20))
def test_lemma_3_says_where_the_pass_sends_the_first_grundy_numbers(load, value, n):
    functions = load("max-nim-ceil-pass").functions
    image = {value("S(v)", functions, v=v) for v in range(n + 1)}
    assert image == ({*range(n), n + 1} if n % 2 else {*range(n + 1)})


def test_the_rounded_down_game_is_the_rounded_up_one_with_a_stone_more(solved):
    """Section 2.1: floor((x + 1)/2) is ceil(x/2)."""
    down, up = solved("max-nim-floor", N=61), solved("max-nim-ceil", N=60)
    assert (down.values[1:] == up.values).all()


@pytest.mark.parametrize("m", [1, 2, 3, 5, 6, 7])
def test_conjecture_1_is_false_where_m_is_no_multiple_of_4(load, solved, counterexamples, m):
    """Its formula is claimed for multiples of 4 only, and nothing simple is expected for other m."""
    ruleset = load("nim-with-a-pass-from-m")
    claim = ruleset.claim("conjecture-1")
    assert counterexamples(solved(ruleset.name, N=9, m=m), replace(claim, where=TRUE))


def test_with_m_1_the_pass_is_that_of_nim_with_a_pass(solved):
    from_one, usual = solved("nim-with-a-pass-from-m", N=9, m=1), solved("nim-with-a-pass", N=9)
    assert (from_one.values == usual.values).all()
