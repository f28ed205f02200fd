"""Low and Chan, "An atlas of N- and P-positions in 'Nim with a pass'" (2015): how each claim comes out."""

import pytest

PAPER = "atlas-of-nim-with-a-pass"

# How small the tables are, where not as usual: the lists go up to some larger heaps, the tables to 12 stones.
TABLES = {
    "nim-with-a-pass": {"N": 40},
    "nim-with-a-pass-4": {"N": 8},
    "heaps-1-2-3-4": {"N": 16},
    "heaps-1-2-3-4-pass": {"N": 16},
}

# Place, ruleset, claim, and on small tables: "holds", or the smallest counterexample.
TABLE = [
    ("Section 1", "heaps-1-2", "bouton", "holds"),
    ("Section 1", "heaps-1-2-3", "bouton", "holds"),
    ("Section 1", "heaps-1-2-3-4", "bouton", "holds"),
    ("Section 1", "heaps-1-2-3-4-pass", "bouton", "holds"),
    ("Section 1", "heaps-1-2-3-pass", "bouton", "holds"),
    ("Section 1", "heaps-1-2-pass", "bouton", "holds"),
    ("Section 1", "nim", "bouton", "holds"),
    ("Section 1", "nim-2", "bouton", "holds"),
    ("Section 1", "nim-4", "bouton", "holds"),
    ("Section 1", "nim-with-a-pass", "bouton", "holds"),
    ("Section 1", "nim-with-a-pass-2", "bouton", "holds"),
    ("Section 1", "nim-with-a-pass-4", "bouton", "holds"),
    ("Section 1, properties, terminal positions", "nim", "section-1-terminal", "holds"),
    ("Section 1, properties, moves from N-positions", "nim", "section-1-from-n", "holds"),
    ("Section 1, properties, moves from P-positions", "nim", "section-1-from-p", "holds"),
    ("Section 1, properties, games equal to 0", "nim", "section-1-zero", "holds"),
    ("Section 1, properties, terminal positions", "nim-with-a-pass", "section-1-terminal", "holds"),
    ("Section 1, properties, moves from N-positions", "nim-with-a-pass", "section-1-from-n", "holds"),
    ("Section 1, properties, moves from P-positions", "nim-with-a-pass", "section-1-from-p", "holds"),
    ("Section 1, properties, games equal to 0", "nim-with-a-pass", "section-1-zero", "holds"),
    ("Section 1, heaps of 1 and 2", "nim-with-a-pass-2", "section-1-outcome", "holds"),
    ("Section 1, heaps of 1 and 2, the first move", "nim-with-a-pass-2", "section-1-move", "holds"),
    ("Section 2", "heaps-1-2-pass", "section-2-one-heap-more", "holds"),
    ("Section 2", "nim", "section-2-sum", "holds"),
    ("Section 2, no sum", "nim-with-a-pass-2", "section-2-no-sum", "holds"),
    ("Lemma 1", "heaps-1-2-3-4-pass", "lemma-1", "holds"),
    ("Lemma 1", "heaps-1-2-3-pass", "lemma-1", "holds"),
    ("Lemma 1", "heaps-1-2-pass", "lemma-1", "holds"),
    ("Lemma 1", "nim-with-a-pass", "lemma-1", "holds"),
    ("Lemma 1", "nim-with-a-pass-2", "lemma-1", "holds"),
    ("Lemma 1", "nim-with-a-pass-4", "lemma-1", "holds"),
    ("Section 2, after Lemma 1", "nim-with-a-pass-2", "section-2-converse", "holds"),
    ("Lemma 2, in its proof", "nim-with-a-pass", "lemma-2-one-heap", "holds"),
    ("Lemma 2", "nim-with-a-pass-2", "lemma-2", "holds"),
    ("Lemma 3", "nim-with-a-pass-2", "lemma-3", "holds"),
    ("Lemma 4", "nim-with-a-pass-2", "lemma-4", "holds"),
    ("Theorem 1", "nim-with-a-pass", "theorem-1", "holds"),
    ("Theorem 1", "nim-with-a-pass-2", "theorem-1", "holds"),
    ("Lemma 5", "nim-with-a-pass", "lemma-5", "holds"),
    ("Lemma 6", "nim-with-a-pass", "lemma-6", "holds"),
    ("Corollary 1", "nim-with-a-pass", "corollary-1", "holds"),
    ("Theorem 2", "nim-with-a-pass", "theorem-2", "holds"),
    ("Section 4, s = 2", "nim-with-a-pass", "list-2", "holds"),
    ("Section 4, s = 3", "nim-with-a-pass", "list-3", "holds"),
    ("Section 4, s = 4", "nim-with-a-pass", "list-4", "holds"),
    ("Section 4, s = 5", "nim-with-a-pass", "list-5", "holds"),
    ("Section 4, s = 6", "nim-with-a-pass", "list-6", "holds"),
    ("Section 4, s = 7", "nim-with-a-pass", "list-7", "holds"),
    ("Section 4, s = 8", "nim-with-a-pass", "list-8", "holds"),
    ("Section 4, s = 9", "nim-with-a-pass", "list-9", "holds"),
    ("Theorem 3", "heaps-1-2-pass", "theorem-3", "holds"),
    ("Table 1, Nim", "heaps-1-2", "table-1", "holds"),
    ("Table 1, Nim*", "heaps-1-2-pass", "table-1-pass", "holds"),
    ("Lemma 7, a heap added", "heaps-1-2-3-4-pass", "lemma-7-heap", "holds"),
    ("Lemma 7, stones added", "heaps-1-2-3-4-pass", "lemma-7-stones", "holds"),
    ("Lemma 7, a heap added", "heaps-1-2-3-pass", "lemma-7-heap", "holds"),
    ("Lemma 7, stones added", "heaps-1-2-3-pass", "lemma-7-stones", "holds"),
    ("Lemma 7, a heap added", "heaps-1-2-pass", "lemma-7-heap", "holds"),
    ("Lemma 7, stones added", "heaps-1-2-pass", "lemma-7-stones", "holds"),
    ("Lemma 7, a heap added", "nim-with-a-pass", "lemma-7-heap", "holds"),
    ("Lemma 7, stones added", "nim-with-a-pass", "lemma-7-stones", "holds"),
    ("Lemma 7, stones added", "nim-with-a-pass-2", "lemma-7-stones", "holds"),
    ("Lemma 7, a heap added", "nim-with-a-pass-4", "lemma-7-heap", "holds"),
    ("Lemma 7, stones added", "nim-with-a-pass-4", "lemma-7-stones", "holds"),
    ("Lemma 8", "heaps-1-2-3-4-pass", "lemma-8", "holds"),
    ("Lemma 8", "heaps-1-2-3-pass", "lemma-8", "holds"),
    ("Lemma 8", "heaps-1-2-pass", "lemma-8", "holds"),
    ("Lemma 8", "nim-with-a-pass-2", "lemma-8-two-heaps", "holds"),
    ("Lemma 8", "nim-with-a-pass-4", "lemma-8", "holds"),
    ("Lemma 9", "heaps-1-2-3-4-pass", "lemma-9", "holds"),
    ("Lemma 9", "heaps-1-2-3-pass", "lemma-9", "holds"),
    ("Lemma 9", "heaps-1-2-pass", "lemma-9", "holds"),
    ("Lemma 9", "nim-with-a-pass", "lemma-9", "holds"),
    ("Corollary 2 (a)", "heaps-1-2-3-4-pass", "corollary-2-a", "holds"),
    ("Corollary 2 (b)", "heaps-1-2-3-4-pass", "corollary-2-b", "holds"),
    ("Corollary 2 (a)", "heaps-1-2-3-pass", "corollary-2-a", "holds"),
    ("Corollary 2 (b)", "heaps-1-2-3-pass", "corollary-2-b", "holds"),
    ("Corollary 2 (a)", "heaps-1-2-pass", "corollary-2-a", "holds"),
    ("Corollary 2 (a)", "nim-with-a-pass", "corollary-2-a", "holds"),
    ("Corollary 2 (a)", "nim-with-a-pass-4", "corollary-2-a", "holds"),
    ("Lemma 10", "heaps-1-2-3-pass", "lemma-10", "holds"),
    ("Theorem 4", "heaps-1-2-3-pass", "theorem-4", "holds"),
    ("Theorem 4, in its proof", "heaps-1-2-3-pass", "theorem-4-proof", "holds"),
    ("Table 2, Nim", "heaps-1-2-3", "table-2", (1, 1, 1)),
    ("Table 2, Nim*", "heaps-1-2-3-pass", "table-2-pass", "holds"),
]


@pytest.mark.parametrize(("place", "ruleset", "claim", "outcome"), TABLE)
def test_the_claim_comes_out_so(comes_out, place, ruleset, claim, outcome):
    assert comes_out(ruleset, claim, **TABLES.get(ruleset, {})) == outcome


def test_the_table_has_every_claim_that_is_recorded(recorded):
    listed = [row[:3] for row in TABLE]
    assert sorted(listed) == sorted(recorded(PAPER))
