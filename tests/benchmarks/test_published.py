"""The published games: each loads, is solved, and has the values that its published formula gives."""

from dataclasses import replace
from functools import cache

import pytest
from benchmarks.published_games import CLASSES, FOLDER, ask, entries, games
from tests.sizes import night

from grundylab.check.samples import collect
from grundylab.discover.ranking import error_mask
from grundylab.games import make_instance
from grundylab.language import parse
from grundylab.solve.reference import solve_reference

AT_ONCE = 100_000  # moves: half a second


@cache
def published():
    return {game.name: game for game in games()}


def test_the_table_lists_every_ruleset_once():
    names = [entry["game"] for entry in entries()]
    assert sorted(names) == sorted(file.stem for file in FOLDER.glob("*.yaml") if file.stem != "games")
    assert len(names) == len(set(names)) >= 60


def test_both_halves_are_large_enough():
    halves = [game.validation for game in published().values()]
    assert min(sum(halves), len(halves) - sum(halves)) >= 25


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry["game"])
def test_an_entry_is_complete(entry):
    required = {"game", "target", "class", "train", "test", "citation"}
    assert required < set(entry) <= required | {"formula", "why", "functions", "note", "where"}
    assert entry["class"] in CLASSES
    assert entry["target"] in ("p", "grundy")
    assert ("formula" in entry) != ("why" in entry)
    assert "formula" not in entry or entry["class"] != "none"
    assert len(entry["citation"]) > 20
    game = published()[entry["game"]]
    for learnt in game.train:
        assert all(2 * bound <= dict(game.test[0].bounds)[name] for name, bound in learnt.bounds)


def smaller(instance):
    """Return the training instance, with smaller bounds if the definition would take long to solve it.

    In the long tests it is always the whole instance.
    """
    while instance.moves > AT_ONCE and not night():
        bounds = {name: bound - 1 for name, bound in instance.bounds}
        instance = make_instance(instance.ruleset, dict(instance.parameters), bounds)
    return instance


@pytest.mark.parametrize("name", [entry["game"] for entry in entries() if "formula" in entry])
def test_the_formula_is_true_on_the_training_table(name):
    game = published()[name]
    # By the definition: kernels would have to be compiled, which takes longer than these tables.
    tables = [solve_reference(smaller(instance), game.target.values) for instance in game.train]
    samples = replace(collect(tables, game.target, game.where), functions=game.ruleset.functions)
    assert not error_mask(game.formula, samples).any()


@pytest.mark.parametrize(
    ("name", "engine", "stands"), [("subtraction-2-3", "search", True), ("mark", "runs", False)]
)
def test_an_answer_stands_if_it_is_right_further_on(name, engine, stands):
    assert ask(published()[name], [engine], 10.0).stands == stands


def test_what_is_right_on_a_small_table_only_does_not_agree_with_what_is_in_print():
    game = published()["wythoff-3"]
    nearly = parse("3 * min(x, y) == abs(x - y) + 3 * (abs(x - y) // 10)")
    assert game.right(nearly, game.train)
    assert not game.agrees(nearly)
    assert game.agrees(game.formula)
