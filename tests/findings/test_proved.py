"""A status always comes with the parameters that it was proved for, and with the number of procedures."""

import numpy as np
import pandas as pd
import pytest
from tests.findings.made import (
    KEY,
    OWN,
    attempted,
    catalogue,
    formula,
    needs_mona,
    paper,
    proof,
    results,
    statement,
    theorem_by,
)

from grundylab.automata.dfa import AutomataBudget, Dfa
from grundylab.findings.catalogue import write_catalogue
from grundylab.findings.proof_records import attempts, procedures_of, proof_record, prove_all, with_proofs
from grundylab.findings.verdicts import verified_claims
from grundylab.findings.wording import (
    extent_words,
    procedures_text,
    proof_words,
    status_details,
    words_text,
)
from grundylab.games import load_ruleset, make_instance, parse_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import TRUE, disjunction
from grundylab.prove.core.evidence import HeapEvidence, Runs
from grundylab.prove.outcome import PERIOD, Proof
from grundylab.records.proofs import Opinion, any_condition, region_of
from grundylab.report.decisions import decision_text
from grundylab.report.papers_document import papers_text
from grundylab.report.theorems import statements
from grundylab.solve import solve

P = parse_target("p")
EVERY_DIGIT = Dfa(("m",), np.zeros((1, 2), dtype=np.int32), np.ones((1, 2), dtype=bool), AutomataBudget())


@pytest.mark.parametrize(
    ("proofs", "number"),
    [
        ([proof()], 2),
        ([proof(two=False)], 1),
        ([proof(two=False), proof()], 2),
        ([proof("k == 1", "k == 1"), proof("k == 2", "k == 2", two=False)], 1),  # the weaker part
        ([proof("k == 1", "k == 1", two=False), proof("k == 1", "k == 1")], 2),
        ([proof("k == 1", "k == 1"), proof(two=False)], 1),  # it is one that says it of all
        ([proof("k == 1", "k == 1", two=False), proof(where="k < 9", exactly=True)], 2),
    ],
)
def test_by_how_many_procedures_is_that_of_the_proof_that_decides(proofs, number):
    record = formula(proofs=tuple(proofs))
    assert len(record.procedures) == number
    assert words_text(proof_words(record)).endswith(("by one procedure", "by two procedures")[number - 1])


@pytest.mark.parametrize(
    ("evidence", "names"),
    [
        ({"theorem": theorem_by(), "second": Opinion("another", "agrees")}, (OWN, "another")),
        ({"theorem": theorem_by(), "second": Opinion("another", "not checked", "too large")}, (OWN,)),
        ({"theorem": theorem_by(HeapEvidence(first=0, period=1, until=1))}, (PERIOD,)),
        ({"theorem": theorem_by(Runs())}, ("certificate of runs",)),
    ],
)
def test_a_proofs_record_names_its_procedures(evidence, names):
    found = Proof("proved", parse("x == y"), P, parse_condition("True"), **evidence)
    (record,) = attempts(found, lambda _: None, None, TRUE)
    (made,) = record.proofs
    assert made.procedures == names
    assert f"proved {procedures_text(made)}" in decision_text([record], 0.0)
    undecided = Proof("undecided", parse("x == y"), P, parse_condition("True"), **evidence)
    assert proof_record(undecided, None).procedures == ()
    assert procedures_of(names, found.second) == names  # none is counted twice


def test_parameters_without_a_name_are_not_taken_for_all():
    """Take ``where`` of such a proof as the condition of the question, not as the parameters found."""
    found = Proof(
        "proved",
        parse("x == m"),
        P,
        parse_condition("True"),
        automaton=EVERY_DIGIT,
        theorem=theorem_by(),
        key=KEY,
    )
    (record,) = attempts(found, lambda _: "f.mona", None, TRUE)
    assert record.proofs[0].unnamed
    assert region_of(record.proofs[0]) is None
    (known,) = with_proofs(results(formulas=(formula(formula="x == m"),)), [record]).formulas
    assert known.status == "proved"
    assert "automaton of 1 states" in words_text(extent_words(known))


@pytest.mark.parametrize(
    ("proved", "told"),
    [
        (["m % 4 == 0", "m == 4", "m == 8"], ["m % 4 == 0"]),
        (["m == 4", "m == 5", "m % 4 == 0"], ["m == 5", "m % 4 == 0"]),
        (["m == 4 and p == 0", "p == 0", "m == 6"], ["p == 0", "m == 6"]),
        (["k == 1", "m % 4 == 0"], ["k == 1", "m % 4 == 0"]),  # k says nothing about m
        (["m == 4", "True"], ["True"]),
    ],
)
def test_what_is_proved_under_a_wider_condition_is_not_told_under_a_narrower_one(proved, told):
    record = formula(proofs=tuple(proof(under=condition) for condition in proved))
    assert [str(one.condition) for one in record.extents] == told
    assert any_condition(map(parse_condition, proved)) == disjunction(*map(parse_condition, told))


