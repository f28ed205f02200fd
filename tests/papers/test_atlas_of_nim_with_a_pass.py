"""Low and Chan, "An atlas of N- and P-positions in 'Nim with a pass'" (2015): its tables and lists."""

from itertools import takewhile

import pytest

# Table 1: the positions (m1, m2) of Nim* with 1 to 8 stones in heaps of 1 and 2, by the number of stones.
# The row "4  2  N  2  3  N" of 8 stones is printed one column to the left: its m1 stands under the total.
TABLE_1 = {
    1: [(1, 0, "N")],
    2: [(2, 0, "N"), (0, 1, "N")],
    3: [(3, 0, "P"), (1, 1, "P")],
    4: [(4, 0, "N"), (2, 1, "N"), (0, 2, "N")],
    5: [(5, 0, "P"), (3, 1, "N"), (1, 2, "N")],
    6: [(6, 0, "N"), (4, 1, "N"), (2, 2, "N"), (0, 3, "P")],
    7: [(7, 0, "P"), (5, 1, "N"), (3, 2, "P"), (1, 3, "N")],
    8: [(8, 0, "N"), (6, 1, "N"), (4, 2, "N"), (2, 3, "N"), (0, 4, "N")],
}
# Table 2: positions (m1, m2, m3) of Nim* with up to 12 stones in heaps of 1, 2 and 3, some 3 among them.
TABLE_2 = {
    3: [(0, 0, 1, "N")],
    4: [(1, 0, 1, "N")],
    5: [(0, 1, 1, "N")],
    6: [(1, 1, 1, "N")],
    7: [(2, 1, 1, "P"), (1, 0, 2, "P"), (0, 2, 1, "N")],
    8: [(1, 2, 1, "N"), (0, 1, 2, "N")],
    9: [(1, 1, 2, "N"), (0, 3, 1, "N"), (0, 0, 3, "N")],
    10: [(1, 3, 1, "N"), (1, 0, 3, "N"), (0, 2, 2, "N")],
    11: [(2, 3, 1, "P"), (1, 2, 2, "P"), (0, 4, 1, "N"), (0, 1, 3, "P")],
    12: [(1, 4, 1, "N"), (1, 1, 3, "N"), (0, 3, 2, "N")],
}
# The position that Table 2 prints although none of the cases (1) to (3) of its title is about it.
TABLE_2_EXTRA = {(0, 2, 2)}

# Section 4: the P-positions [s, m, n] with 2 <= s <= m <= n: single pairs (m, n), then the families
# (a*k + b, a*k + c) for k from a first value on.
LISTS = {
    2: ([(2, 2), (3, 5), (4, 7), (6, 8)], 4, [(1, 4), (2, 3)], 2),
    3: ([(6, 7), (8, 9)], 4, [(2, 4), (3, 5)], 2),
    4: ([(5, 8), (6, 9)], 8, [(2, 5), (3, 6), (4, 7), (8, 9)], 1),
    5: ([(7, 9), (10, 14), (11, 15), (12, 13), (16, 18), (17, 19)], 8, [(4, 5), (6, 9), (7, 10), (8, 11)], 2),
    6: ([(10, 15), (11, 16), (12, 14)], 8, [(5, 9), (10, 14), (11, 15), (12, 16)], 1),
    7: ([(10, 16), (11, 17), (12, 18), (13, 15), (14, 19)], 4, [(0, 2), (1, 3)], 5),
    8: (
        [(10, 17), (11, 18), (12, 16), (13, 19), (14, 20), (15, 21)],
        8,
        [(6, 10), (7, 11), (8, 12), (9, 13)],
        2,
    ),
    9: ([(11, 19), (13, 18), (14, 17)], 10, [(5, 10), (6, 11), (12, 17), (13, 18), (14, 19)], 1),
}
BOUND = 60


def rows(table):
    return [(stones, row[:-1], row[-1]) for stones, printed in table.items() for row in printed]


def stones_of(heaps):
    return sum(size * count for size, count in enumerate(heaps, start=1))


