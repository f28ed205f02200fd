"""Periods as files for Coq: a right one is accepted, a wrong value or length rejected, and one too long refused."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.coq.test_development import needs_coq
from tests.coq.test_files import module, refuted

from grundylab.cli.main import main
from grundylab.errors import GrundylabError
from grundylab.findings import period_inductions as periods
from grundylab.findings.coq_checks import coq_file_of_proof, coq_file_of_saved_proof, coq_file_of_statement
from grundylab.findings.period_inductions import heap_question, induction_of, row_question
from grundylab.games import load_ruleset, parse_target
from grundylab.games.specialise import specialise
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import equalities
from grundylab.logic.coqc import MISSING, run_coqc
from grundylab.pipeline.rows_and_heaps import study_row
from grundylab.prove.coq_files import HEAD, LAST, induction_coq_text
from grundylab.prove.core.evidence import HeapEvidence, Layer
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.periods.heap import ProvedSequence, check_heap
from grundylab.prove.core.periods.recurrence import ProvedRow, check_layers
from grundylab.prove.core.periods.row_period import certificate_of, row_period
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import PERIOD, Disagreement
from grundylab.prove.proof_files import check_proof_file, proof_text
from grundylab.prove.prover import prove_claim
from grundylab.statement.qualified_names import qualified_game

HEAPS = [("subtraction-1-3-4", {}), ("octal", {"a": 3, "b": 3, "c": 7})]
ROWS = [("nim-with-a-pass-2", "p"), ("nim-with-a-pass-2", "grundy")]


def studied(ruleset, parameters, fixed, target):
    """Return the record of a row, and its theorem."""
    with TemporaryDirectory() as folder:
        row = study_row(ruleset, parameters, fixed, target, 300, Path(folder))
        return row, check_proof_file(json.loads(Path(row.proof).read_text()), ruleset, Kernel())


def period_of(name, parameters, fixed, target):
    """Return the statement that a row has its computed period, and the evidence for it."""
    ruleset = load_ruleset(name, "rulesets")
    found, theorem = studied(ruleset, parameters, fixed, parse_target(target))
    closed, evidence = qualified_game(ruleset), theorem.evidence
    where = equalities({**parameters, **fixed}.items())
    if isinstance(evidence, HeapEvidence):
        period = (evidence.first, evidence.period)
        return row_period(closed, where, found.axes, found.target, period, saltus=0), evidence
    period = (found.preperiod, found.period)
    statement = row_period(closed, where, found.axes, found.target, period)
    return statement, evidence.model_copy(update={"period": period})


def files_of(name, game, right, wrong):
    """Yield Coq modules: one says that the period is right, the others that each wrong variant is rejected."""
    yield module(f"{name}right", induction_coq_text(game, right, "a period"))
    for number, question in enumerate(wrong):
        yield module(f"{name}wrong{number}", refuted(induction_coq_text(game, question, "no period")))


def changed(values, place, more):
    return (*values[:place], values[place] + more, *values[place + 1 :])


def heap_files(number, name, parameters):
    statement, evidence = period_of(name, parameters, {}, "grundy")
    game = specialise(statement.game, parameters)
    known = check_heap(game, evidence)
    wrong = [
        replace(known, values=changed(known.values, place, more))
        for place, more in ((0, 1), (len(known.values) - 1, 2))
    ]
    wrong.append(replace(known, period=known.period - 1))  # with the same values
    assert induction_of(statement, evidence) == (game, heap_question(known))
    yield from files_of(f"heap{number}", game, heap_question(known), map(heap_question, wrong))


def row_files(number, name, target):
    statement, evidence = period_of(name, {}, {"p": 1} if target == "p" else {"p": 1, "x": 1}, target)
    found = certificate_of(statement, evidence)
    known = check_layers(found.game, found.layer, found.recurrences)
    top = known[found.layer]
    wrong = [
        ProvedRow(top.first, top.period, changed(top.differences, 0, 1)),
        ProvedRow(top.first, 1 + top.period, (*top.differences, top.differences[-1] + 1)),
    ]
    right, *others = (
        row_question(found.game, found.layer, {**known, found.layer: row}) for row in (top, *wrong)
    )
    assert induction_of(statement, evidence) == (found.game.game, right)
    yield from files_of(f"row{number}", found.game.game, right, others)


def claim_files():
    """Yield the Coq module of a claim about the P-positions of a heap that a move may split into two heaps."""
    ruleset, where = load_ruleset("octal", "rulesets"), parse_condition("a == 3 and b == 3 and c == 7")
    proof = prove_claim(ruleset, unpublished_claim(parse("x % 4 == 0"), parse_target("p")), where)
    assert proof.by == PERIOD
    text = coq_file_of_proof(proof, None)
    assert "(Ppos _ (of_sum _ (sums game par)) [a] <-> at_ game par a claim)" in text
    yield module("claim", text)


@needs_coq
def test_coq_accepts_periods_and_refutes_other_values_and_lengths():
    """All cases are in one file, since Coq starts slowly."""
    heaps = (heap_files(number, *heap) for number, heap in enumerate(HEAPS))
    rows = (row_files(number, *row) for number, row in enumerate(ROWS))
    names = [
        *(f"{what}{number}right.proved" for what in ("heap", "row") for number in range(2)),
        "claim.proved",
    ]
    file = [
        HEAD,
        *chain(*heaps, *rows, claim_files()),
        f"Definition proved := ({', '.join(names)})%core.",
        LAST,
    ]
    answer = run_coqc("\n".join(file), timeout=120)
    assert (answer.status, answer.reason) == ("accepted", None)


def test_automata_stop_at_a_period_that_they_do_not_find_right(monkeypatch):
    period = period_of("subtraction-1-3-4", {}, {}, "grundy")
    monkeypatch.setattr(periods, "check_heap", lambda *_: ProvedSequence("x", 0, 0, 2, (0, 1)))
    with pytest.raises(Disagreement, match=r"refute it at \(x=4\)"):
        coq_file_of_statement(*period, None)


def test_too_long_a_period_is_refused_in_words():
    """Refuse a period of too many values at once; a shorter one is refused if its automata are too large."""
    why = "^too long for Coq: 87 values"
    with pytest.raises(GrundylabError, match=why):
        coq_file_of_statement(*period_of("dawsons-kayles", {}, {}, "grundy"), None)
    statement, evidence = period_of("nim-with-a-pass-2", {}, {"p": 1}, "p")
    layers = [Layer(layer=(n,), first=first, period=1, gap=0) for n, first in enumerate((1_499, 500))]
    with pytest.raises(GrundylabError, match=r"^too long for Coq: 2,001 values"):
        coq_file_of_statement(statement, evidence.model_copy(update={"layers": tuple(layers)}), None)


@pytest.mark.parametrize(
    "which", [("subtraction-1-3-4", {}, {}, "grundy"), ("nim-with-a-pass-2", {}, {"p": 1}, "p")]
)
def test_the_file_of_a_period_that_was_kept_is_that_of_the_period(which):
    statement, evidence = period_of(*which)
    kept = json.loads(proof_text(Theorem(statement, evidence)))
    assert coq_file_of_saved_proof(load_ruleset(which[0], "rulesets"), kept) == coq_file_of_statement(
        statement, evidence, None
    )


def test_rows_has_the_period_machine_checked_and_keeps_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRUNDYLAB_COQC", "no-such-program")
    assert main(["rows", "subtraction-1-3-4", "--target", "grundy", "--coq"]) == 0
    (file,) = tmp_path.rglob("*.v")
    assert f"\n    not machine-checked: {MISSING} ({file.relative_to(tmp_path)})" in capsys.readouterr().out
    _, found = studied(load_ruleset("subtraction-1-3-4"), {}, {}, parse_target("grundy"))
    assert file.read_text() == coq_file_of_statement(found.statement, found.evidence, None)
