"""New findings are the same in the frame, on the page, in new-results.md and in the account; open questions likewise."""

from dataclasses import replace

import pytest
from tests.findings.made import candidate, counts, needs_mona, results, row, study

from grundylab.files import write_text
from grundylab.findings.answers import answers, formula_answers, news, unanswered_settings
from grundylab.findings.catalogue import catalogue_of
from grundylab.findings.claim_comparisons import with_relations
from grundylab.findings.proof_records import prove_all, with_proofs
from grundylab.findings.verdicts import verified_claims, verified_formulas
from grundylab.findings.wording import is_new
from grundylab.games import load_ruleset, make_instance
from grundylab.games.model import P_POSITIONS
from grundylab.language import parse
from grundylab.language.syntax import TRUE
from grundylab.prove.outcome import Limits
from grundylab.records.finding import LearntTables
from grundylab.records.relation import NEW
from grundylab.report.account import account
from grundylab.report.results_document import results_record, results_text
from grundylab.report.site.headlines import headlines
from grundylab.solve import solve

RULESETS = {
    "two-piles": """\
title: Nim
piles: 2
position: {x: 0..N}
moves: [{take: t, from: x}]
claims: [{id: bouton, at: Bouton 1902, target: p, formula: x == y}]
""",
    "from-m": """\
extends: two-piles
title: Nim with a pass from m stones on
parameters: {m: m >= 1}
pass: {when: x + ... >= m}
claims:
  - id: conjecture-1
    at: Conjecture 1
    where: m % 4 == 0 or m % 4 == 3
    target: p
    formula: x ^ y == (p if x + y >= m else 0)
  - id: ours
    unpublished: true
    where: m % 4 == 1 or m % 4 == 2
    target: p
    formula: x == y if x + y < m else abs(y - x) == p and x ^ y != 1
""",
    "take": """\
title: Take one or two
position: {x: 0..N}
moves: [{take: "1..min(2, x)", from: x}]
claims:
  - {id: late, at: A. Body 1956, where: x >= 3, target: p, formula: x % 3 == 0}
""",
}
KNOWN, PART, EXTENDED = "x ^ y == (p if x + y >= m else 0)", "x == y", "x % 3 == 0"
ANSWER = "x == y if x + y < m else x ^ y != 1 and abs(x - y) == p"
OPEN = "unsolved in a paper"
LEARNT = (LearntTables(instances=("N=9",), positions=100),)


