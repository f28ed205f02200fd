"""Trees whose cases are known: values of sums, values that another game has at values, and lemmas for the meaning."""

import pytest

from grundylab.errors import GrundylabError
from grundylab.games import Claim, parse_ruleset
from grundylab.games.load import load_ruleset, parent_of
from grundylab.language import parse_condition
from grundylab.language.syntax import Name
from grundylab.prove.core.claims import root_of
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.instances import check_instances
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.prover import prove_claim
from grundylab.prove.search.instance_search import instance_evidence
from grundylab.prove.search.tree_search import SearchWork
from grundylab.prove.search.value_of_sum import sum_tree
from grundylab.statement import Statement, statement_about

LOWERED = """
title: t
position: {x: 0..N}
functions:
  f(n): {any: f(0) == 0 and (n == 0 or 0 <= f(n) <= f(n - 1) + 1)}
moves: [{take: 1..f(x), from: x}]
claims: [{id: asked, values: {G: this}, condition: G(x - f(x)) >= 0}]
"""


def statement_of_claim(name: str, identifier: str) -> Statement:
    ruleset = load_ruleset(name)
    return statement_about(ruleset, next(each for each in ruleset.claims if each.id == identifier))


@pytest.mark.parametrize("name", ["max-nim-floor-3", "max-nim-floor-3-pass"])
def test_the_value_of_a_sum_is_proved_from_the_moves_alone(name):
    kernel, statement = Kernel(), statement_of_claim(name, "theorem-1-ii")
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    assert not evidence.lemmas
    assert kernel.check(statement, evidence).statement == statement


WRONG = """
extends: max-nim-floor
title: t
piles: 2
claims: [{id: c, values: {G: max-nim-floor}, target: grundy, formula: G(x) ^ G(x // 2)}]
"""


def test_a_wrong_value_of_a_sum_has_no_tree():
    ruleset = parse_ruleset(WRONG)
    root = root_of(statement_about(ruleset, ruleset.claims[0]))
    measure = root.theory.measure(root.own, (Name("x"), Name("y")))
    assert sum_tree(root.sequent(measure), SearchWork(3)) is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "identifier", "lemmas"),
    [
        # automata that read all that is known of the model are too large
        ("chocolate-monotone-1", "corollary-1-proof-g-a", 0),
        # the value that the statement says is not 0 is 0 where it is false
        ("heaps-1-2-3-4-pass", "lemma-7-stones", 0),
        # Lemma 3 is about the positions (0, 0, z, 0), here about the z of any position
        ("chocolate-monotone-1-pass", "corollary-4-proof-1", 1),
    ],
)
def test_a_claim_that_earlier_rules_proved_has_a_tree(name, identifier, lemmas):
    kernel, statement = Kernel(), statement_of_claim(name, identifier)
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    assert len(kernel.checked_premises(statement, evidence)) == len(evidence.lemmas) == lemmas


def test_a_statement_about_one_grundy_number_follows_from_the_values_of_another_game():
    """Corollary 2 of the chocolate paper, for every height, from Theorem 4 and Lemma 6, which is about two piles."""
    kernel, statement = Kernel(), statement_of_claim("chocolate-monotone-1-pass", "corollary-2")
    evidence = instance_evidence(statement, kernel, SearchWork(20))
    assert evidence is not None
    needed = kernel.checked_premises(statement, evidence)
    assert {premise.game.name for premise in needed} == {statement.game.name, "nim-with-a-pass-2"}
    assert any(premise.lookups for premise in needed)  # it gives the values by those of the other game
    with pytest.raises(Refused):
        check_instances(kernel, statement, evidence.model_copy(update={"lemmas": evidence.lemmas[:-1]}))
    for games in (), ("misere-nim",), ("no-such-game",):
        with pytest.raises(GrundylabError):
            check_instances(kernel, statement, evidence.model_copy(update={"games": games}))


@pytest.mark.long
def test_a_formula_of_one_game_is_no_help_about_the_game_of_a_premise():
    """The lemmas about two piles know no function of the chocolate bar, which the formula calls."""
    ruleset = load_ruleset("chocolate-monotone-1-pass")
    found = Claim("found", ruleset.claim("corollary-2").target, parse_condition("C1(x, y, z, p) == 1"))
    claim = ruleset.claim("corollary-3")
    assert prove_claim(ruleset, claim, parent=parent_of(ruleset), helpers=[found]).status == "proved"


@pytest.mark.long
def test_theorem_4_of_the_chocolate_paper_is_proved_for_every_height():
    ruleset = load_ruleset("chocolate-monotone-1-pass")
    claim = next(each for each in ruleset.claims if each.id == "theorem-4")
    assert prove_claim(ruleset, claim, parent=parent_of(ruleset)).status == "proved"


def test_a_lemma_shows_that_a_statement_has_a_value():
    ruleset, kernel = parse_ruleset(LOWERED), Kernel()
    statement = statement_about(ruleset, ruleset.claims[0])
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    (premise,) = check_instances(kernel, statement, evidence)
    lemma = instance_evidence(premise, kernel, SearchWork())
    assert lemma is not None
    whole = evidence.model_copy(update={"premises": (lemma,)})
    assert kernel.check(statement, whole).statement == statement
    with pytest.raises(Refused):
        check_instances(kernel, statement, evidence.model_copy(update={"lemmas": ()}))


def test_a_statement_without_a_value_somewhere_has_no_evidence():
    ruleset = parse_ruleset(LOWERED.replace("f(n - 1) + 1", "f(n - 1) + 2"))
    statement = statement_about(ruleset, ruleset.claims[0])
    kernel = Kernel()
    evidence = instance_evidence(statement, kernel, SearchWork())
    lemmas = [] if evidence is None else check_instances(kernel, statement, evidence)
    assert evidence is None or any(instance_evidence(each, kernel, SearchWork()) is None for each in lemmas)
