"""Automata learnt from small tables are proved for every size, and some are expressed in words."""

import pytest
from tests.papers.small import ruleset

from grundylab.discover import discover
from grundylab.discover.repairs import search_proposals
from grundylab.games import make_instance, parent_of, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import Accepts
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.other_words import in_other_words
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

# ruleset, target, bound of the table, values of the parameters, condition that fixes them
LEARNT = [
    ("nim-2", "p", 16, [{}], "True"),
    ("nim", "p", 12, [{}], "True"),
    ("misere-nim", "p", 20, [{}], "True"),
    ("nim-with-a-pass-2", "p", 12, [{}], "True"),
    ("nim-with-a-pass-2", "grundy == 1", 32, [{}], "True"),
    ("heaps-1-2-pass", "p", 30, [{}], "True"),
    ("heaps-1-2-3-pass", "p", 40, [{}], "True"),
    ("max-nim-ceil-pass", "p", 100, [{}], "True"),
    ("chocolate-third", "p", 20, [{}], "True"),
    ("two-stones-ceil", "p", 90, [{"a": 2, "b": 3}], "a == 2 and b == 3"),
]


def learnt(name, target, bound, parameters):
    game, target = ruleset(name), parse_target(target)
    instances = [make_instance(game, values, dict.fromkeys(game.bounds, bound)) for values in parameters]
    best = discover([solve(instance, target.values) for instance in instances], target, "automata")[0]
    assert isinstance(best.formula, Accepts)
    return game, best.formula


@pytest.mark.parametrize(
    ("name", "target", "bound", "parameters", "where"), LEARNT, ids=[f"{r[0]}: {r[1]}" for r in LEARNT]
)
def test_a_learnt_automaton_is_a_theorem(name, target, bound, parameters, where):
    game, formula = learnt(name, target, bound, parameters)
    proof = prove_claim(
        game, unpublished_claim(formula, parse_target(target)), parse_condition(where), parent=parent_of(game)
    )
    assert proof.status == "proved", proof.reason


def test_each_automaton_in_a_number_is_put_in_other_words():
    game, formula = ruleset("nim-2"), parse('0 if accepts("+0,,,0", x, y) else x ^ y')
    assert in_other_words(game, formula, search_proposals) == parse("0 if x == y else x ^ y")


def test_learnt_from_multiples_of_four_it_is_true_exactly_there():
    multiples = [{"m": m} for m in range(4, 33, 4)]
    game, formula = learnt("nim-with-a-pass-from-m", "p", 24, multiples)
    proof = prove_claim(
        game, unpublished_claim(formula, parse_target("p")), parent=parent_of(game), question=True
    )
    assert (proof.status, str(proof.condition)) == ("proved", "m % 4 == 0")
    claim = game.claim("conjecture-1")
    words = in_other_words(game, formula, search_proposals, claim.where)
    assert words is not None
    assert (
        prove_claim(game, unpublished_claim(words, claim.target), claim.where, parent=parent_of(game)).status
        == "proved"
    )


def test_an_automaton_with_one_wrong_transition_is_refuted():
    game = ruleset("nim-with-a-pass-2")
    wrong = parse('accepts("+0,1,,2,,3,0, +1,,,,,,, -,,2,,0,,, -,,1,,3,,,", x, y, p)')
    proof = prove_claim(game, unpublished_claim(wrong, parse_target("p")), parent=parent_of(game))
    assert proof.status == "refuted"
    assert proof.counterexample is not None


@pytest.mark.parametrize(
    ("name", "formula", "where", "words"),
    [
        ("nim", 'accepts("+0,,,0,,0,0,", x, y, z)', "True", "x ^ y == z"),
        ("two-stones-ceil", 'accepts("+1,,,0 +2,1,1, +2,,,", x, y)', "a == 1 and b == 1", "is_power_of_two(x + y + 2)"),
        # not in the game's own space: a wrong automaton has other words as well
        ("nim-2", 'accepts("-0,1,0,0 +1,1,0,1", x, y)', "True", "x < y"),
    ],
)  # fmt: skip
def test_other_words_for_an_automaton(name, formula, where, words):
    assert (
        str(in_other_words(ruleset(name), parse(formula), search_proposals, parse_condition(where))) == words
    )


def test_words_that_agree_at_all_positions_looked_at_but_not_at_all_are_not_given():
    """x < 2**20 is true of all 60,000 values that are compared."""
    below = " ".join(f"+{n + 1},{n + 1}" for n in range(20)) + " +20,"
    assert in_other_words(ruleset("max-nim-floor"), parse(f'accepts("{below}", x)'), search_proposals) is None
