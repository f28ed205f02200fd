"""Coq's answers on a run's proofs: accepted proofs are marked, a rejected one stops the run, others get a reason."""

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from tests.findings import made
from tests.findings.made import results

from grundylab.files import write_json, write_text
from grundylab.findings import coq_checks as machine
from grundylab.findings.catalogue import read_catalogue, record_to_json
from grundylab.findings.proof_records import prove_all, with_proofs
from grundylab.findings.verdicts import verified_claims
from grundylab.findings.wording import (
    coq_answer_text,
    procedure_count_text,
    procedures_text,
    proved_counts_text,
)
from grundylab.games import load_ruleset, make_instance
from grundylab.games.model import P_POSITIONS
from grundylab.language.syntax import TRUE
from grundylab.logic.coqc import MISSING, CoqAnswer
from grundylab.pipeline.catalogue_stage import catalogue_stage
from grundylab.pipeline.rows_and_heaps import study_row
from grundylab.prove.coq_files import ONE_WAY
from grundylab.prove.outcome import PERIOD, Disagreement, Limits
from grundylab.records.proofs import with_coq_answer
from grundylab.report.decisions import decision_text
from grundylab.report.site.build import write_site
from grundylab.solve import solve

LIMITS = Limits(20)
NIM = """\
title: Nim
position: {x: 0..N, y: 0..N}
moves: [{take: 1..x, from: x}, {take: 1..y, from: y}]
claims:
  - {id: diagonal, at: "1", unpublished: true, target: p, formula: x == y}
  - {id: all, at: "2", unpublished: true, target: p, formula: x <= y}
  - {id: zero, at: "3", unpublished: true, target: p, formula: "G(x, y) == 0", values: {G: this}}
"""

THREE = """\
title: Nim
position: {x: 0..N, y: 0..N, z: 0..N}
moves: [{take: 1..x, from: x}, {take: 1..y, from: y}, {take: 1..z, from: z}]
"""


@pytest.fixture
def nim(tmp_path, monkeypatch):
    """Return a game and the attempts to prove its claims, made in the test's own folder."""
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path / "rulesets" / "game.yaml", NIM)
    ruleset = load_ruleset("game")
    return ruleset, prove_all(ruleset, verdicts(ruleset), [TRUE], 20.0, Path("proofs"))


def verdicts(ruleset):
    return results(
        claims=tuple(verified_claims(ruleset, [solve(make_instance(ruleset, {}, {"N": 9}), "grundy")]))
    )


@pytest.fixture
def says(monkeypatch):
    """Return a function that makes Coq give this answer, and returns the list of the files that Coq was asked about."""

    def of(status, message=None):
        asked = []

        def answer(text, **limits):
            asked.append(text)
            return CoqAnswer(status, message)

        monkeypatch.setattr(machine, "run_coqc", answer)
        return asked

    return of


def checked(ruleset, tried):
    """Return the proofs of these attempts with Coq's answers."""
    found = machine.check_proofs_by_coq(ruleset, results(tried), Path("coq"), LIMITS)
    return [proof for each in found.findings for proof in each.proofs]


def test_what_coq_accepts_is_machine_checked_and_its_files_are_kept(nim, says):
    ruleset, tried = nim
    asked = says("accepted")
    proofs = checked(ruleset, tried)
    said = [proof.machine_checked for proof in proofs]
    assert [answer is not None for answer in said] == [proof.status == "proved" for proof in proofs]
    accepted = [answer for answer in said if answer and answer.status == "accepted"]
    assert sorted(asked) == sorted(path.read_text() for path in Path("coq").iterdir())
    assert {Path(answer.file) for answer in accepted} == set(Path("coq").iterdir())
    assert all(path.stem.isidentifier() for path in Path("coq").iterdir())  # as coqc wants it
    first = proofs[0]
    assert coq_answer_text(first).startswith("machine-checked: ")
    assert procedure_count_text(first.procedures).endswith(", machine-checked")
    assert "; Coq)" in procedures_text(first)
    assert proved_counts_text([made.formula(proofs=(made.proof(procedures=first.procedures),))]).endswith(
        ", 1 machine-checked"
    )
    assert f"\n{coq_answer_text(first)} ({first.machine_checked.file})" in decision_text(
        [replace(tried[0], proofs=(first,))], 0.1
    )
    # of a definition there is no induction
    refused = next(answer for answer in said if answer and answer.status == "not written")
    assert refused.file is None


def test_a_rejection_stops_the_run(nim, says):
    says("rejected", "it is false")
    with pytest.raises(Disagreement, match="it is false"):
        checked(*nim)


