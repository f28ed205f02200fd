"""A proof names each procedure that it rests on, and no opinion stands for what only one procedure has read."""

from grundylab.games.load import load_ruleset, parent_of
from grundylab.prove.core.claims import root_of
from grundylab.prove.outcome import CONSEQUENCE, procedures_of
from grundylab.prove.prover import prove_claim
from grundylab.prove.search.instance_search import _for_any_pass
from grundylab.statement import statement_about


def test_instances_have_no_second_opinion__whatever_was_said_of_their_lemmas():
    game = load_ruleset("max-nim-ceil")
    proof = prove_claim(game, game.claim("lemma-2-iii"), parent=parent_of(game))
    assert proof.theorem is not None
    assert proof.theorem.evidence.kind == "instances"
    assert proof.theorem.premises
    assert proof.second is None
    assert CONSEQUENCE in procedures_of(proof.theorem)


def test_a_claim_about_an_unused_pass_is_proposed_for_any_pass():
    game = load_ruleset("max-nim-ceil-2-pass")
    statement = statement_about(game, game.claim("section-3.2-i"))
    (lemma,) = _for_any_pass(statement, root_of(statement))
    assert "p" in lemma.formula.free
    assert "p" not in lemma.where.free
