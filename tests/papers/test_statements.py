"""The records in papers/: every numbered statement is recorded, and none that could be checked is excused."""

import re
from pathlib import Path

import pytest
from tests.findings import made
from tests.papers.small import NAMES, ruleset

from grundylab.findings.papers import KINDS, PaperError, belongs_to_statement, load_papers
from grundylab.report.papers_document import unaccounted

FOLDER = Path(__file__).parents[2] / "papers"
PAPERS = {paper.name: paper for paper in load_papers(FOLDER)}

# What is numbered in the print, in the order of the print: a kind and its numbers until another kind comes.
PRINTED = {
    "restricted-nim-with-a-pass": """
        Definition 1.1 1.2 1.3 1.4; Theorem 1; Remark 1.1; Definition 2.1 2.2; Lemma 1; Definition 2.3 2.4; Lemma 2;
        Definition 2.5; Theorem 2; Definition 3.1; Remark 3.1; Figure 1; Lemma 3; Theorem 3; Definition 3.2;
        Remark 3.2; Lemma 4 5; Theorem 4; Definition 4.1; Conjecture 1
    """,
    "restricted-nim-with-a-pass-arxiv": """
        Definition 1.1 1.2 1.3 1.4; Theorem 1; Remark 1.1; Definition 2.1 2.2; Lemma 1; Definition 2.3 2.4; Lemma 2;
        Definition 2.5; Theorem 2; Definition 3.1; Remark 3.1; Figure 3.1; Theorem 3; Definition 3.2; Remark 3.2;
        Lemma 3; Theorem 4
    """,
    "atlas-of-nim-with-a-pass": """
        Lemma 1 2 3 4; Theorem 1; Lemma 5 6; Corollary 1; Theorem 2 3; Table 1; Lemma 7 8 9; Corollary 2; Lemma 10;
        Theorem 4; Table 2
    """,
    "chocolate-games-with-a-pass": """
        Definition 1; Figure 1 2; Example 1; Figure 3 4 5; Definition 2 3 4; Theorem 1; Definition 5 6 7; Example 2;
        Figure 6 7 8; Example 3; Figure 9 10 11 12; Definition 8; Lemma 1 2 3; Theorem 2; Corollary 1; Table 1;
        Lemma 4 5; Definition 9; Theorem 3; Definition 10 11 12; Theorem 4; Table 2; Lemma 6; Corollary 2; Lemma 7;
        Corollary 3; Lemma 8; Corollary 4
    """,
    "games-of-nim-with-restriction": """
        Definition 1 2; Theorem 3; Definition 4; Figure 1 2 3; Definition 5; Example 6; Lemma 7; Theorem 8;
        Definition 9; Example 10; Definition 11 12; Figure 4 5 6; Example 13; Lemma 14; Theorem 15;
        Definition 16 17; Figure 7 8; Remark 18; Definition 19 20; Remark 21; Lemma 22; Example 23; Figure 9 10;
        Lemma 24; Theorem 25; Definition 26 27; Example 28; Figure 11; Definition 29; Remark 30; Lemma 31;
        Figure 12; Example 32; Lemma 33 34; Figure 13 14; Theorem 35; Figure 15 16 17 18 19 20
    """,
}
# Places without a number that state something which can be checked, or that a ruleset names.
UNNUMBERED = {
    "restricted-nim-with-a-pass": ["Section 2.1", "Section 3.2", "Section 4"],
    "restricted-nim-with-a-pass-arxiv": ["Section 2.1", "Section 3.2"],
    "atlas-of-nim-with-a-pass": [
        "Section 1",
        "Section 1, properties",
        "Section 2",
        "Section 2, after Lemma 1",
        *(f"Section 4, s = {stones}" for stones in range(2, 10)),
        "Section 5",
        "Section 6",
    ],
    "chocolate-games-with-a-pass": ["Section 1.1", "Section 2"],
    "games-of-nim-with-restriction": ["Section 3.4"],
}
# That every position is P or N is built into the tool: the one theorem that no claim could test.
EXCUSED = {("games-of-nim-with-restriction", "Theorem 3")}
NUMBERED = re.compile(
    r"(Definition|Theorem|Lemma|Corollary|Conjecture|Remark|Example|Figure|Table) (\d+(?:\.\d+)?)"
)


def printed(name):
    for run in PRINTED[name].split(";"):
        kind, *numbers = run.split()
        yield from (f"{kind} {number}" for number in numbers)


def test_every_paper_that_is_recorded_is_in_the_tables_of_this_test():
    assert set(PAPERS) == set(PRINTED) == set(UNNUMBERED)


@pytest.mark.parametrize("name", PRINTED)
def test_every_numbered_statement_is_recorded_in_the_order_of_the_print(name):
    recorded = [statement.at for statement in PAPERS[name].statements if NUMBERED.fullmatch(statement.at)]
    assert recorded == list(printed(name))


@pytest.mark.parametrize("name", PRINTED)
def test_the_print_skips_no_number_and_so_neither_does_its_table(name):
    """Numbers rise by one or start again with a section; "Games of Nim" has one sequence for all but figures."""
    counters = {}
    for at in printed(name):
        kind, number = NUMBERED.fullmatch(at).groups()
        shared = name == "games-of-nim-with-restriction" and kind != "Figure"
        *section, count = map(int, number.split("."))
        before_section, before = counters.get("all" if shared else kind, (section, 0))
        # "Figure 3.1" is the first of section 3
        assert count == (before + 1 if section == before_section else 1), at
        counters["all" if shared else kind] = section, count


