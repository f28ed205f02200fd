"""Why a game gets no sweep: the words for each reason. What the first sweep says comes before what the second says."""

import pytest

from grundylab.cli.commands.check import ways
from grundylab.errors import NoSweep
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve.sweeps import solve_sweep
from grundylab.solve.sweeps.piles import piles_for

TWO = "position: {x: 0..N, y: 0..N}"
SLIDE = "{name: slide, for: {t: 1..y}, to: {y: y - t, x: x + t}}"
MIX = '{name: mix, for: {t: 1..x}, to: {x: x - t, q: "(x + t) % 2"}}'
TAKE_X = "{take: t, from: x}"


def instance_of(space, *moves, bound=5):
    text = "\n".join(["title: t", space, "moves:", *(f"  - {move}" for move in moves)])
    ruleset = parse_ruleset(text + "\n", "t")
    return make_instance(ruleset, {}, dict.fromkeys(ruleset.bounds, bound))


# What is said of the moves alone. What marking says comes after it.
MOVES = {
    "no take": (
        TWO, ["{name: both, for: {t: '1..min(x, y)'}, to: {x: x - t, y: y - t}}"],
        "t: no move is a take from one pile whose limit depends on that pile only",
    ),
    "two takes": (
        "position: {x: 0..N, q: 0..1}", [TAKE_X, "{take: '1..min(x, 2)', from: x}", MIX],
        "t: there are two sorts of takes from one pile",
    ),
    "restricted": (TWO + "\nwhere: x <= y + 9", [TAKE_X, SLIDE], "t: its positions are restricted: x <= y + 9"),
    "another move": (TWO, [TAKE_X, SLIDE], "t: the move 'slide' neither takes from one of x nor leaves them alone"),
    "begins at one": (
        "position: {x: 1..N, q: 0..1}", ["{take: 1..x-1, from: x}", MIX],
        "t: x does not have every value from 0 on: 1..N",
    ),
    "range of the rest": (
        "position: {x: 0..N, q: 0..x}", [TAKE_X, MIX],
        "t: the range of q begins at a bound or depends on an axis: 0..x",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("space", "moves", "words"), MOVES.values(), ids=MOVES)
def test_check_says_why_the_moves_get_no_sweep(space, moves, words):
    instance = instance_of(space, *moves)
    words += "; only outcomes are found by marking"
    assert ways(instance)["grundy"] == f"by the compiled kernel, option by option: {words}"
    with pytest.raises(NoSweep) as refused:
        solve_sweep(instance, "grundy")
    assert refused.value.message == words


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
