"""A relation between the values with and without a pass: it is proved by induction, and the claims follow from it."""

import pytest

from grundylab.games.load import load_ruleset
from grundylab.prove.core.claims import root_of
from grundylab.prove.core.instances import lemma_of
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.search.instance_search import instance_evidence
from grundylab.prove.search.relation_lemma import relation_lemmas
from grundylab.prove.search.tree_search import SearchWork
from grundylab.statement import Statement, statement_about

GAME = load_ruleset("max-nim-ceil-pass")


def theorem(identifier: str = "theorem-3-ii") -> Statement:
    (claim,) = [each for each in GAME.claims if each.id == identifier]
    return statement_about(GAME, claim)


def relation() -> Statement:
    root = root_of(theorem())
    (lemma,) = relation_lemmas(root)
    return lemma_of(root.theory, lemma)


def test_the_claims_about_the_pass_are_one_relation_which_is_proved_from_the_window_of_the_pile():
    kernel, statement = Kernel(), relation()
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    (window,) = kernel.checked_premises(statement, evidence)
    premise = instance_evidence(window, kernel, SearchWork())
    assert premise is not None
    whole = evidence.model_copy(update={"premises": (premise,)})
    assert kernel.check(statement, whole).statement == statement


@pytest.mark.parametrize("identifier", ["theorem-3-iii", "theorem-3-v"])
def test_each_of_the_claims_follows_from_the_relation(identifier):
    kernel, statement = Kernel(), theorem(identifier)
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    (premise,) = kernel.checked_premises(statement, evidence)
    assert premise.formula == relation().formula
