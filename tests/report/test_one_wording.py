"""All outputs word a verdict alike: the command line, the account of a study, the page, the documents.

The examples are a claim that is true exactly for some parameters, and a formula that is an automaton.
"""

from dataclasses import replace

import pytest
from tests.catalogue import made
from tests.catalogue.made import needs_mona

from grundylab.catalogue.answers import Answer
from grundylab.catalogue.proof_records import prove_all, verdicts_with_proofs
from grundylab.catalogue.records import Verdicts, candidate_formula
from grundylab.catalogue.verdicts import judge_candidates, judge_claims
from grundylab.catalogue.wording import equivalent_wordings, status_details, words_text
from grundylab.cli.main import main
from grundylab.discover.base import Candidate
from grundylab.files import write_text
from grundylab.games import load_ruleset, make_instance, parse_target
from grundylab.language import parse
from grundylab.language.syntax import TRUE
from grundylab.report.account import account
from grundylab.report.formula_lines import line_of
from grundylab.report.markdown import words_cell
from grundylab.report.papers_document import papers_text
from grundylab.report.results_document import results_text
from grundylab.report.site.build import write_site
from grundylab.report.site.typeset import sentence_html
from grundylab.solve import solve

pytestmark = needs_mona

# x == y is true but where the hole is on the diagonal
HOLE = """\
title: nim with a hole
parameters: {a: a >= 0, b: b >= 0}
position: {x: 0..N, y: 0..N}
where: x != a or y != b
moves:
  - {for: {t: 1..x}, to: {x: x - t}, when: x - t != a or y != b}
  - {for: {t: 1..y}, to: {y: y - t}, when: x != a or y - t != b}
claims:
  - {id: guess, at: my guess, unpublished: true, target: p, formula: x == y}
"""
TAKE = """\
title: take one or two
position: {x: 0..N}
moves: [{take: "1..min(2, x)", from: x}]
"""
THIRDS = 'accepts("+0,1 -2,0 -1,2", x)'


@pytest.fixture
def known(tmp_path, monkeypatch):
    """Return a function that makes a catalogue of a game's claims and one formula, and its page."""
    monkeypatch.chdir(tmp_path)

    def of(text, formula, *parameters):
        write_text(tmp_path / "rulesets" / "game.yaml", text)
        ruleset = load_ruleset("game")
        tables = [solve(make_instance(ruleset, values, {"N": 9}), "outcome") for values in parameters]
        found = Candidate(parse(formula), parse_target("p"), "automata", 0, 10, 10)
        verdicts = Verdicts(
            formulas=tuple(judge_candidates(ruleset, [candidate_formula(found)], tables)),
            claims=tuple(judge_claims(ruleset, tables)),
        )
        verdicts = verdicts_with_proofs(
            verdicts, prove_all(ruleset, verdicts, [TRUE], 20.0, tmp_path / "proofs")
        )
        known = {"ruleset": "game", "title": ruleset.title, "made": made.made_now(*ruleset.files)}
        study = made.study(engines=["automata"], open="nobody asked", **known)
        own = {"study": "s"}
        catalogue = made.catalogue(
            [study],
            [replace(each, **own) for each in verdicts.formulas],
            [replace(each, **own) for each in verdicts.claims],
        )
        write_site(catalogue, tmp_path, tmp_path / "page")
        return catalogue, (tmp_path / "page" / "rulesets" / "game.html").read_text()

    return of


def told(capsys, *arguments):
    main(list(arguments))
    return capsys.readouterr().out


def test_of_a_claim_that_is_true_for_some_parameters(known, capsys):
    settings = [{"a": a, "b": b} for a in range(3) for b in range(3)]
    catalogue, page = known(HOLE, "x == y", *settings)
    (claim,), (formula,) = catalogue.claims, catalogue.formulas
    sentence = words_text(status_details(claim))
    assert claim.status == "refuted"
    assert f"refuted {sentence}" in told(capsys, "prove", "game", "--claim", "guess").splitlines()
    assert f"  refuted   guess: {sentence}" in account(catalogue).splitlines()
    assert f"**refuted** {words_cell(status_details(claim))}" in results_text(catalogue)
    published = [replace(claim, unpublished=False)]
    assert f"**refuted** {words_cell(status_details(claim))}" in papers_text([], published, [])
    assert (
        page.count(f'<span class="summary">{sentence_html(status_details(claim))}') == 3
    )  # in short, the claim, the formula
    # the formula that was found says the same, and so the same is known of it
    assert words_text(status_details(formula)) == sentence == line_of(Answer(record=formula)).bound
    assert (str(claim.correction.where), claim.correction.status) == ("a != b", "proved")


def test_no_condition_that_only_held_in_tables_is_told_beside_the_exact_one(known):
    """In these tables the formula holds where b > 5, but it is wrong at a = b = 7."""
    catalogue, page = known(HOLE, "x == y", {"a": 5, "b": 5}, {"a": 5, "b": 6})
    (claim,) = catalogue.claims
    assert {str(proof.where) for proof in claim.proofs if proof.exactly} == {"a != b"}
    assert claim.correction is None or claim.correction.status == "proved"
    assert '<span class="badge holds">' not in page


def test_of_a_formula_that_is_an_automaton(known, capsys):
    catalogue, page = known(TAKE, THIRDS, {})
    (formula,) = catalogue.formulas
    (words,) = equivalent_wordings(formula)
    reading = words_text(words)
    assert (reading, formula.status, formula.finite) == ("x % 3 == 0", "proved", None)
    proved = told(capsys, "prove", "game", "--formula", THIRDS)
    for text in (proved, account(catalogue), results_text(catalogue), page):
        assert any(name in text for name in (reading, words_cell(words), str(sentence_html(words))))
    assert f"**proved** {words_cell(status_details(formula))}" in results_text(catalogue)
    assert line_of(Answer(record=formula)).formula == reading
