"""A proof that MONA contradicts stops the run, and every proof records MONA's answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.findings.made import formula, results
from tests.papers.small import ROOT, ruleset

from grundylab.cli.main import main
from grundylab.findings import proof_records as proofs
from grundylab.findings.proof_records import proofs_by_equality, prove_all, with_proofs
from grundylab.findings.results import Results
from grundylab.games.model import P_POSITIONS
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.syntax import TRUE
from grundylab.language.syntax import Logic as Connected
from grundylab.logic.atoms import TruthAutomata
from grundylab.logic.mona import MISSING, find_mona
from grundylab.logic.reader import AutomataReader
from grundylab.prove import prover
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Disagreement, GateReport, Limits
from grundylab.statement import statement_about

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

NIM = str(ROOT / "rulesets" / "nim-2.yaml")
FAR = "x ^ y == 0 or x + y == 10007"  # false beyond any table that is looked at


def judged(*formulas: str) -> Results:
    """Return the verdicts on formulas of one engine: the best is to be proved, and the others by being equal to it."""
    return results(formulas=tuple(formula(formula=text, key=key_of(text)) for text in formulas))


def key_of(text: str, name: str = "nim-2") -> str:
    return statement_about(ruleset(name), unpublished_claim(parse(text), P_POSITIONS)).key


@pytest.fixture
def open_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the gate pass everything, so that the checks behind it are tested."""
    monkeypatch.setattr(prover, "gate_report", lambda *_: GateReport(1, beyond=True))


@pytest.fixture
def broken_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the reader: it drops the last term of an ``or`` of two."""
    read = AutomataReader.truth

    def loses(self: AutomataReader, expr: Expr) -> TruthAutomata:
        lost = isinstance(expr, Connected) and expr.op == "or" and len(expr.terms) == 2
        return read(self, expr.terms[0] if lost else expr)

    monkeypatch.setattr(AutomataReader, "truth", loses)


def test_without_the_fault_the_formula_is_not_proved(tmp_path: Path) -> None:
    records = prove_all(ruleset("nim-2"), judged(FAR), [TRUE], 20, tmp_path)
    assert [record.status for record in records] == ["refuted"]


@pytest.mark.usefixtures("broken_reader")
def test_what_a_broken_reader_proves_is_stopped_by_the_gate(tmp_path: Path) -> None:
    (record,) = prove_all(ruleset("nim-2"), judged(FAR), [TRUE], 20, tmp_path)
    assert record.status != "proved"
    assert "the gate found" in record.proofs[0].reason


@pytest.mark.usefixtures("broken_reader", "open_gate")
def test_a_reader_that_reads_wrongly_stops_the_stage(tmp_path: Path) -> None:
    with pytest.raises(Disagreement, match=r"^nim-2: p: .*10007.* MONA does not"):
        prove_all(ruleset("nim-2"), judged(FAR), [TRUE], 20, tmp_path)


@pytest.mark.usefixtures("broken_reader", "open_gate")
def test_a_reader_that_reads_wrongly_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    script = tmp_path / "s.mona"
    status = main(["prove", NIM, "--target", "p", "--formula", FAR, "--out", str(script)])
    said = capsys.readouterr()
    assert status == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "MONA does not" in said.err
    assert "x + y == 10007" in said.err


def test_each_proof_says_that_the_checker_agrees_and_certify_goes_through_it(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    found = judged("x ^ y == 0", "x == y")
    records = prove_all(ruleset("nim-2"), found, [TRUE], 20, tmp_path)
    records += proofs_by_equality(ruleset("nim-2"), found.formulas, records, Limits(20), lambda _: None)
    assert [str(record.formula) for record in records] == ["x == y", "x ^ y == 0"]
    assert [record.proofs[0].second.status for record in records] == ["agrees"] * 2
    last = with_proofs(found, records).formulas
    assert [record.proofs[0].second.status for record in last] == ["agrees"] * 2
    script = records[0].proof
    assert main(["certify", NIM, script]) == 0
    assert "proved: p: x == y" in capsys.readouterr().out
    beside = Path(script).with_suffix(".json")
    assert main(["certify", NIM, str(beside)]) == 0
    record = json.loads(beside.read_text())
    record["statement"].update(formula="x <= y", key=key_of("x <= y"))
    record["evidence"].update(levels=["x <= y"])
    beside.write_text(json.dumps(record))
    capsys.readouterr()
    assert main(["certify", NIM, script]) == 2
    assert "the hypothesis is" in capsys.readouterr().err


@pytest.mark.usefixtures("open_gate")
def test_a_formula_that_is_not_equal_is_not_settled_by_the_proof_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Use the equality of both formulas as a premise, which the kernel must prove."""
    found = judged("x ^ y == 0", FAR)
    records = prove_all(ruleset("nim-2"), found, [TRUE], 20, tmp_path)
    monkeypatch.setattr(proofs, "true_everywhere", lambda *_: True)
    others = proofs_by_equality(ruleset("nim-2"), found.formulas, records, Limits(20), lambda _: None)
    assert "proved" not in [record.status for record in others]


def test_where_a_proof_is_for_some_parameters_the_checker_is_asked_of_those(tmp_path: Path) -> None:
    records = prove_all(
        ruleset("subtraction-1-to-m"), judged("x % 4 == 0"), [TRUE, parse_condition("m == 3")], 20, tmp_path
    )
    proved = [record for record in records if record.status == "proved"]
    assert {str(record.proofs[0].where) for record in proved} == {"m == 3"}
    assert {record.proofs[0].second.status for record in proved} == {"agrees"}
