"""Miyadera and Manabe, "Restricted Nim with a pass" (2023): how each claim comes out."""

import pytest

PAPER, ARXIV = "restricted-nim-with-a-pass", "restricted-nim-with-a-pass-arxiv"

# How small the tables are, where not as usual.
TABLES = {"max-nim-regular": {"N": 7, "every": {"f": "0..7 -> 0..8"}}}

# Paper, place, ruleset, claim, and on small tables: "holds", or the smallest counterexample.
TABLE = [
    (PAPER, "Theorem 1 (ii)", "heaps-1-2", "theorem-1-ii", "holds"),
    (PAPER, "Theorem 1 (ii)", "heaps-1-2-3", "theorem-1-ii", "holds"),
    (PAPER, "Theorem 1 (i)", "max-nim-ceil", "theorem-1-i", "holds"),
    (PAPER, "Theorem 1 (i)", "max-nim-ceil-3", "theorem-1-i", "holds"),
    (PAPER, "Theorem 1 (ii)", "max-nim-ceil-3", "theorem-1-ii", "holds"),
    (PAPER, "Theorem 1 (i)", "max-nim-ceil-3-pass", "theorem-1-i", "holds"),
    (PAPER, "Theorem 1 (ii)", "max-nim-ceil-3-pass", "theorem-1-ii", "holds"),
    (PAPER, "Theorem 1 (i)", "max-nim-ceil-pass", "theorem-1-i", "holds"),
    (PAPER, "Theorem 1 (ii)", "max-nim-floor-3", "theorem-1-ii", "holds"),
    (PAPER, "Theorem 1 (ii)", "max-nim-floor-3-pass", "theorem-1-ii", "holds"),
    (PAPER, "Theorem 1 (i)", "nim", "theorem-1-i", "holds"),
    (PAPER, "Theorem 1 (ii)", "nim", "theorem-1-ii", "holds"),
    (PAPER, "Theorem 1 (i)", "nim-4", "theorem-1-i", "holds"),
    (PAPER, "Theorem 1 (ii)", "nim-4", "theorem-1-ii", "holds"),
    (PAPER, "Theorem 1 (i)", "nim-with-a-pass-from-m", "theorem-1-i", "holds"),
    (PAPER, "Lemma 1 (i)", "max-nim-ceil", "lemma-1-i", "holds"),
    (PAPER, "Lemma 1 (ii)", "max-nim-ceil", "lemma-1-ii", "holds"),
    (PAPER, "Lemma 1 (i)", "max-nim-floor", "lemma-1-i", "holds"),
    (PAPER, "Lemma 1 (ii)", "max-nim-floor", "lemma-1-ii", "holds"),
    (PAPER, "Lemma 1 (i)", "max-nim-floor-pass", "lemma-1-i", "holds"),
    (PAPER, "Lemma 1 (ii)", "max-nim-floor-pass", "lemma-1-ii", "holds"),
    (PAPER, "Lemma 1 (i)", "max-nim-regular", "lemma-1-i", (1,)),
    (PAPER, "Lemma 1 (ii)", "max-nim-regular", "lemma-1-ii", (1,)),
    (PAPER, "Section 2.1, rounding down", "max-nim-ceil", "section-2.1-floor", "holds"),
    (PAPER, "Section 2.1", "max-nim-floor", "section-2.1", "holds"),
    (PAPER, "Section 2.1", "max-nim-floor-3", "section-2.1", "holds"),
    (PAPER, "Section 2.1", "max-nim-floor-3-pass", "section-2.1", "holds"),
    (PAPER, "Section 2.1", "max-nim-floor-pass", "section-2.1", "holds"),
    (PAPER, "Section 2.1, regular sequence", "max-nim-ceil", "section-2.1-regular", "holds"),
    (PAPER, "Lemma 2 (i)", "max-nim-ceil", "lemma-2-i", "holds"),
    (PAPER, "Lemma 2 (i), proof", "max-nim-ceil", "lemma-2-i-proof", (2,)),
    (PAPER, "Lemma 2 (ii)", "max-nim-ceil", "lemma-2-ii", "holds"),
    (PAPER, "Lemma 2 (ii), proof", "max-nim-ceil", "lemma-2-ii-proof", "holds"),
    (PAPER, "Lemma 2 (iii)", "max-nim-ceil", "lemma-2-iii", "holds"),
    (PAPER, "Lemma 2 (iii), proof", "max-nim-ceil", "lemma-2-iii-proof", "holds"),
    (PAPER, "Lemma 2 (iv)", "max-nim-ceil", "lemma-2-iv", "holds"),
    (PAPER, "Lemma 2 (iv), proof", "max-nim-ceil", "lemma-2-iv-proof", (8,)),
    (PAPER, "Lemma 2 (v)", "max-nim-ceil", "lemma-2-v", "holds"),
    (PAPER, "Lemma 2 (v), proof", "max-nim-ceil", "lemma-2-v-proof", "holds"),
    (PAPER, "Theorem 2", "max-nim-ceil-3", "theorem-2", "holds"),
    (PAPER, "Remark 3.1, terminal position", "max-nim-ceil-pass", "remark-3.1-terminal", "holds"),
    (PAPER, "Remark 3.1", "max-nim-ceil-pass", "remark-3.1", "holds"),
    (PAPER, "Figure 1", "max-nim-ceil-pass", "figure-1", "holds"),
    (PAPER, "Lemma 3 (i)", "max-nim-ceil-3-pass", "lemma-3-i", "holds"),
    (PAPER, "Lemma 3 (ii)", "max-nim-ceil-3-pass", "lemma-3-ii", "holds"),
    (PAPER, "Lemma 3 (ii), proof", "max-nim-ceil-3-pass", "lemma-3-ii-proof", (0, 0, 0, 0)),
    (PAPER, "Theorem 3 (i)", "max-nim-ceil-pass", "theorem-3-i", "holds"),
    (PAPER, "Theorem 3 (ii)", "max-nim-ceil-pass", "theorem-3-ii", "holds"),
    (PAPER, "Theorem 3 (iii)", "max-nim-ceil-pass", "theorem-3-iii", "holds"),
    (PAPER, "Theorem 3 (iv)", "max-nim-ceil-pass", "theorem-3-iv", "holds"),
    (PAPER, "Theorem 3 (v)", "max-nim-ceil-pass", "theorem-3-v", "holds"),
    (
        PAPER,
        "Section 3.2, Theorem 4 (i) for any number of piles",
        "max-nim-ceil-2-pass",
        "section-3.2-i",
        "holds",
    ),
    (
        PAPER,
        "Section 3.2, Theorem 4 (ii.1) for any number of piles",
        "max-nim-ceil-2-pass",
        "section-3.2-ii-1",
        "holds",
    ),
    (
        PAPER,
        "Section 3.2, Theorem 4 (ii.2) for any number of piles",
        "max-nim-ceil-2-pass",
        "section-3.2-ii-2",
        "holds",
    ),
    (
        PAPER,
        "Section 3.2, Theorem 4 (i) for any number of piles",
        "max-nim-ceil-4-pass",
        "section-3.2-i",
        "holds",
    ),
    (
        PAPER,
        "Section 3.2, Theorem 4 (ii.1) for any number of piles",
        "max-nim-ceil-4-pass",
        "section-3.2-ii-1",
        "holds",
    ),
    (
        PAPER,
        "Section 3.2, Theorem 4 (ii.2) for any number of piles",
        "max-nim-ceil-4-pass",
        "section-3.2-ii-2",
        "holds",
    ),
    (PAPER, "Section 3.2, order of the piles", "max-nim-ceil-3-pass", "section-3.2-order", "holds"),
    (PAPER, "Remark 3.2, terminal position", "max-nim-ceil-3-pass", "remark-3.2-terminal", "holds"),
    (PAPER, "Remark 3.2", "max-nim-ceil-3-pass", "remark-3.2", "holds"),
    (PAPER, "Lemma 4 (i)", "max-nim-ceil-3-pass", "lemma-4-i", "holds"),
    (PAPER, "Lemma 4 (ii)", "max-nim-ceil-3-pass", "lemma-4-ii", "holds"),
    (PAPER, "Lemma 4 (iii)", "max-nim-ceil-3-pass", "lemma-4-iii", "holds"),
    (PAPER, "Lemma 4 (iv)", "max-nim-ceil-3-pass", "lemma-4-iv", "holds"),
    (PAPER, "Lemma 4 (v)", "max-nim-ceil-3-pass", "lemma-4-v", "holds"),
    (PAPER, "Lemma 4 (vi)", "max-nim-ceil-3-pass", "lemma-4-vi", "holds"),
    (PAPER, "Lemma 5 (i)", "max-nim-ceil-3-pass", "lemma-5-i", "holds"),
    (PAPER, "Lemma 5 (ii)", "max-nim-ceil-3-pass", "lemma-5-ii", "holds"),
    (PAPER, "Theorem 4 (i)", "max-nim-ceil-3-pass", "theorem-4-i", "holds"),
    (PAPER, "Theorem 4 (ii.1)", "max-nim-ceil-3-pass", "theorem-4-ii-1", "holds"),
    (PAPER, "Theorem 4 (ii.2)", "max-nim-ceil-3-pass", "theorem-4-ii-2", "holds"),
    (PAPER, "Conjecture 1", "nim-with-a-pass-from-m", "conjecture-1", "holds"),
    (PAPER, "Section 4", "nim-with-a-pass-from-m", "section-4", "holds"),
    (ARXIV, "Lemma 2 (i), proof", "max-nim-ceil", "lemma-2-i-proof-arxiv", "holds"),
    (ARXIV, "Theorem 4 (ii.2)", "max-nim-ceil-3-pass", "theorem-4-ii-2-arxiv", "holds"),
]


@pytest.mark.parametrize(("paper", "place", "ruleset", "claim", "outcome"), TABLE)
def test_the_claim_comes_out_so(comes_out, paper, place, ruleset, claim, outcome):
    assert comes_out(ruleset, claim, **TABLES.get(ruleset, {})) == outcome


@pytest.mark.parametrize("paper", [PAPER, ARXIV])
def test_the_table_has_every_claim_that_is_recorded(recorded, paper):
    listed = [row[1:4] for row in TABLE if row[0] == paper]
    assert sorted(listed) == sorted(recorded(paper))
