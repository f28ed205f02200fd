"""Takahashi, Manabe, Mizugaki and Miyadera, "Games of Nim with restriction": how each claim comes out."""

import pytest

PAPER = "games-of-nim-with-restriction"

# How small the tables are, where not as usual: Example 32 starts at 15 stones for m = 1, and ends at 32.
TABLES = {"turn-limit-linear": {"N": 40, "K": 8}}

# Place, ruleset, claim, and how it comes out on small tables: that it holds, or the smallest counterexample.
TABLE = [
    ("Example 6, Figure 1", "nim-2", "example-6-figure-1", "holds"),
    ("Example 6, Figure 2", "nim-2", "example-6-figure-2", "holds"),
    ("Example 6, Figure 3", "nim-2", "example-6-figure-3", "holds"),
    ("Lemma 7 (i)", "nim-2", "lemma-7-i", "holds"),
    ("Lemma 7 (ii)", "nim-2", "lemma-7-ii", "holds"),
    ("Theorem 8, P-positions", "nim-2", "theorem-8", "holds"),
    ("Theorem 8, N-positions", "nim-2", "theorem-8-n", "holds"),
    ("Example 10", "max-nim-floor", "example-10", "holds"),
    ("Example 13 (i), 15 is in P", "max-nim-floor", "example-13-i-p", "holds"),
    ("Example 13 (i), half of 15", "max-nim-floor", "example-13-i-half", "holds"),
    ("Example 13 (i), seven", "max-nim-floor", "example-13-i-seven", "holds"),
    ("Example 13 (i), or fewer", "max-nim-floor", "example-13-i-fewer", "holds"),
    ("Example 13 (i), the options", "max-nim-floor", "example-13-i-options", "holds"),
    ("Example 13 (i), no option in P", "max-nim-floor", "example-13-i-not-p", "holds"),
    ("Example 13 (ii), 11 is not in P", "max-nim-floor", "example-13-ii-not-p", "holds"),
    ("Example 13 (ii), half of 11", "max-nim-floor", "example-13-ii-half", "holds"),
    ("Example 13 (ii), five", "max-nim-floor", "example-13-ii-five", "holds"),
    ("Example 13 (ii), or fewer", "max-nim-floor", "example-13-ii-fewer", "holds"),
    ("Example 13 (ii), from 11", "max-nim-floor", "example-13-ii-11", "holds"),
    ("Example 13 (ii), from 6", "max-nim-floor", "example-13-ii-6", "holds"),
    ("Lemma 14 (i)", "max-nim-floor", "lemma-14-i", "holds"),
    ("Lemma 14 (ii)", "max-nim-floor", "lemma-14-ii", "holds"),
    ("Theorem 15, P-positions", "max-nim-floor", "theorem-15", "holds"),
    ("Theorem 15, N-positions", "max-nim-floor", "theorem-15-n", "holds"),
    ("Definition 16, hence", "two-stones-floor", "definition-16", "holds"),
    ("Remark 21", "two-stones-ceil", "remark-21", "holds"),
    ("Lemma 22", "two-stones-ceil", "lemma-22", "holds"),
    ("Example 23 (a), not in P", "two-stones-ceil", "example-23-a-not-p", "holds"),
    ("Example 23 (a), limit", "two-stones-ceil", "example-23-a-limit", "holds"),
    ("Example 23 (a), move", "two-stones-ceil", "example-23-a-move", "holds"),
    ("Example 23 (a), the others", "two-stones-ceil", "example-23-a-others", "holds"),
    ("Example 23 (b), not in P", "two-stones-ceil", "example-23-b-not-p", "holds"),
    ("Example 23 (b), limit", "two-stones-ceil", "example-23-b-limit", "holds"),
    ("Example 23 (b), move", "two-stones-ceil", "example-23-b-move", "holds"),
    ("Example 23 (b), the others", "two-stones-ceil", "example-23-b-others", "holds"),
    ("Example 23 (c), not in P", "two-stones-ceil", "example-23-c-not-p", "holds"),
    ("Example 23 (c), limit", "two-stones-ceil", "example-23-c-limit", "holds"),
    ("Example 23 (c), move", "two-stones-ceil", "example-23-c-move", "holds"),
    ("Example 23 (c), the others", "two-stones-ceil", "example-23-c-others", "holds"),
    ("Example 23 (d), not in P", "two-stones-ceil", "example-23-d-not-p", "holds"),
    ("Example 23 (d), limit", "two-stones-ceil", "example-23-d-limit", "holds"),
    ("Example 23 (d), move", "two-stones-ceil", "example-23-d-move", "holds"),
    ("Example 23 (d), the others", "two-stones-ceil", "example-23-d-others", "holds"),
    ("Example 23 (e), not in P", "two-stones-ceil", "example-23-e-not-p", "holds"),
    # Half of 3 + 2*6 = 15, rounded up, is 8; 7 is printed.
    ("Example 23 (e), limit", "two-stones-ceil", "example-23-e-limit", (3, 6)),
    ("Example 23 (e), move", "two-stones-ceil", "example-23-e-move", "holds"),
    ("Example 23 (e), the others", "two-stones-ceil", "example-23-e-others", "holds"),
    ("Lemma 24", "two-stones-ceil", "lemma-24", "holds"),
    # For (14, 3) and (14, 7), i = 8 and n = 3: 2^n - i is 0, which neither case is about.
    ("Lemma 24, proof, (i.1)", "two-stones-ceil", "lemma-24-proof-i.1", (14, 3)),
    ("Lemma 24, proof, (i.2)", "two-stones-ceil", "lemma-24-proof-i.2", (14, 7)),
    ("Lemma 24, proof, (ii.1)", "two-stones-ceil", "lemma-24-proof-ii.1", "holds"),
    ("Lemma 24, proof, (ii.2.1)", "two-stones-ceil", "lemma-24-proof-ii.2.1", "holds"),
    # In (12, 7) the first number is even, and the case is about odd ones.
    ("Lemma 24, proof, (ii, 2.2)", "two-stones-ceil", "lemma-24-proof-ii.2.2", (12, 7)),
    ("Theorem 25", "two-stones-ceil", "theorem-25", "holds"),
    ("Definition 27, no stones", "turn-limit-fibonacci", "definition-27", "holds"),
    ("Definition 27, no stones", "turn-limit-linear", "definition-27", "holds"),
    ("Definition 27, no stones", "turn-limit-log10", "definition-27", "holds"),
    ("Definition 27, no stones", "turn-limit-log2", "definition-27", "holds"),
    ("Definition 27, no stones", "turn-limit-power-3-2", "definition-27", "holds"),
    ("Definition 27, no stones", "turn-limit-square", "definition-27", "holds"),
    ("Definition 27, no stones", "turn-limit-tribonacci", "definition-27", "holds"),
    ("Remark 30", "turn-limit-linear", "remark-30", "holds"),
    ("Lemma 31", "turn-limit-linear", "lemma-31", "holds"),
    ("Example 32, larger", "turn-limit-linear", "example-32-larger", "holds"),
    ("Example 32, smaller", "turn-limit-linear", "example-32-smaller", "holds"),
    ("Example 32, on the left", "turn-limit-linear", "example-32-left", "holds"),
    ("Example 32, on the right", "turn-limit-linear", "example-32-right", "holds"),
    ("Lemma 33", "turn-limit-linear", "lemma-33", "holds"),
    ("Lemma 34", "turn-limit-linear", "lemma-34", "holds"),
    ("Theorem 35", "turn-limit-linear", "theorem-35", "holds"),
]

