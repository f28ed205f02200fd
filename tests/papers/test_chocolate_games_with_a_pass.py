"""Manabe, Miyadera and Suetsugu, "Chocolate games with a pass": how each claim comes out."""

from functools import cache

import pytest

from grundylab.check.families import judge_family, parse_extent
from grundylab.games import make_instance

PAPER = "chocolate-games-with-a-pass"
BARS = ("chocolate-half", "chocolate-log", "chocolate-monotone-1")
PASSES = ("chocolate-half-pass", "chocolate-log-pass", "chocolate-monotone-1-pass")
NIMS = ("nim", "nim-4", "nim-with-a-pass", "nim-with-a-pass-2")

# How small the tables are, where not as usual. Table 1 goes to 15, Lemma 4 starts at 16, and what is looked up in
# two-pile Nim with a pass must be nim-sums that are in its table.
TABLES = {
    "chocolate-half": {"N": 17},
    "chocolate-half-pass": {"N": 15},
    "chocolate-log": {"N": 17},
    "chocolate-log-pass": {"N": 15},
    "chocolate-third": {"N": 14},
    "chocolate-two-flat-pass": {"N": 7},
}
# Families: bounds, and how far the free function is looked at.
FAMILIES = {
    "chocolate-monotone": ({"X": 1, "Y": 2, "Z": 3}, {"F": "0..1, 0..3 -> 0..2"}),
    "chocolate-monotone-1": ({"N": 16}, {"h": "0..16 -> 0..2"}),
    "chocolate-monotone-1-pass": ({"N": 7}, {"h": "0..7 -> 0..3"}),
}