@pytest.mark.parametrize("name", UNNUMBERED)
def test_what_the_text_states_between_numbers_is_recorded_and_not_excused(name):
    open_places = [statement.at for statement in PAPERS[name].statements if statement.reason is None]
    assert set(UNNUMBERED[name]) <= set(open_places)


def test_no_theorem_lemma_corollary_conjecture_or_table_is_excused_from_being_checked():
    excused = {
        (name, statement.at)
        for name, paper in PAPERS.items()
        for statement in paper.statements
        if statement.reason
        and re.fullmatch(r"(Theorem|Lemma|Corollary|Conjecture|Table) [\d.]+", statement.at)
    }
    assert excused == EXCUSED


def test_the_journals_record_and_the_arxiv_versions_agree_on_which_statements_have_other_numbers():
    journal, arxiv = PAPERS["restricted-nim-with-a-pass"], PAPERS["restricted-nim-with-a-pass-arxiv"]
    renumbered = {
        (journal.statement_of(statement.same_as).at, statement.at)
        for statement in arxiv.statements
        if statement.same_as
        and NUMBERED.fullmatch(statement.at)
        and not belongs_to_statement(statement.same_as, statement.at)
        and not belongs_to_statement(statement.at, statement.same_as)
    }
    by_journal = {(statement.at, statement.arxiv) for statement in journal.statements if statement.arxiv}
    # the arXiv version's table is a picture, so that it is the same cannot be recorded
    assert renumbered == {("Lemma 4", "Lemma 3")} == by_journal - {("Figure 1", "Figure 3.1")}
    assert {place for _, place in by_journal} <= {statement.at for statement in arxiv.statements}


def test_the_arxiv_version_is_the_same_but_for_its_picture_a_part_of_theorem_4_and_three_lines_of_proofs():
    arxiv = PAPERS["restricted-nim-with-a-pass-arxiv"]
    assert [statement.at for statement in arxiv.statements if not statement.same_as] == [
        "Figure 3.1",
        "Theorem 3, proof, (17)",
        "Theorem 4, proof, (27)",
        "Theorem 4, proof, (42)",
        "Theorem 4 (ii.2)",
    ]


@pytest.mark.parametrize(
    ("at", "kind"),
    [
        ("Lemma 2", "statement"),
        ("Conjecture 1", "statement"),
        ("Lemma 2 (i), proof", "proof step"),
        ("Theorem 3, proof of (iii), line 4", "proof step"),
        ("Section 2, waterproof piles", "statement"),
        ("Example 6", "example"),
        ("Table 2, Nim*", "table"),
        ("Figure 1", "figure"),
        ("Definition 1.1", "definition"),
    ],
)
def test_the_place_says_of_what_kind_a_statement_is_unless_the_record_does(at, kind):
    assert made.statement(at, "piles").kind_of(at) == kind
    assert made.statement(at, "piles", kind="example").kind_of(at) == "example"
    assert made.statement("Lemma 2", "piles").kind_of(f"Lemma 2{', proof' * (kind == 'proof step')}") in KINDS


@pytest.mark.parametrize(
    ("place", "statement", "is_part"),
    [
        ("Lemma 2", "Lemma 2", True),
        ("Lemma 2 (iii)", "Lemma 2", True),
        ("Lemma 2, in its proof", "Lemma 2", True),
        ("Lemma 2.", "Lemma 2", True),
        ("Lemma 21", "Lemma 2", False),
        ("Lemma 2a", "Lemma 2", False),
        ("Lemma 2", "Lemma 2 (iii)", False),
        ("Table 2, Nim*", "Table 2", True),
        ("Table 2, Nim*", "Table 2, Nim", True),
        ("Definition 1.1", "Definition 1", False),
        ("Section 4, s = 2", "Section 4", True),
        ("Section 4, s = 10", "Section 4, s = 1", False),
        ("Theorem 4 (ii.2)", "Theorem 4 (ii.2)", True),
        ("Corollary 1", "Lemma 1", False),
    ],
)
def test_a_place_belongs_to_a_statement_if_it_is_it_or_a_part_of_it(place, statement, is_part):
    assert belongs_to_statement(place, statement) is is_part


def test_of_two_statements_that_a_place_belongs_to_the_more_particular_one_has_it():
    paper = PAPERS["atlas-of-nim-with-a-pass"]
    assert paper.statement_of("Section 2, after Lemma 1, (1, 2)").at == "Section 2, after Lemma 1"
    assert paper.statement_of("Section 2, before it").at == "Section 2"
    assert paper.statement_of("Section 4, the list") is None


# -- faults ----------------------------------------------------------------------------------------


def test_a_folder_without_records_is_a_fault_and_not_a_document_without_papers(tmp_path):
    with pytest.raises(PaperError, match="no record"):
        load_papers(tmp_path)


def test_every_statement_has_a_claim_or_a_game_or_a_reason():
    rulesets = [*map(ruleset, NAMES)]
    claims = [
        made.claim(ruleset=ruleset.name, claim=claim.id, paper=claim.paper, at=claim.at)
        for ruleset in rulesets
        for claim in ruleset.claims
    ]
    games = [(r.name, r.source.paper, r.source.at) for r in rulesets if r.source]
    assert unaccounted([*PAPERS.values()], claims, games) == []
