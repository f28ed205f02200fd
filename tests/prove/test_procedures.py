"""A proof names each procedure that it rests on, and no opinion stands for what only one procedure has read."""

from grundylab.games.load import load_ruleset
from grundylab.games.model import ALWAYS, Claim
from grundylab.games.statements import THIS
from grundylab.language import parse_condition
from grundylab.prove import prover
from grundylab.prove.core.claims import root_of
from grundylab.prove.outcome import CONSEQUENCE, procedures_of
from grundylab.prove.search.instance_search import _for_any_pass
from grundylab.statement import statement_about


def test_instances_have_no_second_opinion__whatever_was_said_of_their_lemmas(monkeypatch):
    monkeypatch.setattr(prover, "candidates", lambda *_: iter(()))  # no other rule is asked
    game = load_ruleset("nim-2")
    said = Claim("c", ALWAYS, parse_condition("G(x, y) ^ y == x"), values=(("G", THIS),))
    proof = prover.prove_claim(game, said)
    assert proof.theorem is not None
    assert proof.theorem.evidence.kind == "instances"
    assert [each.evidence.kind for each in proof.theorem.premises] == ["induction"]
    assert proof.premises[0].second is not None
    assert proof.second is None
    assert CONSEQUENCE in procedures_of(proof.theorem)


def test_a_claim_about_an_unused_pass_is_proposed_for_any_pass():
    game = load_ruleset("max-nim-ceil-2-pass")
    statement = statement_about(game, game.claim("section-3.2-i"))
    (lemma,) = _for_any_pass(statement, root_of(statement))
    assert "p" in lemma.formula.free
    assert "p" not in lemma.where.free
