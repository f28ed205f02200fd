"""N-positions and winning choices of whole tables are those of the definition."""

import numpy as np
from hypothesis import given
from tests.random_games import games, noted
from tests.sizes import examples
from tests.solved import solved_table
from tests.strategy.referee import winning_options

from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.solve import solve
from grundylab.strategy.board import n_positions


@examples(40, 1000)
@given(games())
def test_the_winning_choices_of_a_random_game_are_those_of_the_definition(game):
    instance = noted(game)
    ruleset = instance.ruleset
    boards = n_positions([solve(instance, "outcome" if ruleset.play == "misere" else "grundy")])
    said = dict(winning_options(instance))
    if not len(boards):
        assert not said
        return
    columns = [boards.samples.columns[name].tolist() for name in ruleset.coordinate_names]
    positions = list(zip(*columns, strict=True))
    assert set(positions) == set(said)
    found = {position: set() for position in positions}
    for number, move in enumerate(ruleset.moves):
        for row, choices in zip(*map(np.ndarray.tolist, boards.winning_choices(move)), strict=True):
            known = dict(instance.constants) | dict(
                zip(ruleset.coordinate_names, positions[row], strict=True)
            )
            known |= zip((choice.name for choice in move.choices), choices, strict=True)
            parts = (
                tuple(evaluate(value, known, ruleset.functions) for value in part) for part in move.parts
            )
            found[positions[row]].add((number, tuple(parts)))
    assert found == {position: set(wins) for position, wins in said.items()}


def test_only_positions_that_fulfil_the_condition_are_kept():
    boards = n_positions([solved_table("nim-2", N=6)], parse("x > 3"))
    assert sorted(set(boards.samples.columns["x"].tolist())) == [4, 5, 6]


def test_positions_of_two_tables_are_numbered_through():
    tables = [solved_table("subtraction-1-to-m", m=m, N=9) for m in (2, 3)]
    boards = n_positions(tables)
    rows, choices = boards.winning_choices(boards.ruleset.moves[0])
    samples = boards.samples
    assert (choices[:, 0] == samples.columns["x"][rows] % (samples.columns["m"][rows] + 1)).all()
