"""Files for Coq: what is proved is accepted, what is false is rejected, and what cannot be said is refused in words."""

from __future__ import annotations

import json

import pytest
from benchmarks.coq import mutants
from tests.coq.test_development import needs_coq

from grundylab.cli.main import main
from grundylab.errors import GrundylabError
from grundylab.games import load_ruleset, parent_of
from grundylab.logic.coq import comment
from grundylab.logic.coqc import MISSING, run_coqc
from grundylab.prove.coq import coq_file, written
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import prove_claim
from grundylab.prove.stated import read_question

LIMITS = Limits(timeout=20)
CLAIMS = {
    "nim-with-a-pass-from-m conjecture-1": "given game par only_for <-> forall a, position game par a -> (Ppos",
    "nim-with-a-pass-2 theorem-1": "at_ game par a about ->\n  (Ppos",
    "nim-with-a-pass-2 lemma-8": "(grundy _ (options game par) a 2 <-> at_ game par a claim)",
    "nim-2 bouton-grundy": "forall v, grundy _ (options game par) a v <-> number_at game par a claim = Z.of_N v",
    "misere-nim bouton-misere": "(Pmis _ (options game par) a <-> at_ game par a claim)",
    "max-nim-floor theorem-15": "(Ppos",
    "chocolate-log definition-9": "(at_ game par a claim)",
}


def proved(name: str) -> Proof:
    ruleset = load_ruleset(name.split()[0], "rulesets")
    return prove_claim(ruleset, ruleset.claim(name.split()[1]), parent=parent_of(ruleset), limits=LIMITS)


@needs_coq
@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_proved_is_accepted_and_mutants_of_it_are_rejected(name):
    ruleset, proof = load_ruleset(name.split()[0], "rulesets"), proved(name)
    text = coq_file(ruleset, proof)
    assert CLAIMS[name] in text
    answer = run_coqc(text, timeout=120)
    assert (answer.status, answer.message) == ("accepted", "")
    assert proof.stated is not None
    for what, game, question in mutants(*read_question(proof.stated, ruleset)):
        assert run_coqc(written(game, question, "a mutant"), timeout=120).status == "rejected", what


@needs_coq
def test_a_file_that_assumes_anything_is_rejected():
    axiom = "Axiom proved : False.\nPrint Assumptions proved.\n"
    assert run_coqc(axiom, timeout=60).status == "rejected"
    assert (
        run_coqc("Theorem proved : False. Admitted.\nPrint Assumptions proved.\n", timeout=60).status
        == "rejected"
    )


def test_titles_and_formulas_cannot_end_a_comment():
    assert comment('a *) b (* c "quoted\nline') == "(* a * ) b ( * c 'quoted line *)"
    assert comment("(*)") == "(* ( * ) *)"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("kayles period", "moves split positions, and sums of positions are not written for Coq"),
        (
            "wythoff golden-ratio",
            "the statement is not proved but undecided, and Coq is given only what is proved",
        ),
    ],
)
def test_what_is_not_written_is_refused_in_one_line(name, why):
    with pytest.raises(GrundylabError, match=f"^{why}$"):
        coq_file(load_ruleset(name.split()[0], "rulesets"), proved(name))


@needs_coq
def test_prove_has_the_proof_machine_checked_and_keeps_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["prove", "nim-2", "--claim", "bouton", "--coq", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["status"], said["machine_checked"]["status"]) == ("proved", "accepted")
    kept = tmp_path / said["machine_checked"]["file"]
    assert run_coqc(kept.read_text(), timeout=120).status == "accepted"


def test_without_coq_prove_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRUNDYLAB_COQC", "no-such-program")
    assert main(["prove", "nim-2", "--claim", "bouton", "--coq"]) == 0
    assert f"\nnot machine-checked: {MISSING} (" in capsys.readouterr().out
    assert list(tmp_path.rglob("*.v"))