# Place, rulesets, claim, and how it comes out on small tables: that it holds, or the smallest counterexample.
TABLE = [
    ("Section 1.1", NIMS, "bouton-grundy", "holds"),
    ("Section 1.1, rectangular bars", ("nim-2",), "bouton-grundy", "holds"),
    ("Section 1.1, the 6 by 4 bar", ("nim-2",), "section-1.1-6-by-4", "holds"),
    ("Section 1.1, chocolate games", BARS, "section-1.1-p", "holds"),
    ("Section 1.1, chocolate games, Grundy numbers", BARS, "section-1.1-grundy", "holds"),
    ("Theorem 1", ("nim-2", *BARS), "theorem-1", "holds"),
    ("Example 2, second coordinate", ("chocolate-third",), "example-2-coordinate", "holds"),
    ("Example 2", ("chocolate-third",), "example-2", "holds"),
    ("Example 3 (i)", ("chocolate-half",), "example-3-i", "holds"),
    ("Example 3 (ii)", ("chocolate-half",), "example-3-ii", "holds"),
    ("Example 3 (iii), second coordinate", ("chocolate-half",), "example-3-iii-coordinate", "holds"),
    ("Example 3 (iii)", ("chocolate-half",), "example-3-iii", "holds"),
    ("Lemma 1, monotonically increasing", ("chocolate-half",), "lemma-1-monotone", "holds"),
    ("Lemma 1, h(0) = 0", ("chocolate-half",), "lemma-1-0", "holds"),
    ("Lemma 1, (a)", ("chocolate-half",), "lemma-1-a", "holds"),
    ("Lemma 2, monotonically increasing", ("chocolate-log",), "lemma-2-monotone", "holds"),
    ("Lemma 2, h(0) = 0", ("chocolate-log",), "lemma-2-0", "holds"),
    ("Lemma 2, (a)", ("chocolate-log",), "lemma-2-a", "holds"),
    ("Lemma 3", BARS, "lemma-3", "holds"),
    ("Theorem 2, if", ("chocolate-monotone", "chocolate-third"), "theorem-2-if", "holds"),
    # F(x, z) = 0, 0, 1, 1 for z = 0, 1, 2, 3: every Grundy number is the nim-sum, but F(0, 2) is not 0.
    ("Theorem 2, only if", ("chocolate-monotone",), "theorem-2-only-if", (0, 0, 0)),
    ("Theorem 2, only if", ("chocolate-third",), "theorem-2-only-if", "holds"),
    ("Corollary 1", BARS, "corollary-1", "holds"),
    ("Corollary 1, proof, g_n(0) = 0", BARS, "corollary-1-proof-g-0", "holds"),
    ("Corollary 1, proof, (a) for g_n", BARS, "corollary-1-proof-g-a", "holds"),
    # Definition 8 (ii) asks F(0, m) = 0 for every m, as h_m(0) = 0; here F(0, m) is h(m).
    ("Corollary 1, proof, h_m(0) = 0", BARS, "corollary-1-proof-h-0", (0, 0, 2)),
    ("Corollary 1, proof, (a) for h_m", BARS, "corollary-1-proof-h-a", "holds"),
    # The entries at (2, 14) and (2, 15) have changed places.
    ("Table 1", BARS, "table-1", (0, 2, 14)),
    ("Table 1, blank entries", BARS, "table-1-blank", "holds"),
    ("Lemma 4", BARS, "lemma-4", "holds"),
    *((f"Lemma 5, {value}", BARS, f"lemma-5-{value}", "holds") for value in range(9)),
    ("Definition 9, h(z) < z", ("chocolate-half", "chocolate-log"), "definition-9", "holds"),
    ("Theorem 3", BARS, "theorem-3", "holds"),
    ("Theorem 3, P-positions", BARS, "theorem-3-p", "holds"),
    ("Section 2, sum", BARS, "section-2", "holds"),
    ("Definition 10, terminal position", PASSES, "definition-10", "holds"),
    ("Section 2, p = 0", PASSES, "section-2", "holds"),
    ("Definition 12, x = y = 0", ("nim-with-a-pass-2",), "definition-12-i", "holds"),
    ("Definition 12, otherwise", ("nim-with-a-pass-2",), "definition-12-ii", "holds"),
    ("Theorem 4, assumption on G", ("chocolate-two-flat-pass",), "theorem-4-assumption-g", "holds"),
    ("Theorem 4, assumption on H", ("chocolate-two-flat-pass",), "theorem-4-assumption-h", "holds"),
    ("Theorem 4", ("chocolate-two-flat-pass", *PASSES), "theorem-4", "holds"),
    ("Table 2", ("nim-with-a-pass-2",), "table-2", "holds"),
    ("Lemma 6", ("nim-with-a-pass-2",), "lemma-6", "holds"),
    ("Corollary 2", PASSES, "corollary-2", "holds"),
    ("Corollary 2, proof, bar", PASSES, "corollary-2-proof-bar", "holds"),
    ("Corollary 2, proof, heap", PASSES, "corollary-2-proof-heap", "holds"),
    ("Corollary 2, proof, condition (1)", PASSES, "corollary-2-proof-1", "holds"),
    ("Corollary 2, proof, condition (2)", PASSES, "corollary-2-proof-2", "holds"),
    # x - 1 is y xor z there, not y xor z - 1.
    ("Corollary 2, proof, condition (3)", PASSES, "corollary-2-proof-3", (2, 0, 1, 1)),
    ("Corollary 2, proof, condition (4)", PASSES, "corollary-2-proof-4", "holds"),
    ("Lemma 7", ("nim-with-a-pass-2",), "lemma-7", "holds"),
    ("Lemma 7, proof", ("nim-with-a-pass-2",), "lemma-7-proof", "holds"),
    ("Corollary 3", PASSES, "corollary-3", "holds"),
    ("Corollary 3, proof, condition (1)", PASSES, "corollary-3-proof-1", "holds"),
    ("Corollary 3, proof, condition (2)", PASSES, "corollary-3-proof-2", "holds"),
    ("Corollary 3, proof, end", PASSES, "corollary-3-proof-end", "holds"),
    ("Lemma 8", ("nim-with-a-pass-2",), "lemma-8", "holds"),
    ("Lemma 8, proof, note", ("nim-with-a-pass-2",), "lemma-8-proof", "holds"),
    ("Corollary 4 (a)", PASSES, "corollary-4-a", "holds"),
    # Case (ii), x = 1 mod 4, has x + 1 where Lemma 8 needs x + 3.
    ("Corollary 4 (b)", PASSES, "corollary-4-b", (1, 0, 2, 1)),
    ("Corollary 4 (c)", PASSES, "corollary-4-c", "holds"),
    # Conditions 1 and 2 do not ask for the pass to be available.
    ("Corollary 4, proof, the conditions", PASSES, "corollary-4-proof", (0, 0, 1, 0)),
    ("Corollary 4, proof, condition 1", PASSES, "corollary-4-proof-1", "holds"),
    ("Corollary 4, proof, condition 2", PASSES, "corollary-4-proof-2", (1, 0, 4, 1)),
]
ROWS = [(place, name, claim, out) for place, names, claim, out in TABLE for name in names]


@pytest.fixture(scope="session")
def of_family(load):
    """``of_family(name)[claim]``: the verdicts in a family of games, each game solved once for all its claims."""

    @cache
    def verdicts(name):
        ruleset, (bounds, extents) = load(name), FAMILIES[name]
        instance = make_instance(ruleset, {}, bounds)
        every = {function: parse_extent(text) for function, text in extents.items()}
        found, _ = judge_family(ruleset.claims, [instance], every)
        return {claim.id: verdict for claim, verdict in zip(ruleset.claims, found, strict=True)}

    return verdicts


@pytest.mark.parametrize(("place", "ruleset", "claim", "outcome"), ROWS)
def test_the_claim_comes_out_so(comes_out, of_family, place, ruleset, claim, outcome):
    if ruleset not in FAMILIES:
        assert comes_out(ruleset, claim, **TABLES.get(ruleset, {})) == outcome
        return
    verdict = of_family(ruleset)[claim]
    example = verdict.counterexample
    assert (verdict.status if example is None else tuple(example.position.values())) == outcome


def test_the_table_has_every_claim_that_is_recorded(recorded):
    assert sorted(row[:3] for row in ROWS) == sorted(recorded(PAPER))


def test_theorem_2_is_refuted_by_a_bar_that_theorem_3_is_about(of_family):
    example = of_family("chocolate-monotone")["theorem-2-only-if"].counterexample
    assert example.functions == {"F": (0, 0, 1, 1, 0, 0, 1, 1)}
