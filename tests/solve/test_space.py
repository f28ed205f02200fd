"""The positions of an instance are those of the definition, and no move is evaluated for them."""

import pytest
from hypothesis import given
from tests.random_games import instances
from tests.sizes import examples

from grundylab.errors import RulesetError
from grundylab.games import Rules, make_instance, parse_ruleset
from grundylab.solve import table
from grundylab.solve.reference import solve_reference
from grundylab.solve.table import unsolved_table


@examples(20)
@given(instances(legal=False))
def test_there_is_a_zero_at_each_position_and_at_no_other_cell(instance):
    slabs = list(unsolved_table(instance).slabs())
    found = [position for slab in slabs for position in zip(*map(list, slab.coordinates), strict=True)]
    assert found == list(Rules(instance).positions())
    assert all(not slab.values.any() for slab in slabs)


@examples(20)
@given(instances(legal=True))
def test_values_by_position_are_those_of_the_cells(instance):
    solved = solve_reference(instance, "outcome")
    assert solved.by_position == {position: solved[position] for position in Rules(instance).positions()}


def test_many_cells_are_looked_at_part_by_part(monkeypatch):
    game = "title: t\nposition: {x: 0..N, y: x..N}\nwhere: (x + y) % 3 != 1\nmoves: [{take: t, from: x}]\n"
    instance = make_instance(parse_ruleset(game), {}, {"N": 12})
    whole = unsolved_table(instance).values
    monkeypatch.setattr(table, "_SLAB", 20)
    assert (unsolved_table(instance).values == whole).all()


def test_a_range_is_asked_for_only_where_the_ranges_before_it_hold():
    game = "title: t\nposition: {x: 1..N, y: 0..12 // x}\nmoves: [{take: t, from: y}]\n"
    table = unsolved_table(make_instance(parse_ruleset(game), {}, {"N": 3}))
    assert table.positions == 13 + 7 + 5


def test_a_condition_without_a_value_is_refused_in_the_rulesets_words():
    game = "title: t\nposition: {x: 0..N}\nwhere: 12 // x >= 1\nmoves: [{take: t, from: x}]\n"
    with pytest.raises(RulesetError, match=r"position space: .*by zero"):
        unsolved_table(make_instance(parse_ruleset(game), {}, {"N": 3}))
