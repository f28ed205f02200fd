"""results/papers.md contains every statement and claim, with a verdict that says no more than is known."""

import re
from dataclasses import replace

import pytest
from tests.findings.made import claim as made
from tests.findings.made import correction, paper, proof, statement

from grundylab.check.verification import Counterexample
from grundylab.report.papers_document import papers_text, unaccounted

PAPER = paper(
    "on-nim",
    "On Nim*",
    ("A. Body",),
    "Body1901",
    (
        statement("Definition 1", "the game"),
        statement("Definition 2", "nim-sum", reason="the operation that `^` is | in formulas"),
        statement("Lemma 1", "heaps", arxiv="Lemma 7"),
        statement("Lemma 2", "more heaps"),
    ),
)
VERSION = paper(
    "on-nim-arxiv",
    "On Nim, again",
    ("A. Body",),
    "Body1900",
    (statement("Lemma 7", "heaps", **{"same as": "Lemma 1"}), statement("Lemma 8", "other heaps")),
    **{"version of": "on-nim"},
)
GAMES = [("nim", "on-nim", ("Definition 1",)), ("kayles", None, ("Definition 2",))]


def claim(at="Lemma 1", **changes):
    return made(**{"at": at, "stated": "x = 0", **changes})


PROVED = {"proofs": (proof(exactly=True, claim="lemma-1"),)}
OTHER = proof("k == 2", "k == 2 and s >= 3", two=False, claim=None)
WRONG = Counterexample({"x": 1}, {}, 1, 1, 0)
REFUTED = claim(stated="x = 0", counterexample=WRONG)
CORRECTION = correction(
    text="p: x <= 1", stated=r"x \le 1", changes=("x = 0 → x <= 1",),
    proofs=(proof(exactly=True, claim="lemma-1-corrected"),),
)  # fmt: skip


