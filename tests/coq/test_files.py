"""Files for Coq: proved statements are accepted, false ones rejected, and inexpressible ones refused in words."""

from __future__ import annotations

import json

import pytest
from benchmarks.mutants import mutants
from tests.coq.test_development import needs_coq

from grundylab.cli.main import main
from grundylab.errors import GrundylabError
from grundylab.findings.coq_checks import coq_file_of_proof
from grundylab.games import Claim, Ruleset, load_ruleset, parent_of, parse_target
from grundylab.language import parse, parse_condition
from grundylab.logic.coqc import MISSING, run_coqc
from grundylab.prove.coq_files import HEAD, LAST, ONE_WAY, coq_comment, coq_file_of, induction_coq_text
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.solution import Question, question_of
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import prove_claim
from grundylab.statement import statement_about

LIMITS = Limits(timeout=20)
CLAIMS = {
    "nim-with-a-pass-from-m conjecture-1": "given game par only_for <-> forall a, position game par a -> (Ppos",
    "nim-with-a-pass-2 theorem-1": "at_ game par a about ->\n  (Ppos",
    "nim-with-a-pass-2 lemma-8": "(grundy _ (options game par) a 2 <-> at_ game par a claim)",
    "nim-2 bouton-grundy": "forall v, grundy _ (options game par) a v <-> number_at game par a claim = Z.of_N v",
    "misere-nim bouton-misere": "(Pmis _ (options game par) a <-> at_ game par a claim)",
    "max-nim-floor theorem-15": "(Ppos",
    "chocolate-log definition-9": "(at_ game par a claim)",
    "laskers-nim grundy-numbers": "grundy _ (of_sum _ (sums game par)) [a] v <-> number_at game par a claim = Z.of_N v",
    # its only move would be a pass, which is not there: where that would lead is nothing that must be known
    "nim-with-a-pass-2 definition-12-i": "forall v, grundy _ (options game par) a v <-> number_at game par a claim",
}


def proved(name: str) -> Proof:
    ruleset = load_ruleset(name.split()[0], "rulesets")
    return prove_claim(ruleset, ruleset.claim(name.split()[1]), parent=parent_of(ruleset), limits=LIMITS)


def asked_of(proof: Proof) -> tuple[Ruleset, Question]:
    """Return the game of a proof, and its induction as a question for Coq."""
    theorem = proof.exact or proof.theorem
    assert theorem is not None
    assert isinstance(theorem.evidence, Induction)
    return question_of(theorem.statement, theorem.evidence)


def module(name: str, text: str) -> str:
    """Return the text of a file as a module of another file, without its last line."""
    return f"Module {name}.\n{text.partition(HEAD)[2].removesuffix(f'{LAST}{chr(10)}')}End {name}."


def refuted(text: str) -> str:
    """Return the file of a mutant up to its check, changed to state that the check answers no."""
    until = text.partition(" = true.\nProof. vm_cast_no_check")[0]
    return f"{until} = false.\nProof. vm_cast_no_check (eq_refl false). Qed.\n{LAST}\n"


@needs_coq
def test_what_is_proved_is_accepted_and_mutants_of_it_are_rejected():
    """All cases are in one file, since to start Coq takes as long as most cases."""
    modules, kinds = list[str](), set[str]()
    for number, (name, theorem) in enumerate(CLAIMS.items()):
        proof = proved(name)
        text = coq_file_of_proof(proof, name)
        assert theorem in text
        modules.append(module(f"claim{number}", text))
        wrong = [mutant for mutant in mutants(*asked_of(proof)) if mutant.false]
        mutant = wrong[number % len(wrong)]  # in turn; benchmarks/coq.py asks about all
        kinds.add(mutant.what)
        file = induction_coq_text(mutant.game, mutant.question, "a mutant")
        modules.append(module(f"mutant{number}", refuted(file)))
    assert kinds == {"constant", "comparison", "move"}
    together = ", ".join(f"claim{number}.proved" for number in range(len(CLAIMS)))
    file = "\n".join([HEAD, *modules, f"Definition proved := ({together})%core.", LAST])
    answer = run_coqc(file, timeout=300)
    assert (answer.status, answer.reason) == ("accepted", None)