# f(1), f(2), … of the turn limits under Figures 15 to 20; k^1.5 rounded down.
TURN_LIMITS = {
    "power-3-2": [1, 2, 5, 8, 11, 14, 18, 22, 27, 31],
    "square": [1, 4, 9, 16, 25, 36, 49, 64, 81, 100],
    "log2": [1, 2, 2, 3, 3, 3, 3, 4, 4, 4],
    "log10": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
    "fibonacci": [1, 2, 3, 5, 8, 13, 21, 34, 55, 89],
    "tribonacci": [1, 1, 2, 4, 7, 13, 24, 44, 81, 149],
}


@pytest.mark.parametrize(("place", "ruleset", "claim", "outcome"), TABLE)
def test_the_claim_comes_out_so(comes_out, place, ruleset, claim, outcome):
    assert comes_out(ruleset, claim, **TABLES.get(ruleset, {})) == outcome


def test_the_table_has_every_claim_that_is_recorded(recorded):
    assert sorted(row[:3] for row in TABLE) == sorted(recorded(PAPER))


@pytest.mark.parametrize(("name", "limits"), TURN_LIMITS.items())
def test_the_turn_limits_are_the_functions_under_the_figures(load, value, name, limits):
    functions = load(f"turn-limit-{name}").functions
    assert [value("f(k)", functions, k=k) for k in range(1, 11)] == limits


def test_the_decimal_logarithm_steps_at_powers_of_ten(load, value):
    functions = load("turn-limit-log10").functions
    assert [value("f(k)", functions, k=k) for k in (9, 10, 99, 100, 999, 1000)] == [1, 2, 2, 3, 3, 4]