def test_a_fixed_parameter_is_not_lost_where_the_answer_is_a_condition_on_others():
    found = Proof("proved", parse("x == m"), P, parse_condition("b < 3"), fixed=(("a", 1),), script="ws1s;")
    assert str(region_of(proof_record(found, None))) == "b < 3 and a == 1"


# -- a correction, from the ruleset to the page ---------------------------------------------------------------------

TAKE = """title: take 1 to m
parameters: {m: m >= 1}
position: {x: 0..N}
moves: [{take: "1..min(x, m)", from: x}]
claims:
  - {id: theorem, at: Theorem 1, paper: a-paper, target: p, formula: x % (m + 2) == 0}
"""
FAR = """title: take any number
position: {x: 0..N}
moves: [{take: t, from: x}]
claims:
  - {id: theorem, at: Theorem 1, paper: a-paper, target: p, formula: x == 1 or x == 90}
"""
PAPER = paper("a-paper", "T", ("A",), "A1", [statement("Theorem 1", "its P-positions")])


def judged_and_proved(tmp_path, text, settings, under):
    ruleset = parse_ruleset(text, "take-here")
    tables = [solve(make_instance(ruleset, setting, {"N": 20}), "outcome") for setting in settings]
    study = results(claims=tuple(verified_claims(ruleset, tables)))
    proofs = prove_all(ruleset, study, [parse_condition(where) for where in under], 30, tmp_path)
    return with_proofs(study, proofs).claims


@needs_mona
def test_a_correction_is_proved_for_the_parameters_only_that_it_is_proved_for(tmp_path):
    settings = [{"m": m} for m in (2, 3, 5)]
    (claim,) = judged_and_proved(tmp_path, TAKE, settings, ["m == 2", "m == 3"])
    better = claim.correction
    assert (claim.status, better.status, str(better.formula)) == ("refuted", "proved", "x % (m + 1) == 0")
    assert [(str(p.under), str(p.where), p.exactly) for p in better.proofs] == [
        ("m == 2", "m == 2", False),
        ("m == 3", "m == 3", False),
    ]
    document = papers_text([PAPER], [claim], [])
    assert document.count("`m == 2`, or `m == 3`") == 2
    assert "— proved |" not in document


@needs_mona
def test_a_correction_that_is_false_beyond_the_tables_is_none(tmp_path):
    (claim,) = judged_and_proved(tmp_path, FAR, [{}], ["True"])
    ruleset = parse_ruleset(FAR, "take-here")
    (before,) = verified_claims(ruleset, [solve(make_instance(ruleset, {}, {"N": 20}), "outcome")])
    assert (before.correction.status, str(before.correction.formula)) == ("holds", "x == 0 or x == 90")
    assert claim.correction is None


def test_what_is_exported_has_the_condition_and_the_number_beside_the_status(tmp_path):
    parts = (proof("k == 1", "k == 1", two=False), proof("k == 2", "k == 2"))
    found = catalogue(formulas=[formula(proofs=parts)])
    write_catalogue(found, tmp_path)
    (row,) = pd.read_parquet(tmp_path / "catalogue.parquet").to_dict("records")
    assert (row["extent"].endswith("k == 1, or k == 2"), row["procedures"]) == (True, OWN)


def test_what_a_proof_refutes_without_a_position_is_refuted_with_its_reason_wherever_it_is_told():
    """No output says that the statement holds, though no table has a counterexample."""
    why = "contradicts itself at (x=7, y=9)"
    found = formula(proofs=(proof(status="refuted", reason=why),))
    assert (found.status, words_text(status_details(found))) == ("refuted", why)
    tried = attempted("refuted", reason=why)
    assert decision_text([tried], 0.0).splitlines() == ["p: x == y", f"refuted: {why}"]
    _, *lines = statements([found], load_ruleset("nim-2"), {}).splitlines()
    assert lines[0] == "% refuted: p: x == y"
    assert f": {why}." in " ".join(lines)


@pytest.mark.parametrize(("one", "other", "count"), [("k == 1", "k == 2", 8), ("k == 1", "m == 1", None)])
def test_positions_of_two_proofs_are_added_only_if_none_is_in_both(one, other, count):
    proofs = tuple(proof(under=under, positions=4) for under in (one, other))
    assert formula(formula="x == 0", proofs=proofs).finite == count