# Of a position of which the answer says nothing, options that show it are enough; of the others all options must be known.
CORNER = "x <= 3 and y <= 3 or y == 0 and x % 2 == 0"
REGIONS = [
    (CORNER, "x == y", True),
    (CORNER, "x == y or x == 4 and y == 0", False),  # a wrong answer
    ("x == y", "x == y", False),  # a right one, and the induction does not show it
]


@needs_coq
def test_a_move_may_lead_out_of_what_is_known_only_from_where_nothing_is_said():
    """All cases are in one file, since Coq starts slowly."""
    modules = list[str]()
    for number, (region, level, accepted) in enumerate(REGIONS):
        text = stated_file(region, level)
        modules.append(module(f"region{number}", text if accepted else refuted(text)))
    answer = run_coqc("\n".join([HEAD, *modules, "Definition proved := region0.proved.", LAST]), timeout=120)
    assert (answer.status, answer.reason) == ("accepted", None)


def stated_file(region: str, level: str, exactly: bool = False) -> str:
    """Return the Coq file of an induction about Nim with two piles, in a region."""
    ruleset = load_ruleset("nim-2", "rulesets")
    claim = Claim("", parse_target("p"), parse(level), parse_condition(region))
    evidence = Induction(region=claim.where, levels=(claim.formula,), exactly=exactly)
    return coq_file_of(statement_about(ruleset, claim), evidence, "a formula")


@pytest.mark.parametrize("exactly", [True, False])
def test_a_file_that_says_less_than_the_proof_says_so(exactly):
    assert (coq_comment(ONE_WAY) in stated_file(CORNER, "x == y", exactly)) == exactly


@needs_coq
def test_a_file_that_assumes_anything_is_rejected():
    axiom = "Axiom proved : False.\nPrint Assumptions proved.\n"
    assert run_coqc(axiom, timeout=60).status == "rejected"
    assert (
        run_coqc("Theorem proved : False. Admitted.\nPrint Assumptions proved.\n", timeout=60).status
        == "rejected"
    )


def test_titles_and_formulas_cannot_end_a_comment():
    assert coq_comment('a *) b (* c "quoted\nline') == "(* a * ) b ( * c 'quoted line *)"
    assert coq_comment("(*)") == "(* ( * ) *)"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "nim-with-a-pass-2 lemma-1",
            "its proof is",
        ),
        (
            "wythoff golden-ratio",
            "isqrt.*: multiples of",
        ),
        (
            "chocolate-least-power definition-8",
            ".*undecided",
        ),
    ],
)
def test_what_is_not_written_is_refused_in_one_line(name, why):
    with pytest.raises(GrundylabError, match=f"^{why}"):
        coq_file_of_proof(proved(name), name)


@needs_coq
def test_prove_has_the_proof_machine_checked_and_keeps_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["prove", "nim-2", "--claim", "bouton", "--coq", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["status"], said["machine_checked"]["status"]) == ("proved", "accepted")
    assert said["procedures"][-1] == "Coq"
    assert (tmp_path / said["machine_checked"]["file"]).read_text().endswith(f"{LAST}\n")


def test_without_coq_prove_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRUNDYLAB_COQC", "no-such-program")
    assert main(["prove", "nim-2", "--claim", "bouton", "--coq"]) == 0
    assert f"\nnot machine-checked: {MISSING} (" in capsys.readouterr().out
    assert list(tmp_path.rglob("*.v"))


def test_of_what_is_not_proved_prove_says_that_coq_was_not_asked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(["prove", "nim-2", "--formula", "x <= y", "--coq"])
    assert "\nnot machine-checked: " in capsys.readouterr().out
