"""A position explained has the value of the definition's table, and all its options with theirs."""

from __future__ import annotations

from functools import reduce
from operator import xor

from hypothesis import assume, event, given, note
from hypothesis import strategies as st
from tests.differential.ways import interpreted, kinds
from tests.random_games import instances
from tests.sizes import examples

from grundylab.errors import RulesetError
from grundylab.games.instance import Rules
from grundylab.solve import explaining
from grundylab.solve.reference import solve_reference


@examples(15)
@given(instances(), st.data())
def test_an_explanation_says_what_the_table_says(instance, data):
    rules = Rules(instance)
    positions = list(rules.positions())
    assume(positions)
    table = solve_reference(instance, kinds(instance)[-1])
    position = data.draw(st.sampled_from(positions))
    asked = dict(zip(instance.ruleset.coordinate_names, position, strict=True))
    note(f"explained: {asked}")
    wanted = [
        (instance.ruleset.moves[number].name, parts, reduce(xor, (table[part] for part in parts), 0))
        for number, parts in rules.options(position)
    ]
    try:
        with interpreted():
            found = explaining.explain(instance.ruleset, asked, dict(instance.parameters))
    except RulesetError:  # legal with this bound only: a move goes where a smaller table has an edge
        event("legal at one bound only")
        return
    assert found.value == table[position]
    assert [(option.move, option.parts, option.value) for option in found.options] == wanted
    assert [option.wins for option in found.options] == [value == 0 for _, _, value in wanted]
