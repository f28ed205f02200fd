"""Counter-models that the search draws: with each of them the hypotheses are true, and the goal is not."""

import pytest

from grundylab.games import parse_ruleset
from grundylab.language import parse_condition
from grundylab.prove.core.claims import root_of
from grundylab.prove.core.closing import Decisions
from grundylab.prove.core.instances import failing
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.counter_models import value_in
from grundylab.prove.search.drawn_models import drawn_models
from grundylab.statement import statement_about

CELLS = 20_000_000


def sequent_of(goal):
    game = parse_ruleset(
        "title: t\nposition: {x: 0..N, y: 0..N, z: 0..N}\nmoves: [{take: t, from: x}]\n"
        f"claims: [{{id: c, condition: {goal!r}}}]"
    )
    return root_of(statement_about(game, game.claims[0])).sequent()


def models_of(hypothesis, goal):
    first, last = parse_condition(hypothesis), parse_condition(goal)
    decisions = Decisions([first, last])
    return drawn_models(Branch(sequent_of(goal), {}), decisions.failing([first], last), decisions, CELLS)


@pytest.mark.parametrize(
    "hypothesis", ["x < y", "x + y == z", "x ^ y == z", "x == 7 and z >= 40", "y % 5 == 3"]
)
@pytest.mark.parametrize("goal", ["x == z", "x + z > 2*y", "z % 3 == 0", "x != 7 or y >= 100"])
def test_the_hypothesis_is_true_in_each_and_the_goal_false(hypothesis, goal):
    found = models_of(hypothesis, goal)
    assert found
    for at in found:
        assert value_in(parse_condition(hypothesis), at) is True
        assert value_in(parse_condition(goal), at) is False


def test_of_a_goal_that_follows_there_are_none():
    assert models_of("x < y", "x <= y") == []


def test_a_product_has_its_true_value_if_the_goal_can_fail_with_it():
    branch, decisions = Branch(sequent_of("x * y > 600 or x > 300 or y > 300"), {}), Decisions([])
    fails = failing(branch.sequent, range(3), branch.terms, decisions, CELLS)
    found = drawn_models(branch, fails, decisions, CELLS)
    (product,) = branch.terms
    assert found
    for at in found:
        assert at[product] == at[parse_condition("x == 0").terms[0]] * at[parse_condition("y == 0").terms[0]]


def test_without_its_number_a_term_has_the_value_of_its_parts():
    product = parse_condition("x * y == 6").terms[0]
    x, y = product.children
    assert value_in(parse_condition("x * y == 6"), {x: 2, y: 3}) is True
    assert value_in(parse_condition("x * y == 6"), {x: 2, y: 3, product: 7}) is False
    assert value_in(parse_condition("x * y == z"), {x: 2, y: 3}) is None
