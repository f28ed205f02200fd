"""Sweeps against the reference solver: equal tables wherever a sweep applies, and never where the reference refuses."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, note, settings
from hypothesis import strategies as st
from tests.strategies import random_instances

from grundylab.commands.check import trial_instance
from grundylab.rulesets import load_ruleset, make_instance, parse_ruleset
from grundylab.solving.reference import solve_reference
from grundylab.solving.sweeps import NoSweep, way
from grundylab.solving.sweeps.piles import solve_piles
from grundylab.solving.sweeps.planes import solve_planes

RULESETS = Path(__file__).parents[2] / "rulesets"
NAMES = sorted(path.stem for path in RULESETS.glob("*.yaml"))
GAMES = [name for name in NAMES if not load_ruleset(name, RULESETS).free]

TAKES = [
    "{take: t, from: %s}",
    "{for: {w: 0..%s-1}, to: {%s: w}}",
    "{take: 1..floor(%s/2), from: %s}",
    "{take: 1..ceil(%s/2), from: %s}",
    '{take: "1..min(%s, 3)", from: %s}',
    '{take: "1..min(%s, h(%s))", from: %s}',
    "{for: {w: floor(%s/2)..%s-1}, to: {%s: w}}",
]
GUARDS = [
    "True",
    "x + y >= 3",
    "(x + y) % 3 == 1",
    "x ^ y != s",
    "y < x",
    "s % 2 == 0 or y >= 4",
    "x * y > 2 * s",
]
DOWN = [
    '{for: {t: 1..s}, when: "GUARD", to: {s: s - t}}',
    '{when: "s >= 1 and (GUARD)", to: {s: s - 1}}',
    '{for: {w: 0..s-1}, when: "w != 1 and (GUARD)", to: {s: w, q: 0}}',
    '{when: "q == 1 and (GUARD)", to: {q: 0}}',
]
FUNCTION = "functions: {h(n): {cases: [{when: n % 3 == 0, value: 1}, {otherwise: n - 1}]}}"


@st.composite
def piled_games(draw):
    """Games of two or three piles (one of which may be taken from in another way) and two other coordinates."""
    piles = draw(st.sampled_from(["x", "xy", "xyz"]))
    ranges = [f"{pile}: 0..{draw(st.sampled_from(['N', 'N', 'M']))}" for pile in piles]
    rest = "" if "y" in piles else ", y: 0..2"
    lines = ["title: t", f"position: {{{', '.join(ranges)}{rest}, s: 0..2, q: 0..1}}", FUNCTION, "moves:"]
    same = draw(st.booleans())
    sort = draw(st.sampled_from(TAKES[:2] * 4 + TAKES))
    for pile in piles:
        take = sort if same else draw(st.sampled_from(TAKES[:2] * 3 + TAKES))
        lines.append("  - " + take.replace("%s", pile))
    for _ in range(draw(st.integers(0, 3))):
        lines.append("  - " + draw(st.sampled_from(DOWN)).replace("GUARD", draw(st.sampled_from(GUARDS))))
    if draw(st.booleans()):
        lines.append(f'pass: {{when: "{draw(st.sampled_from(GUARDS))}"}}')
    if draw(st.integers(0, 3)) == 0:
        lines.append("play: misere")
    note("\n".join(lines))
    ruleset = parse_ruleset("\n".join(lines) + "\n", "t")
    sizes = st.integers(0, {1: 30, 2: 7, 3: 4}[len(piles)])
    return make_instance(ruleset, {}, {name: draw(sizes) for name in ruleset.bounds})


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
@given(instance=piled_games())
def test_sweeps_give_the_references_table_on_random_games_of_piles(instance):
    for applied in assert_same(instance):
        event(applied)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(instance=random_instances())
def test_sweeps_give_the_references_table_or_refuse_on_random_rulesets(instance):
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
