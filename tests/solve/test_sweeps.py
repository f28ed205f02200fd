"""Sweeps against the reference solver: equal tables wherever a sweep applies, and never where the reference refuses."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import event, given
from tests.differential.ways import interpreted, kinds
from tests.random_games import instances
from tests.sizes import examples

from grundylab.check.linewise import check_lines
from grundylab.errors import NoSweep, RulesetError
from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.games.instances import trial_instance
from grundylab.games.model import P_POSITIONS
from grundylab.language import parse
from grundylab.solve.reference import solve_reference
from grundylab.solve.sweeps import solve_sweep, way
from grundylab.solve.sweeps.marking import solve_marking
from grundylab.solve.sweeps.piles import solve_piles

RULESETS = Path(__file__).parents[2] / "rulesets"
NAMES = sorted(path.stem for path in RULESETS.glob("*.yaml"))
GAMES = [name for name in NAMES if not load_ruleset(name, RULESETS).free]
SWEEPS = (solve_piles, solve_marking)


def assert_same(instance, sweeps=SWEEPS):
    """Where a sweep applies its table is the reference's; returns the names of those that applied."""
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


@examples(20)
@given(instance=instances(legal=False))
def test_sweeps_give_the_references_table_or_refuse_on_random_rulesets(instance):
    with interpreted():
        for applied in assert_same(instance):
            event(applied)


@pytest.mark.parametrize("name", GAMES)
def test_compiled_sweeps_give_the_references_table_on_shipped_rulesets(name):
    instance = trial_instance(load_ruleset(name, RULESETS))
    applied = assert_same(instance)
    for kind in kinds(instance):
        try:
            way(instance, kind)
        except NoSweep:
            assert not any(kind in sweep for sweep in applied)
        else:
            assert any(kind in sweep for sweep in applied)  # what ``grundylab check`` promises


def test_tables_are_the_same_in_any_number_of_threads():
    """Compiled sweeps let other threads run, so they must keep nothing between calls."""
    names = ("max-nim-ceil-3-pass", "nim-with-a-pass", "nim-with-a-pass-from-m", "two-stones-ceil")
    asked = [(trial_instance(load_ruleset(name, RULESETS)), "outcome") for name in names]
    asked += [(instance, "grundy") for instance, _ in asked[:-1]]
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
    with pytest.raises(NoSweep, match="may have no value"):
        solve_piles(instance, "outcome")
    with pytest.raises(NoSweep, match="may have no value"):
        check_lines(parse("x == z"), P_POSITIONS, instance)
