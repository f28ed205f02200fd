"""Periods as files for Coq: a right one is accepted, another value or length is refuted, too long a one is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import pytest
from tests.coq.test_development import needs_coq
from tests.coq.test_files import module, refuted

from grundylab.catalogue import periods
from grundylab.catalogue.machine import kept_file, proof_file
from grundylab.catalogue.periods import heap_question, induction_of, row_question
from grundylab.cli.main import main
from grundylab.errors import GrundylabError
from grundylab.games import load_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.logic.coqc import MISSING, run_coqc
from grundylab.pipeline.rows import study_row
from grundylab.prove.coq import HEAD, LAST, written
from grundylab.prove.heap_certificate import ProvedSequence, check_heap, read_heap
from grundylab.prove.hypothesis import asked
from grundylab.prove.outcome import PERIOD, Disagreement
from grundylab.prove.prover import prove_claim
from grundylab.prove.recurrence import ProvedRow, check_layers
from grundylab.prove.row_certificate import read_row

HEAPS = [("subtraction-1-3-4", {}), ("octal", {"a": 3, "b": 3, "c": 7})]
ROWS = [("nim-with-a-pass-2", "p"), ("nim-with-a-pass-2", "grundy")]


def certificate(name, parameters, fixed, target):
    """Of a period, which claims all that this says."""
    ruleset = load_ruleset(name, "rulesets")
    known = study_row(ruleset, parameters, fixed, parse_target(target), 300).certificate
    return ruleset, {**known, "formula": None, "where": "True"}


def files_of(name, game, right, wrong):
    """The period as a module, and what it is not as modules that say so."""
    yield module(f"{name}right", written(game, right, "a period"))
    for number, question in enumerate(wrong):
        yield module(f"{name}wrong{number}", refuted(written(game, question, "no period")))


def changed(values, place, more):
    return (*values[:place], values[place] + more, *values[place + 1 :])


def heap_files(number, name, parameters):
    ruleset, record = certificate(name, parameters, {}, "grundy")
    found = read_heap(record, ruleset)
    known = check_heap(found)
    wrong = [
        replace(known, values=changed(known.values, place, more))
        for place, more in ((0, 1), (len(known.values) - 1, 2))
    ]
    wrong.append(replace(known, period=known.period - 1))  # with the same values
    assert induction_of(record, ruleset) == (found.game, heap_question(known))
    yield from files_of(f"heap{number}", found.game, heap_question(known), map(heap_question, wrong))


def row_files(number, name, target):
    ruleset, record = certificate(name, {}, {"p": 1} if target == "p" else {"p": 1, "x": 1}, target)
    found = read_row(record, ruleset)
    known = check_layers(found.game, found.layer, found.recurrences)
    top = known[found.layer]
    wrong = [
        ProvedRow(top.first, top.period, changed(top.differences, 0, 1)),
        ProvedRow(top.first, 1 + top.period, (*top.differences, top.differences[-1] + 1)),
    ]
    right, *others = (
        row_question(found.game, found.layer, {**known, found.layer: row}) for row in (top, *wrong)
    )
    assert induction_of(record, ruleset) == (found.game.game, right)
    yield from files_of(f"row{number}", found.game.game, right, others)


def claim_files():
    """Of P-positions of a heap that may be left as two."""
    ruleset, where = load_ruleset("octal", "rulesets"), parse_condition("a == 3 and b == 3 and c == 7")
    proof = prove_claim(ruleset, asked(parse("x % 4 == 0"), parse_target("p")), where)
    assert proof.by == PERIOD
    text = proof_file(ruleset, proof)
    assert "(Ppos _ (of_sum _ (sums game par)) [a] <-> at_ game par a claim)" in text
    yield module("claim", text)


@needs_coq
def test_coq_accepts_periods_and_refutes_other_values_and_lengths():
    """All in one file."""
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
    ruleset, record = certificate("subtraction-1-3-4", {}, {}, "grundy")
    monkeypatch.setattr(periods, "check_heap", lambda found: ProvedSequence("x", 0, 0, 2, (0, 1)))
    with pytest.raises(
        Disagreement, match=r"proved of a period, but automata do not, see \(x=4\); please report"
    ):
        kept_file(ruleset, record)


def test_too_long_a_period_is_refused_in_words():
    """Of values that are too many nothing is made; of fewer the automata may be too large."""
    why = r"^there are 87 values up to the end of the first period, and Coq would take too long$"
    with pytest.raises(GrundylabError, match=why):
        kept_file(*certificate("dawsons-kayles", {}, {}, "grundy"))
    layers = [{"again": 1_500}, {"again": 501}]
    with pytest.raises(GrundylabError, match=r"^there are 2,001 values up to the end"):
        kept_file(load_ruleset("nim", "rulesets"), {"certificate": "rows", "layers": layers})


def test_rows_has_the_period_machine_checked_and_keeps_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRUNDYLAB_COQC", "no-such-program")
    assert main(["rows", "subtraction-1-3-4", "--target", "grundy", "--coq"]) == 0
    (file,) = tmp_path.rglob("*.v")
    assert f"\n    not machine-checked: {MISSING} ({file.relative_to(tmp_path)})" in capsys.readouterr().out
    assert file.read_text() == kept_file(*certificate("subtraction-1-3-4", {}, {}, "grundy"))
