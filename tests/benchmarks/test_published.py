"""The published games of the benchmark: what is in print about them is true of the games as they are written there."""

import pytest
from benchmarks.published import CLASSES, games

GAMES = {game.name: game for game in games()}


@pytest.mark.parametrize("name", GAMES)
def test_the_published_formula_is_right_on_the_training_tables(name):
    game = GAMES[name]
    tables = game.tables(game.train)
    if game.formula is None:
        assert game.unsaid
    else:
        assert game.wrong(game.formula, tables) == 0


def test_there_are_many_of_every_class_and_in_both_halves():
    assert len(GAMES) >= 60
    assert {game.kind for game in GAMES.values()} == set(CLASSES)
    halves = [game.validation for game in GAMES.values()]
    assert min(sum(halves), len(halves) - sum(halves)) >= 25
    assert all(game.cite and game.train and game.test for game in GAMES.values())


def test_the_tests_are_larger_than_what_is_learnt_from():
    for game in GAMES.values():
        for name, bound in game.test[0].bounds:
            assert all(bound >= 2 * dict(instance.bounds)[name] for instance in game.train), game.name