@pytest.mark.parametrize("table", [TABLE_1, TABLE_2])
def test_the_rows_of_the_tables_have_as_many_stones_as_they_stand_under(table):
    for stones, heaps, _ in rows(table):
        assert stones_of(heaps) == stones, heaps


@pytest.mark.parametrize(("name", "table"), [("heaps-1-2-pass", TABLE_1), ("heaps-1-2-3-pass", TABLE_2)])
def test_the_tables_are_the_outcomes_of_nim_with_a_pass(solved, name, table):
    true = solved(name, N=12)
    wrong = {
        heaps: outcome for _, heaps, outcome in rows(table) if (true[*heaps, 1] == 0) != (outcome == "P")
    }
    assert wrong == {}


def test_table_1_has_every_position_of_1_to_8_stones():
    every = {(m1, m2) for m1 in range(9) for m2 in range(5) if 1 <= m1 + 2 * m2 <= 8}
    assert {heaps for _, heaps, _ in rows(TABLE_1)} == every


def test_table_2_has_every_position_of_its_cases_with_a_heap_of_3():
    def case(m1, m2, m3):
        odd2, odd3 = m2 % 2, m3 % 2
        return (
            (odd2 == odd3 == 1 and m1 in (0, 2))
            or (odd2 == odd3 and m1 == 1)
            or (odd2 != odd3 and m1 in (0, 1))
        )

    space = [(m1, m2, m3) for m1 in range(3) for m2 in range(7) for m3 in range(1, 5)]
    cases = {heaps for heaps in space if stones_of(heaps) <= 12 and case(*heaps)}
    assert {heaps for _, heaps, _ in rows(TABLE_2)} == cases | TABLE_2_EXTRA


def printed_pairs(s):
    """The pairs (m, n) of the list for s with n up to BOUND."""
    single, period, families, first = LISTS[s]
    pairs = set(single)
    for low, high in families:
        family = ((period * k + low, period * k + high) for k in range(first, BOUND))
        pairs.update(takewhile(lambda pair: pair[1] <= BOUND, family))
    return pairs


@pytest.fixture(scope="session")
def three_heaps(solved):
    return solved("nim-with-a-pass", "outcome", N=BOUND)


@pytest.mark.parametrize("s", LISTS)
def test_the_list_of_p_positions_with_a_smallest_heap_of_s_is_complete_and_right(three_heaps, s):
    true = {(m, n) for m in range(s, BOUND + 1) for n in range(m, BOUND + 1) if three_heaps[s, m, n, 1] == 0}
    assert true == printed_pairs(s)


@pytest.mark.parametrize("s", LISTS)
def test_the_claim_of_a_list_is_the_list(load, value, s):
    claim = load("nim-with-a-pass").claim(f"list-{s}")
    every = [(m, n) for m in range(s, BOUND + 1) for n in range(m, BOUND + 1)]
    assert {
        (m, n) for m, n in every if value(str(claim.formula), load("nim-with-a-pass").functions, y=m, z=n)
    } == (printed_pairs(s))


def test_theorem_1_and_2_hold_to_the_bound_of_the_lists(load, counterexamples, solved, three_heaps):
    assert not counterexamples(three_heaps, load("nim-with-a-pass").claim("theorem-2"))
    assert not counterexamples(
        solved("nim-with-a-pass-2", N=BOUND), load("nim-with-a-pass-2").claim("theorem-1")
    )


def test_lemma_1_no_p_position_of_nim_is_one_with_the_pass_as_well(solved):
    values = solved("nim-with-a-pass", N=9).values
    both = (values[..., 0] == 0) & (values[..., 1] == 0)
    assert both.sum() == 1  # the terminal position, of no heap at all, is the only one
    assert both[0, 0, 0]


def test_the_converse_of_lemma_1_fails_at_heaps_of_1_and_3(solved):
    table = solved("nim-with-a-pass-2", N=BOUND)
    assert table[1, 2, 0] != 0
    assert table[1, 2, 1] == 0
    assert table[1, 3, 0] != 0
    assert table[1, 3, 1] != 0
