"""The final verdicts of the catalogue: a proof makes a theorem, and a refutation by the prover outweighs 'holds'.

A formula that holds is proved if it equals a proved one, and refuted with a counterexample if it does not.
"""

import json
from pathlib import Path

import pytest
from tests.findings.made import PARTIAL, WRONG, attempted, candidate, claim, formula, needs_mona, results

from grundylab.check.verification import Counterexample
from grundylab.errors import ConfigError
from grundylab.findings import proof_records
from grundylab.findings.proof_records import (
    LATE,
    proofs_by_equality,
    prove_all,
    with_proofs,
    write_script,
)
from grundylab.findings.verdicts import verified_claims, verified_formulas
from grundylab.games import make_instance, parse_ruleset
from grundylab.games.yamlfile import parse_document
from grundylab.language import parse_condition
from grundylab.language.syntax import TRUE
from grundylab.pipeline.config import make_studies
from grundylab.prove.inductions import undecided_proof
from grundylab.prove.outcome import Limits
from grundylab.solve import solve
from grundylab.statement import statement_about

ANOTHER = "6" * 64  # the key of another statement
JUDGED = {
    "holds": {},
    "undecided": {"reason": "too large"},
    "partial": PARTIAL,
    "refuted": {"counterexample": WRONG},
}


@pytest.mark.parametrize(
    ("before", "proved", "after"),
    [
        ("holds", "proved", "proved"),
        ("undecided", "proved", "proved"),
        ("holds", "undecided", "holds"),
        ("holds", "refuted", "refuted"),
        ("partial", "proved", "partial"),
        ("refuted", "refuted", "refuted"),
        ("refuted", "proved", "refuted"),
    ],
)
def test_a_proof_changes_the_verdict_of_its_own_record_only(before, proved, after):
    judged = JUDGED[before]
    of_a_claim = {key: value for key, value in judged.items() if before != "partial"}
    example = Counterexample({"x": 1}, {}, 1, 1, 0) if proved == "refuted" else None
    verdicts = results(formulas=(formula(**judged),), claims=(claim(key=ANOTHER, **of_a_claim),))
    found = with_proofs(verdicts, [attempted(proved, counterexample=example)])
    (one,) = found.formulas
    assert (verdicts.formulas[0].status, one.status) == (before, after)
    assert found.claims[0].status == verdicts.claims[0].status
    assert one.proof == ("f.mona" if after == "proved" else None)
    assert one.counterexample == (judged.get("counterexample") or example)


def test_a_proof_of_another_statement_in_the_same_words_changes_nothing():
    """A function, a looked-up value or a variable may mean something else in the other statement."""
    verdicts = results(formulas=(formula(),), claims=(claim(),))
    example = Counterexample({"x": 1}, {}, 1, 1, 0)
    others = [attempted(key=ANOTHER), attempted("refuted", key=ANOTHER, counterexample=example)]
    assert with_proofs(verdicts, others) == with_proofs(verdicts, [])


# -- what holds beside a formula that is proved -----------------------------------------------------------------------

NIM = parse_ruleset(
    "title: Nim\nparameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n",
    "nim-here",
)


def catalogued(tmp_path, candidates, under="True"):
    """Return the formulas' records with proofs; of those about all positions, only the first is given to the prover."""
    tables = [solve(make_instance(NIM, {"m": 1}, {"N": 10}), "outcome")]
    study = results(formulas=tuple(verified_formulas(NIM, candidates, {"test": tables})))
    about_all = results(formulas=tuple(f for f in study.formulas if f.where == TRUE))
    proofs = prove_all(NIM, about_all, [parse_condition(under)], 30, tmp_path)
    assert [proof.formula for proof in proofs] == [study.formulas[0].formula]
    proofs += proofs_by_equality(
        NIM, study.formulas, proofs, Limits(30), lambda proof: write_script(proof, tmp_path, None)
    )
    return with_proofs(study, proofs).formulas


@needs_mona
def test_each_formula_that_holds_is_settled(tmp_path):
    formulas = ("x == y", "x ^ y == 0", "x == y and x != 40", "x * x == y * y")
    elsewhere = candidate(where="x <= 3")
    proved, equal, far, outside, other = catalogued(tmp_path, [*map(candidate, formulas), elsewhere])
    assert (proved.status, equal.status) == ("proved", "proved")
    assert "x == y" in equal.proofs[0].reason
    assert {json.loads(Path(each.proof).with_suffix(".json").read_text())["statement"]["formula"]
            for each in (proved, equal)} == {"x == y", "x ^ y == 0"}  # fmt: skip
    assert (far.status, far.counterexample.position) == ("refuted", {"x": 40, "y": 40})
    assert outside.status == "holds"  # the logic has no products: nothing is known
    assert (other.status, other.proofs) == ("holds", ())  # it is about other positions