def cells(line):
    """Return the cells of a table row as a Markdown reader splits it: at the pipes that are not escaped."""
    assert line.startswith("| ")
    assert line.endswith(" |")
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def rows(*claims, papers=(PAPER,), games=GAMES, heading="On Nim\\*"):
    """Return the rows of the table under a heading."""
    document = papers_text(papers, claims, games)
    (part,) = re.findall(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", document, re.MULTILINE | re.DOTALL)
    table = [cells(line) for line in part.splitlines() if line.startswith("|")]
    assert {len(row) for row in table} <= {4}
    return table[2:]


def test_a_claim_or_game_at_no_statement_of_any_paper_is_not_lost():
    stray = [
        claim("Section 9"),
        claim("Lemma 21", claim="lemma-21"),
        claim("Guy 1956", paper=None),
        claim("Lemma 1", paper="of-hearsay"),
    ]
    games = [*GAMES, ("sprouts", "on-nim", ("Section 7",)), ("hex", "of-hearsay", ("Section 1",))]
    assert [row[0] for row in rows(*stray, games=games, heading="Also stated")] == [
        "`on-nim`, Section 7",
        "`of-hearsay`, Section 1",
        "`on-nim`, Section 9",
        "`on-nim`, Lemma 21",
        "Guy 1956",
        "`of-hearsay`, Lemma 1",
    ]
    assert "Also stated" not in papers_text([PAPER], [claim()], GAMES)


def counts(*claims, papers=(PAPER, VERSION)):
    """Return the rows of the table of numbers at the beginning."""
    first = papers_text(papers, claims, GAMES).split("## Refuted as printed")[0]
    return [cells(line) for line in first.splitlines() if line.startswith("| On")]


def test_the_counts_stand_first_lines_of_the_paper_by_verdict_and_statements_by_account():
    sure = claim("Lemma 1 (i)", **PROVED)
    sized = claim("Lemma 1 (ii)", proofs=(OTHER,))
    claims = [sure, sized, REFUTED, claim("Lemma 1 (iii)"), claim("Lemma 1 (iv)"), claim(unpublished=True)]
    assert counts(*claims) == [
        # lines, theorems, in part, hold, undecided, refuted; games, other, without a claim, uncertain
        [r"On Nim\*", "5", "1", "1", "2", "0", "1", "1", "1", "1", "0"],
        ["On Nim, again", "0", "0", "0", "0", "0", "0", "0", "1", "1", "0"],
    ]


@pytest.mark.parametrize(
    ("of_one", "of_other", "column"),
    [
        (PROVED, PROVED, 2),
        (PROVED, {"proofs": (OTHER,)}, 3),
        (PROVED, {}, 4),
        ({}, {"counterexample": WRONG}, 6),
    ],
)
def test_a_line_in_several_games_is_counted_once_by_the_least_that_is_known_of_it(of_one, of_other, column):
    (row, _) = counts(claim(**of_one), claim(ruleset="wythoff", **of_other))
    assert row[1:7] == ["1", *("1" if place == column else "0" for place in range(2, 7))]


@pytest.mark.parametrize(
    "ugly", ["a|b", r"a\|b", r"\left|a\right|", r"a\\|b", "a\n|b", r"\\\|", "`a|b`", "a`|b"]
)
def test_no_pipe_of_a_formula_or_text_ends_a_cell(ugly):
    """The helper rows() counts the cells of every row."""
    for key in ("stated", "text", "note"):
        other = {"stated": ""} if key == "text" else {}
        assert rows(claim(**{key: ugly}, **other))
    assert rows(replace(REFUTED, correction=replace(CORRECTION, stated=ugly)))
    assert rows(claim(reason=ugly))


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"a \mathbin{|} b", r"$a \mathbin{\vert } b$"),
        (r"\{2^{i} : i \ge 0\}", r"$\lbrace 2^{i} : i \ge 0\rbrace$"),
        (r"\begin{cases} 0 & \text{if } x \\ 1 \end{cases}", r"$\begin{cases} 0 & \text{if } x \cr 1 \end{cases}$"),
        (r"\\|x|", r"$\cr \vert x\vert$"),
        (r"\exists i,\ i \ge 0", r"$\exists i,\ i \ge 0$"),
    ],
)  # fmt: skip
def test_latex_keeps_its_meaning_where_markdown_would_read_a_pipe_or_a_backslash(latex, shown):
    (row,) = [row for row in rows(claim(stated=latex)) if row[0].startswith("Lemma 1")]
    assert row[1] == f"heaps: {shown}, in `nim`"


ALL = [claim("Lemma 1"), claim("Lemma 2"), claim("Lemma 8", paper="on-nim-arxiv")]
OTHERS = [claim("Lemma 21"), claim("Lemma 2.1"), claim("Lemma 2", paper="on-nim-arxiv"), claim("Lemma 1")]
AT_LEMMAS = [*GAMES, ("wythoff", "on-nim", ("Lemma 1", "Lemma 2"))]


@pytest.mark.parametrize(
    ("papers", "claims", "games", "left"),
    [
        (
            [PAPER, VERSION],
            [claim("Lemma 1 (i)")],
            GAMES,
            [("on-nim", "Lemma 2"), ("on-nim-arxiv", "Lemma 8")],
        ),
        ([PAPER, VERSION], ALL, GAMES, []),
        ([PAPER], ALL, [], [("on-nim", "Definition 1")]),
        # a game at a lemma does not stand for the claim that the lemma makes
        ([PAPER], [claim("Lemma 1")], AT_LEMMAS, [("on-nim", "Lemma 2")]),
        # nor does a claim of another statement, or of the other version
        ([PAPER], OTHERS, GAMES, [("on-nim", "Lemma 2")]),
    ],
)
def test_unaccounted_are_the_statements_with_neither_claim_nor_game_nor_reason_nor_other_version(
    papers, claims, games, left
):
    assert unaccounted(papers, claims, games) == left
