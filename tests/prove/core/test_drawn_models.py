"""Counter-models that the search draws: with each of them the hypotheses are true, and the goal is not."""

import pytest

from grundylab.games import parse_ruleset
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.prove.core.claims import root_of
from grundylab.prove.core.closing import Decisions
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.drawn_models import drawn_models
from grundylab.statement import statement_about

CELLS = 20_000_000


def models_of(hypothesis, goal):
    game = parse_ruleset(
        "title: t\nposition: {x: 0..N, y: 0..N, z: 0..N}\nmoves: [{take: t, from: x}]\n"
        f"claims: [{{id: c, condition: {goal!r}}}]"
    )
    sequent = root_of(statement_about(game, game.claims[0])).sequent()
    first, last = parse_condition(hypothesis), parse_condition(goal)
    decisions = Decisions([first, last])
    return drawn_models(Branch(sequent, {}), decisions.failing([first], last), decisions, CELLS)


@pytest.mark.parametrize(
    "hypothesis", ["x < y", "x + y == z", "x ^ y == z", "x == 7 and z >= 40", "y % 5 == 3"]
)
@pytest.mark.parametrize("goal", ["x == z", "x + z > 2*y", "z % 3 == 0", "x != 7 or y >= 100"])
def test_the_hypothesis_is_true_in_each_and_the_goal_false(hypothesis, goal):
    found = models_of(hypothesis, goal)
    assert found
    for at in found:
        assert evaluate(parse_condition(hypothesis), at)
        assert not evaluate(parse_condition(goal), at)


def test_of_a_goal_that_follows_there_are_none():
    assert models_of("x < y", "x <= y") == []