@needs_mona
def test_the_shortest_formula_is_given_to_the_prover_and_the_plainest_if_that_fails(tmp_path):
    tables = [solve(make_instance(NIM, {"m": 1}, {"N": 10}), "outcome")]
    for first, then in (
        ("x <= y <= x or x == y", ["x ^ y < 1"]),
        ("x <= y and (x == y or y <= x)", ["x * x == y * y", "x <= y and (x == y or y <= x)"]),
    ):
        asked = [candidate(first), candidate(then[0])]
        judged = results(formulas=tuple(verified_formulas(NIM, asked, {"test": tables})))
        proofs = prove_all(NIM, judged, [TRUE], 30, tmp_path)
        assert [str(proof.formula) for proof in proofs] == then


@needs_mona
def test_under_a_condition_it_is_proved_under_that(tmp_path):
    formulas = ("x == y", "x == y and m == 2 or x - y == 0")
    _, equal = catalogued(tmp_path, map(candidate, formulas), under="m == 2")
    assert (equal.status, str(equal.proofs[0].under)) == ("proved", "m == 2")


CLAIMS = parse_ruleset(
    "title: Nim\nparameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nclaims:\n"
    "  - {id: always, target: p, formula: x == y}\n"
    "  - {id: sometimes, target: p, formula: m == 2 and x == y or m * m != 4 and x == y}\n",
    "nim-claimed",
)


@needs_mona
def test_what_is_proved_for_all_parameters_is_not_asked_again_for_some(tmp_path):
    tables = [solve(make_instance(CLAIMS, {"m": 1}, {"N": 10}), "outcome")]
    judged = results(claims=tuple(verified_claims(CLAIMS, tables)))
    wheres = [parse_condition("True"), parse_condition("m == 2")]
    asked = [
        (proof.claim, str(proof.under), proof.status)
        for tried in prove_all(CLAIMS, judged, wheres, 30, tmp_path)
        for proof in tried.proofs
    ]
    # of the other the logic has no product of parameters, but that of a number
    assert asked == [
        ("always", "True", "proved"),
        ("sometimes", "True", "undecided"),
        ("sometimes", "m == 2", "proved"),
    ]


LOOKED_UP = """
title: One pile
position: {x: 0..N}
moves: [{take: 1, from: x}]
claims:
  - {id: values, values: {G: this}, condition: G(x) == x % 2}
"""


def test_a_claim_that_looks_values_up_is_tried_without_the_formulas_found(tmp_path, monkeypatch):
    helped = []

    def undecided(ruleset, claim, where, helpers=(), **_):
        helped.append((claim.id, len(helpers)))
        return undecided_proof(statement_about(ruleset, claim), "not proved")

    monkeypatch.setattr(proof_records, "prove_claim", undecided)
    ruleset = parse_ruleset(LOOKED_UP)
    tables = [solve(make_instance(ruleset, {}, {"N": 9}), "grundy")]
    judged = results(
        formulas=(formula(formula="x % 2", target="grundy"),), claims=tuple(verified_claims(ruleset, tables))
    )
    prove_all(ruleset, judged, [TRUE], 20.0, tmp_path)
    assert [count for claim, count in helped if claim == "values"] == [1, 0]


@pytest.mark.parametrize(("seconds", "of_the_claim"), [(60.0, ("proved", None)), (0.0, ("undecided", LATE))])
def test_what_was_asked_is_proved_before_the_claims_and_no_proof_is_begun_without_time(
    seconds, of_the_claim, tmp_path
):
    game = parse_ruleset(
        "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
        "claims: [{id: less, target: p, where: x <= y, formula: y <= x}]\n"
    )
    tables = [solve(make_instance(game, {}, {"N": 9}), "outcome")]
    judged = results(
        formulas=verified_formulas(game, [formula(formula="x == y")], {"test": tables}),
        claims=verified_claims(game, tables),
    )
    begun = list[str]()

    def left():
        return 60.0 if len(begun) == 1 else seconds

    tried = prove_all(game, judged, [TRUE], 20.0, tmp_path, left=left, begin=begun.append)
    assert begun == ["x == y", "less"]
    verdicts = {proof.claim: (proof.status, proof.reason) for each in tried for proof in each.proofs}
    assert verdicts == {None: ("proved", None), "less": of_the_claim}


def test_the_run_asks_for_the_grundy_numbers_from_which_a_claim_about_heaps_follows(tmp_path):
    study = make_studies(parse_document(Path("config.yaml").read_text(), "config.yaml", ConfigError))[
        "heaps-1-2-3"
    ]
    known = {
        "p": "(m1 + m2) % 2 == 0 and (m1 + m3) % 2 == 0",
        "grundy": "(m1 + m3) % 2 + 2 * ((m2 + m3) % 2)",
    }
    found = [formula(formula=known[str(target)], target=str(target)) for target in study.targets]
    tables = [solve(make_instance(study.ruleset, {}, {"N": 12}))]
    claims = [each for each in verified_claims(study.ruleset, tables) if each.source.claim == "theorem-1-ii"]
    tried = prove_all(study.ruleset, results(formulas=found, claims=claims), [TRUE], 20.0, tmp_path)
    assert [proof.status for each in tried for proof in each.proofs if proof.claim] == ["proved"]
