"""Rows by recurrence agree with the reference solver, on games with any layers and guards."""

import numpy as np
import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st
from tests.random_games import GameFile, games
from tests.sizes import examples

from grundylab.errors import InstanceError
from grundylab.games import Target, parse_ruleset
from grundylab.games.layers import NotLayered, TooManyLayers, layered_game
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.solve import row_solver as rows
from grundylab.solve.reference import solve_reference
from grundylab.solve.row_solver import solve_rows

GUARDS = [
    "True",
    "x + y >= 3",
    "(x + y) % 3 == 1",
    "x ^ y != s",
    "y < x",
    "s % 2 == 0 or y >= 4",
    "x * y > 2 * s",
]


def agrees(game, axes, target, fixed):
    """Tell whether the row agrees with the reference at every position up to the bound."""
    instance = game.instance()
    ruleset, bound = instance.ruleset, game.bounds["N"]
    fixed |= {"p": 1} if "p" in ruleset.coordinate_names else {}
    layered = layered_game(ruleset, game.parameters, axes, target)
    top = layered.top(fixed)
    found = solve_rows(layered, top, bound + 1)[top]
    table = solve_reference(instance, target.values)
    values = table.values[tuple(fixed.get(name, slice(None)) for name in ruleset.coordinate_names)]
    if target == GRUNDY:
        return values.tolist() == found.tolist()
    rows, columns = np.nonzero(values == target.value)
    wanted = {(m, n) for m, n in enumerate(found.tolist()) if n <= bound}
    return set(zip(rows.tolist(), columns.tolist(), strict=True)) == wanted


@examples(25)
@given(
    games("layers"),
    st.sampled_from([P_POSITIONS, *(Target("level", n) for n in range(3))]),
    st.integers(0, 3),
)
def test_rows_of_p_positions_and_of_level_sets_are_the_references(game, target, s):
    note(game.report())
    assume(target == P_POSITIONS or game.instance().ruleset.play == "normal")
    assert agrees(game, ("x", "y"), target, {"s": s, "q": 1})


@examples(10)
@given(st.sampled_from(GUARDS), st.sampled_from(GUARDS), st.integers(0, 3), st.integers(0, 3))
def test_rows_of_grundy_numbers_are_the_references(guard, passing, y, s):
    text = f"""title: t
position: {{x: 0..N, y: 0..3, s: 0..3}}
moves:
  - {{take: t, from: x}}
  - {{take: t, from: y}}
  - {{take: 1..s, from: s, when: "{guard}"}}
pass: {{when: "{passing}"}}
"""
    assert agrees(GameFile(text, bounds={"N": 12}), ("x",), GRUNDY, {"y": y, "s": s})


REFUSED = {
    "takes any number from one": '- {take: "1..min(x, 3)", from: x}\n  - {take: t, from: y}',
    "nor leaves them alone": '- {take: t, from: x}\n  - {take: t, from: y}\n  - {for: {t: "1..min(x, y)"}, to: {x: x - t, y: y - t}}',
    "no move takes any number from y": "- {take: t, from: x}\n  - {take: t, from: s}",
    "depends on x and y": "- {take: t, from: x}\n  - {take: t, from: y}\n  - {when: s > x, to: {s: x}}",
    "form a cycle": "- {take: t, from: x}\n  - {take: t, from: y}\n  - {to: {s: 1 - s}}",
    "leads outside the game": "- {take: t, from: x}\n  - {take: t, from: y}\n  - {to: {s: s + 1}}",
}


def rows_of(ruleset, fixed):
    game = layered_game(ruleset, {}, ("x", "y"))
    return solve_rows(game, game.top(fixed), 5)


@pytest.mark.parametrize("reason", REFUSED)
def test_a_game_that_is_not_one_of_layers_is_refused_with_the_reason(reason):
    ruleset = parse_ruleset(
        f"title: t\nposition: {{x: 0..N, y: 0..N, s: 0..1}}\nmoves:\n  {REFUSED[reason]}\n"
    )
    with pytest.raises(NotLayered, match=reason):
        rows_of(ruleset, {"s": 1})


def test_what_a_row_fixes_must_be_a_layer():
    ruleset = parse_ruleset(
        "title: t\nposition: {x: 0..N, y: 0..N, s: 0..1}\nmoves: [{take: t, from: x}, {take: t, from: y}]\n"
    )
    for fixed in ({}, {"s": 2}, {"s": 0, "y": 1}):
        with pytest.raises(InstanceError):
            rows_of(ruleset, fixed)


NIM = parse_ruleset("title: t\npiles: 3\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n", "nim")


@pytest.mark.parametrize(
    ("fixed", "target"),
    [({"z": 40}, P_POSITIONS), ({"z": 1}, Target("level", 30)), ({"y": 8, "z": 9}, GRUNDY)],
)
@pytest.mark.parametrize("limit", ["MOST_DESCENTS", "MOST_STEPS"])
def test_a_row_that_needs_too_many_moves_between_others_is_refused(monkeypatch, fixed, target, limit):
    axes = tuple(name for name in "xyz" if name not in fixed)
    game = layered_game(NIM, {}, axes, target)
    top = game.top(fixed)
    assert len(solve_rows(game, top, 9)[top]) == 9
    monkeypatch.setattr(rows, limit, 300 if limit == "MOST_DESCENTS" else 300 * 9)
    with pytest.raises(TooManyLayers, match="300 moves"):
        solve_rows(layered_game(NIM, {}, axes, target), top, 9)
