"""The shape of a move is read from its rules, whatever its words, and no other room looks for the coordinate of a pass."""

from __future__ import annotations

from pathlib import Path

import pytest

import grundylab
from grundylab.games import parse_ruleset
from grundylab.games.shapes import Fall, General, SplitMove, Take
from grundylab.language import parse
from grundylab.language.syntax import TRUE

GAME = """
title: Shapes
parameters: {m: m >= 1}
position: {x: 0..N, y: 0..N}
moves:
  - %s
%s"""


@pytest.mark.parametrize(
    ("move", "shape"),
    [
        ("{take: t, from: x}", Take(frozenset("x"), "x", parse("x"))),
        ('{take: "1..min(m, x)", from: x}', Take(frozenset("x"), "x", parse("min(m, x)"))),
        ("{for: {w: 0..y-1}, to: {y: w}}", Take(frozenset("y"), "y", parse("y"))),
        ("{for: {w: y-m..y-1}, to: {y: w}}", Take(frozenset("y"), "y", parse("y - (y - m)"))),
        ('{take: "1..min(y, x)", from: x}', General(frozenset("x"))),  # the limit depends on another pile
        ('{take: "2..x", from: x}', General(frozenset("x"))),
        ("{for: {t: 1..x}, when: y > 0, to: {x: x - t}}", General(frozenset("x"))),
        ('{for: {t: "1..min(x, y)"}, to: {x: x - t, y: y - t}}', General(frozenset("xy"))),
        ("{when: x >= 2, to: [{x: 1, y: y}, {x: x - 1, y: y}]}", SplitMove(frozenset("x"))),
    ],
)
def test_a_move_has_the_shape_that_its_rules_give(move, shape):
    assert parse_ruleset(GAME % (move, ""), "shapes").shapes[0] == shape


@pytest.mark.parametrize(("key", "guard"), [("pass: {}", TRUE), ("pass: {when: x < m}", parse("x < m"))])
def test_a_pass_lowers_its_flag_and_leaves_the_piles_alone(key, guard):
    game = parse_ruleset(GAME % ("{take: t, from: x}", key), "shapes")
    assert game.shapes[-1] == Fall(frozenset({game.pass_flag}), game.pass_flag, guard)
    assert game.own_coordinates == ("x", "y")


def test_a_coordinate_called_as_that_of_a_pass_is_none():
    game = parse_ruleset("title: A\nposition: {p: 0..N}\nmoves: [{take: t, from: p}]", "own")
    assert game.pass_flag is None
    assert game.own_coordinates == ("p",)


def test_only_games_know_what_the_coordinate_of_a_pass_is_called():
    source = Path(grundylab.__file__).parent
    asking = [path for path in source.rglob("*.py") if "PASS_COORDINATE" in path.read_text()]
    assert {path.parent for path in asking} == {source / "games"}
