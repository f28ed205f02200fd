"""What is marked, and what is refused with which words. That marking is right: tests/differential, test_sweeps.py."""

from pathlib import Path

import numpy as np
import pytest
from tests.differential.ways import uncompiled

from grundylab.cli.commands.check import trial_instance
from grundylab.errors import NoSweep
from grundylab.games import Instance, load_ruleset, make_instance, parse_ruleset
from grundylab.solve import kernels, solve
from grundylab.solve.reference import solve_reference
from grundylab.solve.sweeps import way
from grundylab.solve.sweeps.marking import solve_marking

RULESETS = Path(__file__).parents[2] / "rulesets"


@pytest.mark.parametrize("name", ["two-stones-ceil", "two-stones-floor", "wythoff"])
def test_games_that_take_from_two_coordinates_at_once_are_marked(name):
    instance = trial_instance(load_ruleset(name, RULESETS))
    assert way(instance, "outcome") == "each P-position marks all positions before it, in lines along y"


def game(move, position="{x: 0..N, y: 0..N}", more=""):
    text = f"title: t\nposition: {position}\nmoves:\n  - {{name: it, {move}}}\n{more}"
    return make_instance(parse_ruleset(text, "t"), {}, {"N": 5})


BOTH = "for: {t: 1..x, u: 0..y}, to: {x: x - t, y: y - u}"


@pytest.mark.parametrize(
    ("instance", "kind", "why"),
    [
        (game(BOTH), "grundy", "only outcomes are found by marking"),
        (game(BOTH, more="where: x != y\n"), "outcome", "t: its positions are restricted: x != y"),
        (game(BOTH, more="play: misere\n"), "outcome", "t: who wins depends on whether there is another move"),
        (game(BOTH, more="pass: {when: x >= 2}\n"), "outcome", "t: who wins depends on whether there is another move"),
        (game(BOTH, "{x: 0..N, y: 0..x}"), "outcome", "t: the range of y depends on other coordinates"),
        (game("for: {t: 1..x}, to: [{x: 0, y: 0}, {x: x - t, y: y}]"), "outcome", "the move 'it' leads to a sum of positions"),
        (game("for: {t: 1..x}, to: {x: x - t, y: y // 2}"), "outcome", "what the move 'it' takes from y depends on more than its choices"),
        (game('for: {t: 0..y, u: 1..x}, when: "2*t <= y + 1", to: {x: x - u, y: y - 2*t}'), "outcome", "the move 'it' may lead to less y than there is"),
        (game("for: {t: 1..x}, to: {x: x - t, y: y + 1}"), "outcome", "the move 'it' may raise y"),
        (game("for: {t: 0..x}, to: {x: x - t}"), "outcome", "the move 'it' may not lower the measure"),
        (game('for: {t: 1..x}, when: "y % t == 0 or t // (x - 3) == 1", to: {x: x - t}'), "outcome", "t (N=5): y % t == 0 or t // (x - 3) == 1 may have no value, or is a recurrence's"),
    ],
)  # fmt: skip
def test_what_is_not_marked_is_refused_with_the_reason(instance, kind, why):
    with pytest.raises(NoSweep) as refused:
        solve_marking(instance, kind)
    assert refused.value.message == why


def test_no_position_outside_the_box_marks_anything(monkeypatch):
    # the only move raises k, but there is none: its range is empty in the box, though not at k = -1
    monkeypatch.setattr(kernels, "load_module", uncompiled)
    text = (
        "title: t\nposition: {n: 0..N, k: 0..K}\nmeasure: n\n"
        'moves: [{for: {t: "1..min(n, k*k)"}, to: {n: n - t, k: k + 1}}]'
    )
    instance = make_instance(parse_ruleset(text, "t"), {}, {"N": 8, "K": 0})
    found = solve_marking(instance, "outcome").values
    assert np.array_equal(found, solve_reference(instance, "outcome").values)


def test_where_marking_takes_more_steps_than_there_are_moves_the_kernel_solves(monkeypatch):
    instance = game(BOTH)
    expected = solve_reference(instance, "outcome").values
    monkeypatch.setattr(Instance, "moves", 10)
    with pytest.raises(NoSweep, match="its P-positions are many"):
        solve_marking(instance, "outcome")
    assert np.array_equal(solve(instance, "outcome", "auto").values, expected)
