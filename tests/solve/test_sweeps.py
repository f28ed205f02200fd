"""Sweeps agree with the reference solver wherever they apply, and refuse other games with the right words."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import event, given
from tests.differential.ways import interpreted, kinds
from tests.papers.small import FAMILIES, NAMES, trial
from tests.random_games import instances
from tests.sizes import examples, thinned

from grundylab.check.linewise import check_lines
from grundylab.cli.commands.check import solving_methods
from grundylab.errors import NoSweep, RulesetError
from grundylab.games import make_instance, parse_ruleset
from grundylab.games.model import P_POSITIONS
from grundylab.language import parse
from grundylab.solve.reference import solve_reference
from grundylab.solve.sweeps import describe_sweep, solve_sweep
from grundylab.solve.sweeps.heap_sweep import solve_heap
from grundylab.solve.sweeps.piles import piles_for, solve_piles

SWEEPS = (solve_piles, solve_heap)


def assert_same(instance, sweeps=SWEEPS):
    """Assert that each sweep that applies gives the reference's table; return the names of these sweeps."""
    applied = set()
    for kind in kinds(instance):
        expected = None
        for sweep in sweeps:
            try:
                found = sweep(instance, kind)
            except NoSweep:
                continue
            applied.add(f"{sweep.__name__} {kind}")
            if expected is None:
                expected = solve_reference(instance, kind)  # fails the test if the game is faulty
            assert np.array_equal(found.values, expected.values), (sweep, kind)
    return applied


@examples(10)
@given(instance=instances(legal=False))
def test_sweeps_give_the_references_table_or_refuse_on_random_rulesets(instance):
    with interpreted():
        for applied in assert_same(instance):
            event(applied)


@pytest.mark.parametrize("name", thinned(((name,) for name in NAMES if name not in FAMILIES), 8))
def test_compiled_sweeps_give_the_references_table_on_shipped_rulesets(name):
    instance = trial(name)
    applied = assert_same(instance)
    for kind in kinds(instance):
        try:
            describe_sweep(instance, kind)
        except NoSweep:
            assert not any(kind in sweep for sweep in applied)
        else:
            assert any(kind in sweep for sweep in applied)  # what ``grundylab check`` promises


def test_tables_are_the_same_in_any_number_of_threads():
    """Compiled sweeps let other threads run, so they must keep no state between calls."""
    names = ("max-nim-ceil-3-pass", "nim-with-a-pass", "nim-with-a-pass-from-m")
    asked = [(trial(name), "outcome") for name in names]
    asked += [(instance, "grundy") for instance, _ in asked]
    results = []
    for threads in (1, 2, 3):
        with ThreadPoolExecutor(threads) as pool:
            results.append([table.values for table in pool.map(lambda one: solve_sweep(*one), asked * 4)])
    for tables in zip(*results, strict=True):
        assert all(np.array_equal(tables[0], other) for other in tables[1:])


def test_a_condition_without_a_value_is_refused_even_where_it_decides_nothing():
    # asked for at the P-positions alone it would never be evaluated at x = 3
    ruleset = parse_ruleset(
        "title: t\nposition: {x: 0..N, z: 0..2}\n"
        'moves: [{take: t, from: x}, {when: "z >= 1 and 6 // (x - 3) != 1", to: {z: z - 1}}]',
        "t",
    )
    instance = make_instance(ruleset, {}, {"N": 5})
    with pytest.raises(RulesetError, match="division by zero"):
        solve_reference(instance, "outcome")
    with pytest.raises(NoSweep, match="no value"):
        solve_piles(instance, "outcome")
    with pytest.raises(NoSweep, match="no value"):
        check_lines(parse("x == z"), P_POSITIONS, instance)


# -- refusals -----------------------------------------------------------------------------------------

TWO = "position: {x: 0..N, y: 0..N}"
SLIDE = "{name: slide, for: {t: 1..y}, to: {y: y - t, x: x + t}}"
MIX = '{name: mix, for: {t: 1..x}, to: {x: x - t, q: "(x + t) % 2"}}'
TAKE_X = "{take: t, from: x}"


def instance_of(space, *moves, bound=5):
    text = "\n".join(["title: t", space, "moves:", *(f"  - {move}" for move in moves)])
    ruleset = parse_ruleset(text + "\n", "t")
    return make_instance(ruleset, {}, dict.fromkeys(ruleset.bounds, bound))


MOVES = {
    "no take": (
        TWO, ["{name: both, for: {t: '1..min(x, y)'}, to: {x: x - t, y: y - t}}"],
    ),
    "two takes": (
        "position: {x: 0..N, q: 0..1}", [TAKE_X, "{take: '1..min(x, 2)', from: x}", MIX],
    ),
    "restricted": (TWO + "\nwhere: x <= y + 9", [TAKE_X, SLIDE]),
    "another move": (TWO, [TAKE_X, SLIDE]),
    "begins at one": (
        "position: {x: 1..N, q: 0..1}", ["{take: 1..x-1, from: x}", MIX],
    ),
    "range of the rest": (
        "position: {x: 0..N, q: 0..x}", [TAKE_X, MIX],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("space", "moves"), MOVES.values(), ids=MOVES)
def test_check__says_why_the_moves_get_no_sweep(space, moves):
    instance = instance_of(space, *moves)
    with pytest.raises(NoSweep) as refused:
        solve_sweep(instance, "grundy")
    assert solving_methods(instance)["grundy"].endswith(f": {refused.value.message}")


LAYERS = "position: {x: 0..N, q: 0..2}"
PILES = {
    "limited under misère play": (
        "position: {x: 0..N}\nplay: misere", ["{take: '1..min(x, 2)', from: x}"],
        "under misère play a limited take may end the game at many positions",
    ),
    "a larger pile goes lower": (
        "position: {x: 0..N}", ["{take: '1..min(x, 1 + 3 * (x % 2))', from: x}"],
        "a take from a larger pile may leave less than any take from a smaller one",
    ),
    "measure": (
        "position: {x: 0..N}\nmeasure: x * x", [TAKE_X], "its measure is not a sum of multiples of the coordinates",
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
        LAYERS, [TAKE_X, "{name: up, when: x >= 3, to: {q: q + 1}}"], "the move 'up' leads outside the game, to q=3",
    ),
    "to and fro": (
        LAYERS, [TAKE_X, "{when: x >= 3, to: {q: 2 - q}}"], "moves form a cycle from q=2",
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
