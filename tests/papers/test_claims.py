"""The shipped rulesets load and are solved, and each of their claims has its known result on small tables."""

from collections import Counter

import pytest
from tests.papers.small import FAMILIES, NAMES, ROOT, comes_out, of_family, ruleset, tables

from grundylab.findings.papers import load_papers
from grundylab.language import parse
from grundylab.language.plain import evaluate

PAPERS = {paper.name for paper in load_papers(ROOT / "papers")}
# How many are recorded from each paper, so that none is lost unseen.
RECORDED = {
    "atlas-of-nim-with-a-pass": 88,
    "chocolate-games-with-a-pass": 178,
    "games-of-nim-with-restriction": 74,
    "restricted-nim-with-a-pass": 113,
    "restricted-nim-with-a-pass-arxiv": 4,
}
BARS = ("chocolate-half", "chocolate-log", "chocolate-monotone-1")
# Those that do not hold: the smallest counterexample.
FALSE = {
    ("heaps-1-2-3", "table-2"): (1, 1, 1),
    # F(x, z) = 0, 0, 1, 1 for z = 0, 1, 2, 3: every Grundy number is the nim-sum, but F(0, 2) is not 0.
    ("chocolate-monotone", "theorem-2-only-if"): (0, 0, 0),
    # The entries at (2, 14) and (2, 15) have changed places.
    ("chocolate-log", "table-1"): (0, 2, 14),
    # x - 1 is y xor z there, not y xor z - 1.
    **{(f"{bar}-pass", "corollary-2-proof-3"): (2, 0, 1, 1) for bar in BARS},
    # Case (ii), x = 1 mod 4, has x + 1 where Lemma 8 needs x + 3.
    **{(f"{bar}-pass", "corollary-4-b"): (1, 0, 2, 1) for bar in BARS},
    # Conditions 1 and 2 do not ask for the pass to be available.
    **{(f"{bar}-pass", "corollary-4-proof"): (0, 0, 1, 0) for bar in BARS},
    # The induction may assume nothing of (0, 0), nor of (2, 2).
    ("nim-with-a-pass-2", "lemma-7-proof-assumption"): (0, 0, 1),
    # The induction may assume nothing of (1, 4); 13 xor 16 is 29, not 5.
    ("nim-with-a-pass-2", "lemma-8-proof-assumption"): (1, 4, 1),
    ("nim-with-a-pass-2", "lemma-8-proof-nim-sum-5"): (0, 0, 0),
    # Half of 3 + 2*6 = 15, rounded up, is 8; 7 is printed.
    ("two-stones-ceil", "example-23-e-limit"): (3, 6),
    # i = 2 and n = 1: 2^n - i is 0, which neither case is about.
    ("two-stones-ceil", "lemma-24-proof-i"): (2, 1),
    # The greatest option of 8 is 7, and 2^(n-1) - 3 is -1.
    ("max-nim-ceil", "lemma-2-iv-proof"): (8,),
    # m = 3: 5 is the image of 6, which is not in the list of the numbers up to 6.
    ("max-nim-ceil-3-pass", "lemma-3-ii-proof"): (5, 0, 0, 0),
    # Of v = ceil(x/2) stones taken, the two are equal.
    ("max-nim-ceil-3-pass", "theorem-4-proof-27-arxiv"): (4, 1, 0, 0),
    ("max-nim-ceil-3-pass", "theorem-4-proof-42-arxiv"): (2, 1, 0, 0),
}


@pytest.mark.parametrize("name", NAMES)
def test_claims__come_out_so_and_the_game_is_solved(name):
    ids = [claim.id for claim in ruleset(name).claims]
    assert {each: comes_out(name, each) for each in ids} == {
        each: FALSE.get((name, each), "holds") for each in ids
    }
    # a family of games has no values of its own
    assert name in FAMILIES or all(table.positions for table in tables(name))


def test_every_claim_is_there_that_is_known():
    claims = [(name, claim) for name in NAMES for claim in ruleset(name).claims]
    assert set(FALSE) <= {(name, claim.id) for name, claim in claims}
    recorded = Counter(claim.paper for _, claim in claims if claim.paper and not claim.unpublished)
    assert recorded == RECORDED


def test_theorem_2_is_refuted_by_a_bar_that_theorem_3_is_about():
    example = of_family("chocolate-monotone")["theorem-2-only-if"].counterexample
    assert [function.values for function in example.functions.values()] == [(0, 0, 1, 1, 0, 0, 1, 1)]


@pytest.mark.parametrize("name", NAMES)
def test_the_ruleset_names_papers_that_are_recorded_and_each_claim_says_where_it_is_from(name):
    game = ruleset(name)
    assert game.title
    assert game.source is None or game.source.text or (game.source.paper in PAPERS and game.source.at)
    assert all((claim.at or claim.unpublished) and claim.paper in {None, *PAPERS} for claim in game.claims)


# f(1), f(2), … of the turn limits under Figures 15 to 20; k^1.5 rounded down.
TURN_LIMITS = {
    "power-3-2": [1, 2, 5, 8, 11, 14, 18, 22, 27, 31],
    "square": [1, 4, 9, 16, 25, 36, 49, 64, 81, 100],
    "log2": [1, 2, 2, 3, 3, 3, 3, 4, 4, 4],
    "log10": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
    "fibonacci": [1, 2, 3, 5, 8, 13, 21, 34, 55, 89],
    "tribonacci": [1, 1, 2, 4, 7, 13, 24, 44, 81, 149],
}
STEPS_OF_LOG10 = {9: 1, 10: 2, 99: 2, 100: 3, 999: 3, 1000: 4}


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        *((name, dict(enumerate(limits, 1))) for name, limits in TURN_LIMITS.items()),
        ("log10", STEPS_OF_LOG10),
    ],
)
def test_the_turn_limits_are_the_functions_under_the_figures(name, limits):
    functions = ruleset(f"turn-limit-{name}").functions
    assert {k: evaluate(parse("f(k)"), {"k": k}, functions) for k in limits} == limits