def judged(folder, name, ruleset, settings, formulas, claims=False):
    """Return the verdicts of a study. settings: those of its tables. formulas: each with whether it is exact."""
    tables = [solve(make_instance(ruleset, each, {"N": 9}), "outcome") for each in settings]
    candidates = [
        candidate(text, exact=exact, where=where, learnt=LEARNT, train=counts(100 if exact else 90, 100))
        for text, exact, where in formulas
    ]
    found = results(
        formulas=tuple(verified_formulas(ruleset, candidates, {"test": tables})),
        claims=tuple(verified_claims(ruleset, tables)) if claims else (),
    )
    proofs = prove_all(ruleset, found, [TRUE], 30, folder / name)
    tested = [table.instance for table in tables]
    found = with_proofs(found, proofs)
    related = with_relations(ruleset, found.findings, found.formulas, tested, Limits(30))
    return replace(found, findings=tuple(related))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return the catalogue of three studies, and their rulesets: one is open, beside another of the same ruleset."""
    folder = tmp_path_factory.mktemp("proofs")
    for name, text in RULESETS.items():
        write_text(folder / f"{name}.yaml", text)
    game, take = load_ruleset(folder / "from-m.yaml"), load_ruleset(folder / "take.yaml")
    part, whole = (PART, True, "p == 0"), "True"
    fours, twos = ({"m": 4}, {"m": 8}), ({"m": 2}, {"m": 6})
    verdicts = {
        "four": (game, fours, [(KNOWN, True, whole), (ANSWER, False, whole), part], True),
        "two": (game, twos, [(ANSWER, True, whole), (KNOWN, False, whole), part]),
        "take": (take, [{}], [(EXTENDED, True, whole)], True),
    }
    studies = [
        study("four", ruleset="from-m", settings=fours),
        study("two", ruleset="from-m", settings=twos, open=OPEN),
        study("take", ruleset="take"),
    ]
    pairs = [(each, judged(folder, each.study, *verdicts[each.study])) for each in studies]
    return catalogue_of(pairs), pairs, {"from-m": game, "take": take}


def page(run):
    data, _, _ = run
    found = answers(data)
    return formula_answers(found), data.claims, headlines(news(data, found), data.claims)


def texts(heads):
    return [str(head[0].formula) for head in heads]


@needs_mona
def test_the_frame_the_page_and_the_notes_agree_on_what_is_new(run):
    data, pairs, _ = run
    frame = data.to_frame()
    new = frame[frame.relation == "new"]
    assert [*zip(new.study, new.kind, new.status, strict=True)] == [
        ("two", "formula", "proved"), ("four", "claim", "proved"),
    ]  # fmt: skip
    assert new.formula.tolist()[0] == ANSWER
    formulas, claims, heads = page(run)
    assert texts(heads["proved"]) == [ANSWER]  # once, and not the ruleset's own record of it
    assert heads["holds"] == []
    assert [str(f.formula) for f in formulas if is_new(f)] == [ANSWER]
    assert [claim.source.claim for claim in claims if is_new(claim)] == ["ours"]
    notes = results_record(data)
    assert [(each["section"], each["formula"]) for each in notes if each["relation"] == "new"] == [
        ("proved", ANSWER)
    ]
    text = results_text(data)
    assert f"- {NEW}\n" in text[text.index("## Proved") : text.index("## Holds")]
    told = account(catalogue_of(pairs[1:2])).splitlines()
    assert told.count(f"      {NEW}") == 1
    assert told.index(f"      {NEW}") - told.index(f"  P-positions: {ANSWER}") < 5


@needs_mona
def test_a_claim_with_a_source_is_on_record_and_what_extends_it_is_not_new(run):
    data, pairs, _ = run
    frame = data.to_frame()
    (extends,) = frame[frame.formula.eq(EXTENDED) & frame.kind.eq("formula")].to_dict("records")
    assert (extends["relation"], extends["related_to"]) == ("extends", "extends late (proved)")
    _, _, heads = page(run)
    assert texts(heads["beyond"]) == [EXTENDED]
    assert {head[0].source.claim for head in heads["own"]} == {"conjecture-1", "late"}
    (item,) = [each for each in results_record(data) if each["formula"] == EXTENDED]
    assert (item["section"], item["relation"]) == ("also", "extends")
    assert EXTENDED in results_text(data).split("## Beyond ")[1]
    assert "      extends late (proved)" in account(catalogue_of(pairs[2:])).splitlines()


@needs_mona
def test_that_it_was_open_stands_at_the_answers_of_the_open_study_only(run):
    data, _, _ = run
    assert {(f.study, str(f.formula)) for f in data.formulas if f.open} == {("two", ANSWER)}
    assert {claim.source.claim for claim in data.claims if claim.open} == {
        "ours"
    }  # also if no engine finds it
    formulas, claims, heads = page(run)
    assert {str(f.formula) for f in formulas if f.open} == {ANSWER}
    assert {claim.source.claim for claim in claims if claim.open} == {"ours"}
    assert heads["proved"][0][0].open == OPEN
    assert results_text(data).count(f"Open: {OPEN}.") == 1


@needs_mona
def test_what_only_the_ruleset_answers_is_new_and_answers_the_open_question(run):
    _, pairs, rulesets = run
    without = [(s, results(claims=v.claims) if s.study == "two" else v) for s, v in pairs]
    data = catalogue_of(without)
    _, _, heads = page((data, without, rulesets))
    assert [(head[0].source.claim, head[0].open) for head in heads["proved"]] == [("ours", OPEN)]
    (item,) = [each for each in results_record(data) if each["relation"] == "new"]
    assert (item["section"], item["open"]) == ("proved", OPEN)


@needs_mona
def test_a_formula_that_is_wrong_in_a_study_does_not_answer_it(run):
    data, pairs, _ = run
    without = [(s, results(v.formulas[1:], v.claims) if s.study == "two" else v) for s, v in pairs]
    for catalogue, left in (data, []), (catalogue_of(without), [{}]):
        two = catalogue.studies[1]
        assert unanswered_settings(two, P_POSITIONS, answers(catalogue)) == left


def with_row(pairs, row):
    """Return the catalogue of the studies, with a row of the one that it names."""
    added = [(s, replace(its, rows=(row,)) if s.study == row.study else its) for s, its in pairs]
    return catalogue_of(added)


@needs_mona
def test_a_row_with_the_formula_of_an_engine_is_one_record_with_both_proofs(run):
    data, pairs, _ = run
    found = data.formulas[-1]
    about = {"ruleset": "take", "study": "take", "row": {}, "proof": "row.json", "size": found.size}
    one = row(**about, formula=str(found.formula))
    merged_data = with_row(pairs, one)
    (merged,) = [f for f in merged_data.formulas if f.formula == found.formula]
    (answer,) = [a for a in answers(merged_data) if a.found and a.ruleset == "take"]
    assert answer.engines == ("search", "rows")
    assert [proof.proof for proof in merged.proofs] == [*(p.proof for p in found.proofs), "row.json"]
    other = replace(one, formula=parse("x % 3 <= 0"))
    assert len(with_row(pairs, other).formulas) == len(data.formulas) + 1
