"""Sweeps against the reference solver: equal tables wherever a sweep applies, and never where the reference refuses."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from tests.games import instances
from tests.strategies import random_instances

from grundylab.rulesets import load_ruleset
from grundylab.rulesets.trial import trial_instance
from grundylab.solving.reference import solve_reference
from grundylab.solving.sweeps import NoSweep, solve_sweep, way
from grundylab.solving.sweeps.piles import solve_piles
from grundylab.solving.sweeps.planes import solve_planes

RULESETS = Path(__file__).parents[2] / "rulesets"
NAMES = sorted(path.stem for path in RULESETS.glob("*.yaml"))
GAMES = [name for name in NAMES if not load_ruleset(name, RULESETS).free]


def kinds(instance):
    return ("outcome",) if instance.ruleset.play == "misere" else ("outcome", "grundy")


def assert_same(instance):
    """Where a sweep applies its table is the reference's; returns the names of those that applied."""
    applied = set()
    for kind in kinds(instance):
        expected = None
        for sweep in (solve_piles, solve_planes):
            try:
                found = sweep(instance, kind)
            except NoSweep:
                continue
            applied.add(f"{sweep.__name__} {kind}")
            if expected is None:
                expected = solve_reference(instance, kind)  # fails the test if the game is faulty
            assert np.array_equal(found.values, expected.values), (sweep, kind)
    return applied


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(instance=instances("piles", "alike"))
def test_sweeps_give_the_references_table_on_random_games_of_piles(instance):
    for applied in assert_same(instance):
        event(applied)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(instance=random_instances())
def test_sweeps_give_the_references_table_or_refuse_on_random_rulesets(instance):
    for applied in assert_same(instance):
        event(applied)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(instance=instances("bars"))
def test_sweeps_give_the_references_table_on_random_bars(instance):
    for applied in assert_same(instance):
        event(applied)


@pytest.mark.parametrize("name", GAMES)
def test_compiled_sweeps_give_the_references_table_on_shipped_rulesets(name):
    instance = trial_instance(load_ruleset(name, RULESETS))
    applied = assert_same(instance)
    for kind in kinds(instance):
        try:
            said = way(instance, kind)
        except NoSweep:
            assert not any(kind in sweep for sweep in applied)
        else:  # what ``grundylab check`` promises; of marking see test_marking
            assert any(kind in sweep for sweep in applied) != said.startswith("each P-position marks")


def test_tables_are_the_same_in_any_number_of_threads():
    """Compiled sweeps let other threads run, so they must keep nothing between calls."""
    names = (
        "chocolate-half-pass",
        "max-nim-ceil-3-pass",
        "nim-with-a-pass",
        "turn-limit-linear",
        "nim-with-a-pass-from-m",
    )
    instances = [trial_instance(load_ruleset(name, RULESETS)) for name in names] * 4
    asked = [(instance, kind) for instance in instances for kind in ("grundy", "outcome")]
    results = []
    for threads in (1, 2, 3):
        with ThreadPoolExecutor(threads) as pool:
            results.append([table.values for table in pool.map(lambda one: solve_sweep(*one), asked)])
    for tables in zip(*results, strict=True):
        assert all(np.array_equal(tables[0], other) for other in tables[1:])