@pytest.mark.parametrize(
    ("status", "why"), [("timeout", "Coq did not finish in 300 seconds"), ("missing", MISSING)]
)
def test_without_an_answer_it_says_why_and_no_procedure_is_counted(nim, says, status, why):
    says(status, why)
    ruleset, (first, *_) = nim
    (known,) = checked(ruleset, [first])
    assert coq_answer_text(known) == f"not machine-checked: {why}"
    assert known.procedures == first.proofs[0].procedures


def test_a_file_that_says_less_than_the_proof_does_not_count_as_a_proof_of_it(nim, says):
    says("accepted")
    (_, (tried, *_)), said = nim, machine.check_by_coq("game", lambda: ONE_WAY, None, LIMITS)
    (first,) = tried.proofs
    assert coq_answer_text(with_coq_answer(first, said)).endswith(f"; {ONE_WAY}")
    assert with_coq_answer(first, said).procedures == first.procedures


def test_an_equal_formula_is_asked_about_by_the_same_induction(nim, says):
    ruleset, (first, *_) = nim
    asked = says("accepted")
    other = replace(first, formula=f"not not ({first.formula})")
    one, two, again = (proof.machine_checked for proof in checked(ruleset, [first, other, other]))
    assert (len(asked), len({one.file, two.file, again.file}), two) == (2, 2, again)


def test_the_catalogue_and_the_page_have_what_coq_said(nim, says):
    ruleset, tried = nim
    says("accepted")
    proved = with_proofs(verdicts(ruleset), tried)
    found = machine.check_proofs_by_coq(ruleset, proved, Path("results/game/coq"), LIMITS)
    head = {"study": "game", "made": made.made_now("rulesets/game.yaml")}
    write_json(Path("p.json"), {**head, **record_to_json(proved)})
    write_json(Path("c.json"), {**head, **record_to_json(found)})
    about = record_to_json(made.study("game", ruleset="game"))
    catalogue_stage({"game": {"about": about, "open": None}}, ["p.json"], "catalogue.json", coq=["c.json"])
    (known, *_) = read_catalogue("catalogue.json").claims
    said = known.proofs[0].machine_checked
    assert (known.procedures[-1], said.status) == ("Coq", "accepted")
    write_site(read_catalogue("catalogue.json"), Path(), Path("page"))
    page = Path("page/rulesets/game.html").read_text()
    assert f"{procedure_count_text(known.procedures)}<" in page
    name = Path(said.file).name  # which coqc takes
    assert re.search(rf"Machine-checked: [^<]*<code>{name}</code> in <a href=", page)
    assert zipfile.ZipFile("page/proofs/game.zip").read(name) == Path(said.file).read_bytes()
    assert "Not machine-checked: " in page


def test_the_period_of_a_row_is_machine_checked_and_the_page_offers_its_file(tmp_path, monkeypatch, says):
    monkeypatch.chdir(tmp_path)
    asked = says("accepted")
    write_text(Path("rulesets/three.yaml"), THREE)
    three, folder = load_ruleset("three"), Path("results/three/rows")
    row = study_row(three, {}, {"x": 1}, P_POSITIONS, 300, folder)
    (checked_row,) = machine.check_rows_by_coq(three, [row], Path("results/three/coq"), LIMITS)
    said = checked_row.machine_checked
    assert len(asked) == 1
    assert (said.status, Path(said.file).read_text()) == ("accepted", asked[0])
    head = {"study": "three", "made": made.made_now("rulesets/three.yaml")}
    head |= record_to_json(results())
    write_json(Path("p.json"), head)
    write_json(Path("r.json"), {**head, "rows": [record_to_json(row)]})
    write_json(Path("c.json"), {**head, "rows": [record_to_json(checked_row)]})
    study = {"three": {"about": record_to_json(made.study("three", ruleset="three")), "open": None}}
    catalogue_stage(study, ["p.json"], "catalogue.json", rows=["r.json"], coq=["c.json"])
    known = read_catalogue("catalogue.json")
    assert (known.rows[0].machine_checked, known.formulas[0].procedures) == (said, (PERIOD, "Coq"))
    write_site(known, Path(), Path("page"))
    page, name = Path("page/rulesets/three.html").read_text(), Path(said.file).name
    assert re.search(rf"machine-checked: [^<]*<code>{name}</code>", page)
    offered = zipfile.ZipFile("page/proofs/three.zip")
    assert offered.read(name).decode() == asked[0]
    assert offered.read(Path(row.proof).name) == Path(row.proof).read_bytes()
