"""Manabe, Miyadera and Suetsugu, "Chocolate games with a pass": what is printed there against the solver."""

import pytest

from grundylab.formula import parse_condition

# Table 1: Grundy numbers of two-dimensional bars, a row for each y and a column for each z = 0, …, 15; '.'
# where nothing is printed because y is too high for every h with the NS property.
TABLE_1 = """
    0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
    .  .  3  2  5  4  7  6  9  8 11 10 13 12 15 14
    .  .  .  .  6  7  4  5 10 11  8  9 14 15 13 12
    .  .  .  .  7  6  5  4 11 10  9  8 15 14 13 12
    .  .  .  .  .  .  .  . 12 13 14 15  8  9 10 11
    .  .  .  .  .  .  .  . 13 12 15 14  9  8 11 10
    .  .  .  .  .  .  .  . 14 15 12 13 10 11  8  9
    .  .  .  .  .  .  .  . 15 14 13 12 11 10  9  8
"""
# (y, z): (printed, true). Two entries of row 2 have changed places.
TABLE_1_MISPRINTS = {(2, 14): (13, 12), (2, 15): (12, 13)}

# Table 2: G_P(x, y), the Grundy numbers of two piles with the pass still available, for x, y = 0, …, 12.
TABLE_2 = """
     0  2  1  4  3  6  5  8  7 10  9 12 11
     2  1  0  3  4  5  6  7  8  9 10 11 12
     1  0  2  5  7  3  8  4  6 12 11 10  9
     4  3  5  1  0  2  7  6  9  8 12 13 10
     3  4  7  0  1  8  9  2  5  6 13 14 15
     6  5  3  2  8  1  0  9  4  7 14 15 13
     5  6  8  7  9  0  1  3  2  4 15 16 14
     8  7  4  6  2  9  3  1  0  5 16 17 18
     7  8  6  9  5  4  2  0  1  3 17 18 16
    10  9 12  8  6  7  4  5  3  1  0 19  2
     9 10 11 12 13 14 15 16 17  0  1  2  3
    12 11 10 13 14 15 16 17 18 19  2  1  0
    11 12  9 10 15 13 14 18 16  2  3  0  1
"""
TABLE_2_MISPRINTS: dict[tuple[int, int], tuple[int, int]] = {}

# Lemma 5: the two-dimensional bars (y, z) of each Grundy number, as far as y <= h(z).
LEMMA_5 = {
    0: [(0, 0)],
    1: [(0, 1)],
    2: [(0, 2), (1, 3)],
    3: [(0, 3), (1, 2)],
    4: [(0, 4), (1, 5), (2, 6), (3, 7)],
    5: [(0, 5), (1, 4), (2, 7), (3, 6)],
    6: [(0, 6), (1, 7), (2, 4), (3, 5)],
    7: [(0, 7), (1, 6), (2, 5), (3, 4)],
    8: [(0, 8), (1, 9), (2, 10), (3, 11), (4, 12), (5, 13), (6, 14), (7, 15)],
}

# Corollary 4: the positions (x, y, z) of the sets C1 and C2, with the pass still available. In the text of C1
# a page break repeats the part from (4, 1, 6) to (6, 0, 8).
C1 = [
    (0, 0, 1), (1, 0, 0), (2, 0, 2), (2, 1, 3), (3, 0, 5), (3, 1, 4), (3, 2, 7), (3, 3, 6), (4, 0, 7),
    (4, 1, 6), (4, 2, 5), (4, 3, 4), (5, 0, 3), (5, 1, 2), (6, 0, 8), (6, 1, 9), (6, 2, 10), (6, 3, 11),
    (6, 4, 12), (6, 5, 13), (6, 6, 14), (6, 7, 15), (7, 0, 4), (7, 1, 5), (7, 2, 6), (7, 3, 7), (8, 0, 6),
    (8, 1, 7), (8, 2, 4), (8, 3, 5),
]  # fmt: skip
C2 = [
    (1, 0, 4), (1, 1, 5), (1, 2, 6), (1, 3, 7), (2, 0, 3), (2, 1, 2), (3, 0, 2), (3, 1, 3), (4, 0, 1),
    (5, 0, 8), (5, 1, 9), (5, 2, 10), (5, 3, 11), (5, 4, 12), (5, 5, 13), (5, 6, 14), (5, 7, 15),
    (6, 0, 7), (6, 1, 6), (6, 2, 5), (6, 3, 4), (7, 0, 6), (7, 1, 7), (7, 2, 4), (7, 3, 5), (8, 0, 5),
    (8, 1, 4), (8, 2, 7), (8, 3, 6),
]  # fmt: skip
BARS = [("chocolate-log", {}), *(("chocolate-half", {"k": k}) for k in (1, 2, 3))]


