"""The lemma about the window of a pile: its tree is accepted where it is true, and no tree is found where it is not."""

import pytest
from tests.prove.asking import by_instances

from grundylab.games import parse_ruleset
from grundylab.games.load import load_ruleset
from grundylab.prove.core.claims import root_of
from grundylab.prove.core.instances import lemma_of
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.search.instance_search import instance_evidence
from grundylab.prove.search.tree_search import SearchWork
from grundylab.prove.search.window_lemma import window_lemmas
from grundylab.statement import Statement, statement_about


def pile(most: str) -> str:
    return (
        f"title: t\nposition: {{x: 0..N}}\nmoves: [{{take: '1..{most}', from: x}}]\n"
        "claims: [{id: asked, target: p, formula: x == 0}]\n"
    )


def lemma_about(most: str) -> Statement:
    ruleset = parse_ruleset(pile(most))
    root = root_of(statement_about(ruleset, ruleset.claims[0]))
    ((_, lemma),) = window_lemmas(root)
    return lemma_of(root.theory, lemma)


@pytest.mark.parametrize("most", ["ceil(x/2)", "floor(x/3)", "min(x, 3)", "x"])
def test_the_lemma_is_proved_where_the_limit_rises_by_one_at_most(most):
    kernel, statement = Kernel(), lemma_about(most)
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    assert kernel.check(statement, evidence).statement == statement


def test_it_is_proved_of_one_of_three_piles_with_a_pass():
    game = load_ruleset("max-nim-ceil-3-pass")
    (alone,) = [claim for claim in game.claims if claim.id == "theorem-3-proof-8"]
    root, kernel = root_of(statement_about(game, alone)), Kernel()
    ((_, lemma),) = window_lemmas(root)
    statement = lemma_of(root.theory, lemma)
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    assert kernel.check(statement, evidence).statement == statement


@pytest.mark.parametrize("most", ["min(x, 2*floor(x/2))", "min(x, max(2, 5 - floor(x/2)))"])
def test_it_is_not_proved_where_the_limit_rises_by_two_or_falls(most):
    assert by_instances(lemma_about(most), Kernel(), work=40) is None


@pytest.mark.parametrize(
    "claim", ["max-nim-ceil|lemma-1-i", "max-nim-ceil|lemma-2-iii", "max-nim-ceil|lemma-2-v"]
)
def test_claims_about_a_pile_follow_from_it(claim):
    name, identifier = claim.split("|")
    ruleset, kernel = load_ruleset(name), Kernel()
    (asked,) = [each for each in ruleset.claims if each.id == identifier]
    statement = statement_about(ruleset, asked)
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    (premise,) = kernel.checked_premises(statement, evidence)
    lemma = instance_evidence(premise, kernel, SearchWork())
    assert lemma is not None
    whole = evidence.model_copy(update={"premises": (lemma,)})
    assert kernel.check(statement, whole).statement == statement


def test_it_is_proposed_only_where_no_other_move_can_be_made():
    nim = load_ruleset("nim")
    assert not list(window_lemmas(root_of(statement_about(nim, nim.claims[0]))))
