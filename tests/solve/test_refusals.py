"""Why a game gets no sweep: the words for each reason. What the first sweep says comes before what the second says."""

import numpy as np
import pytest

from grundylab.cli.commands.check import ways
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve.sweeps import NoSweep, edges, planes, shared, solve_sweep
from grundylab.solve.sweeps.piles import piles_for
from grundylab.solve.sweeps.planes import solve_planes

TWO = "position: {x: 0..N, y: 0..N}"
SLIDE = "{name: slide, for: {t: 1..y}, to: {y: y - t, x: x + t}}"
MIX = '{name: mix, for: {t: 1..x}, to: {x: x - t, q: "(x + t) % 2"}}'
TAKE_X, TAKE_Y = "{take: t, from: x}", "{take: t, from: y}"


def instance_of(space, *moves, bound=5):
    text = "\n".join(["title: t", space, "moves:", *(f"  - {move}" for move in moves)])
    ruleset = parse_ruleset(text + "\n", "t")
    return make_instance(ruleset, {}, dict.fromkeys(ruleset.bounds, bound))


# What ``grundylab check`` says of the moves alone: of piles, and then of lines.
MOVES = {
    "no take": (
        TWO, ["{name: both, for: {t: '1..min(x, y)'}, to: {x: x - t, y: y - t}}"],
        "t: no move is a take from one pile whose limit depends on that pile only; the move 'both' neither leaves x "
        "alone nor takes from it alone; the move 'both' neither leaves y alone nor takes from it alone",
    ),
    "two takes": (
        "position: {x: 0..N, q: 0..1}", [TAKE_X, "{take: '1..min(x, 2)', from: x}", MIX],
        "t: there are two sorts of takes from one pile; the move 'mix' neither leaves x alone",
    ),
    "restricted": (
        TWO + "\nwhere: x <= y + 9", [TAKE_X, SLIDE],
        "t: its positions are restricted: x <= y + 9; the move 'slide' neither leaves x alone",
    ),
    "another move": (
        TWO, [TAKE_X, SLIDE],
        "t: the move 'slide' neither takes from one of x nor leaves them alone; ",
    ),
    "begins at one": (
        "position: {x: 1..N, q: 0..1}", ["{take: 1..x-1, from: x}", MIX],
        "t: x does not have every value from 0 on: 1..N; ",
    ),
    "range of the rest": (
        "position: {x: 0..N, q: 0..x}", [TAKE_X, MIX],
        "t: the range of q begins at a bound or depends on an axis: 0..x; the move 'mix' neither leaves x alone nor takes "
        "from it alone; the range of q depends on other coordinates",
    ),
    "depends on a pile": (
        "position: {x: 0..N, q: 0..1}", [TAKE_X, "{name: turn, when: q == 1, to: {q: x % 2}}", "{name: both, when: q == "
        "x, to: {x: x // 2, q: 0}}"],
        "t: the move 'both' neither takes from one of x nor leaves them alone; where the move 'turn' leads depends on x",
    ),
    "sum": (
        "position: {x: 0..N}", ["{name: split, for: {t: 1..x-1}, to: [{x: t}, {x: x - t}]}"],
        "t: no move is a take from one pile whose limit depends on that pile only; the move 'split' leads to a sum of",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("space", "moves", "words"), MOVES.values(), ids=MOVES)
def test_check_says_why_the_moves_get_no_sweep(space, moves, words):
    instance = instance_of(space, *moves)
    assert ways(instance)["grundy"].startswith(f"by the compiled kernel, option by option: {words}")
    with pytest.raises(NoSweep) as refused:
        solve_sweep(instance, "grundy")
    assert refused.value.message.startswith(words)


LAYERS = "position: {x: 0..N, q: 0..2}"
PILES = {
    "limited under misère play": (
        "position: {x: 0..N}\nplay: misere", ["{take: '1..min(x, 2)', from: x}"],
        "under misère play a limited take may end the game at many positions",
    ),
    "a larger pile goes lower": (
        "position: {x: 0..N}", ["{take: '1..min(x, 1 + 3 * (x % 2))', from: x}"],
        "from a larger pile a take may go to smaller sizes than from a smaller one",
    ),
    "measure": (
        "position: {x: 0..N}\nmeasure: x * x", [TAKE_X], "its measure is no sum of multiples of the coordinates",
    ),
    "measure between layers": (
        LAYERS + "\nmeasure: x + 0 * q", [TAKE_X, "{when: q >= 1, to: {q: q - 1}}"],
        "a move between layers does not lower the measure",
    ),
    "more than there is": (
        "position: {x: 0..N}", ["{take: '1..max(x, 2)', from: x}"], "max(x, 2) may be more than x",
    ),
    "limit without a value": (
        "position: {x: 0..N}", ["{take: '1..6 // x', from: x}"], "t (N=5): division by zero: 6 // 0",
    ),
    "too many layers": (
        "position: {x: 0..N, q: 0..1200}", [TAKE_X], "it has more than 1,000 layers",
    ),
    "past the edge": (
        "position: {x: 0..N, q: 0..Q}\nmeasure: x", [TAKE_X, "{when: q == 5 and x >= 9, to: {q: q + 1}}"],
        "a move leads to q=6, past the table's edge",
    ),
    "no such layer": (
        LAYERS, [TAKE_X, "{name: up, when: x >= 3, to: {q: q + 1}}"], "the move 'up' leads to no layer: q=3",
    ),
    "to and fro": (
        LAYERS, [TAKE_X, "{when: x >= 3, to: {q: 2 - q}}"], "moves lead from q=2 back to it",
    ),
    "depends on the pile": (
        LAYERS, [TAKE_X, "{name: turn, when: q == 2, to: {q: x % 2}}"],
        "where the move 'turn' leads depends on x: x % 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("space", "moves", "words"), PILES.values(), ids=PILES)
def test_why_a_game_is_no_game_of_piles(space, moves, words):
    instance = instance_of(space, *moves)
    kind = "outcome" if "misere" in space else "grundy"
    with pytest.raises(NoSweep) as refused:
        piles_for(instance, kind)
    assert words in refused.value.message


LINES = {
    "leaves along lines": (
        TWO + "\nwhere: x + y <= 5", ["{name: up, take: t, from: x}", "{name: over, when: y >= 1, to: {y: y - 1, x: x}}",
        "{name: leap, for: {t: 1..y}, when: t == y, to: {y: y + 1}}"], "the move 'leap' may leave the space",
    ),
    "shared edges leave": (
        TWO + "\nwhere: y != 1", ["{name: fall, for: {w: 0..y-1}, to: {y: w}}", TAKE_X],
        "the move 'fall' may leave the space",
    ),
    "a take leaves": (
        TWO + "\nwhere: x != 2", ["{name: down, take: t, from: x}", TAKE_Y], "the move 'down' may leave the space",
    ),
    "a condition leaves": (
        TWO, ["{name: up, when: x >= 3, to: {y: y + 1}}", TAKE_X], "the move 'up' may leave the space",
    ),
    "no value": (
        TWO, ["{when: '6 // y == 2', to: {y: 0}}", TAKE_X], "t (N=5): division by zero: 6 // 0",
    ),
    "to and fro": (
        "position: {x: 0..N, q: 0..1}\nmeasure: 2 * x + q", ["{for: {t: 1..x}, to: {x: x - t, q: 1 - q}}"],
        "moves lead from a line to another and back",
    ),
    "measure": (TWO + "\nmeasure: x * x + y", [TAKE_X], "its measure is no sum of multiples of the coordinates"),
    "not lower": (TWO + "\nmeasure: x", ["{when: y >= 1, to: {y: y - 1}}", TAKE_X], "a move may not lower the measure"),
    "shared, not lower": (TWO + "\nmeasure: x", [TAKE_X, TAKE_Y], "a move may not lower the measure"),
    "a take, not lower": (TWO + "\nmeasure: y", [TAKE_X], "a move may not lower the measure"),
}  # fmt: skip


@pytest.mark.parametrize(("space", "moves", "words"), LINES.values(), ids=LINES)
def test_why_a_game_is_not_solved_along_lines(space, moves, words):
    with pytest.raises(NoSweep) as refused:
        solve_planes(instance_of(space, *moves), "outcome")
    assert words in refused.value.message


@pytest.mark.parametrize(
    ("limit", "choices", "when", "words"),
    [
        ("MOST_EDGES", "w: 0..y-1, v: 0..0", "True", "more than 20 choices between lines"),
        ("MOST_MASKED", "w: 0..y-1", "x >= w", "more than 20 moves whose condition asks about x"),
    ],
)
def test_what_would_be_too_large_is_refused(monkeypatch, limit, choices, when, words):
    for module in (edges, shared):
        monkeypatch.setattr(module, limit, 20)
    fall = f'{{for: {{{choices}}}, when: "{when}", to: {{y: w}}}}'
    with pytest.raises(NoSweep, match=words):
        solve_planes(instance_of(TWO, fall, TAKE_X, bound=9), "outcome")


def test_bits_that_need_too_much_memory_are_kept_for_fewer_lines_or_not_at_all(monkeypatch):
    instance = instance_of(TWO, TAKE_Y, TAKE_X, bound=9)
    table = solve_planes(instance, "grundy")
    monkeypatch.setattr(planes, "MOST_BYTES", 100)  # a line of 10 places needs 80
    assert np.array_equal(solve_planes(instance, "grundy").values, table.values)
    monkeypatch.setattr(planes, "MOST_BYTES", 79)
    with pytest.raises(NoSweep, match="as bits, need more than 79 bytes"):
        solve_planes(instance, "grundy")