def entries(table):
    """((row, column), number or None where nothing is printed) of a printed table."""
    for row, line in enumerate(table.strip().splitlines()):
        for column, entry in enumerate(line.split()):
            yield (row, column), None if entry == "." else int(entry)


@pytest.fixture(scope="session")
def flat(solved):
    """``flat(bar, parameters)``: (y, z) → Grundy number of the two-dimensional bars, z up to 15."""

    def grundy_numbers(bar, parameters):
        table = solved(bar, N=15, **parameters)
        (slab,) = table.slabs(cells=table.instance.cells)
        rows = zip(*slab.coordinates, slab.values, strict=True)
        return {(int(y), int(z)): int(value) for x, y, z, value in rows if x == 0}

    return grundy_numbers


@pytest.mark.parametrize(("bar", "parameters"), BARS)
def test_table_1_is_the_grundy_numbers_of_flat_bars_but_for_its_misprints(flat, bar, parameters):
    true = flat(bar, parameters)
    printed = dict(entries(TABLE_1))
    expected = {yz: value for yz, value in true.items() if yz not in TABLE_1_MISPRINTS}
    assert expected == {yz: printed[yz] for yz in expected}
    for yz, (misprint, value) in TABLE_1_MISPRINTS.items():
        assert printed[yz] == misprint != value
        assert true.get(yz, value) == value


def test_table_1_is_blank_just_where_a_bar_is_too_high_for_its_width(flat):
    bars = flat("chocolate-log", {})  # its h is the greatest of all with the NS property (Lemma 3)
    assert {yz for yz, value in entries(TABLE_1) if value is not None} == {*bars}


def test_table_2_is_the_grundy_numbers_of_two_piles_with_a_pass_but_for_its_misprints(solved):
    table = solved("nim-with-a-pass-2", N=12)
    wrong = {(x, y): (value, table[x, y, 1]) for (x, y), value in entries(TABLE_2) if value != table[x, y, 1]}
    assert wrong == TABLE_2_MISPRINTS


@pytest.mark.parametrize(("bar", "parameters"), BARS)
def test_lemma_5_lists_the_flat_bars_of_each_small_grundy_number(flat, bar, parameters):
    bars = flat(bar, parameters)
    for value, listed in LEMMA_5.items():
        assert {yz for yz in bars if bars[yz] == value} == {*listed} & {*bars}


@pytest.mark.parametrize(("bar", "parameters"), BARS)
def test_corollary_4_lists_are_those_its_claim_stands_for(solved, load, value, bar, parameters):
    table = solved(f"{bar}-pass", N=15, **parameters)
    functions = load(f"{bar}-pass").functions
    (slab,) = table.slabs(cells=table.instance.cells)
    available = [(int(x), int(y), int(z)) for x, y, z, p in zip(*slab.coordinates, strict=True) if p == 1]
    for name, listed in (("c1", C1), ("c2", C2)):
        meant = {
            (x, y, z) for x, y, z in available if y ^ z == value(f"{name}(x)", functions, x=x, **parameters)
        }
        assert meant == {*listed} & {*available}


@pytest.mark.parametrize(("bar", "parameters"), BARS)
def test_corollary_4_has_grundy_number_2_on_its_first_list_and_not_on_its_second(solved, bar, parameters):
    table = solved(f"{bar}-pass", N=15, **parameters)
    (slab,) = table.slabs(cells=table.instance.cells)
    positions = {tuple(map(int, position)) for position in zip(*slab.coordinates, strict=True)}
    assert {table[x, y, z, 1] for x, y, z in C1 if (x, y, z, 1) in positions} == {2}
    assert 2 not in {table[x, y, z, 1] for x, y, z in C2 if (x, y, z, 1) in positions}


@pytest.mark.parametrize(("bar", "parameters"), BARS)
def test_corollary_4_b_holds_once_its_second_case_says_x_plus_3(
    solved, load, counterexamples, bar, parameters
):
    ruleset = load(f"{bar}-pass")
    table = solved(ruleset.name, N=15, **parameters)
    claim = ruleset.claim("corollary-4-b")
    printed = "x % 4 == 1 and (x + 1) ^ y ^ z == 0"
    assert printed in str(claim.formula)
    mended = parse_condition(str(claim.formula).replace(printed, "x % 4 == 1 and (x + 3) ^ y ^ z == 0"))
    assert counterexamples(table, claim)
    assert not counterexamples(table, claim, mended)


def test_example_2_cuts_the_bar_to_7_3_4(options):
    assert (7, 3, 4) in options("chocolate-third", (7, 6, 13), N=13)


@pytest.mark.parametrize("cut", [(3, 3, 7), (5, 2, 7), (5, 2, 5)])
def test_example_3_makes_each_of_its_three_cuts(options, cut):
    assert cut in options("chocolate-half", (5, 3, 7), N=7, k=1)
