"""Sweeps against the reference solver: equal tables wherever a sweep applies, and never where the reference refuses."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, note, settings
from hypothesis import strategies as st
from tests.strategies import random_instances

from grundylab.rulesets import load_ruleset, make_instance, parse_ruleset
from grundylab.rulesets.trial import trial_instance
from grundylab.solving.reference import solve_reference
from grundylab.solving.sweeps import NoSweep, solve_sweep, way
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


FALLS = [
    "{take: t, from: y}",
    "{take: t, from: z}",
    '{take: "1..min(z, 2)", from: z}',
    '{for: {w: 0..z-1}, to: {z: w, y: "min(y, h(w))"}}',
    '{for: {t: 1..z}, when: "GUARD", to: {z: z - t, y: "min(y, h(z - t))"}}',
    '{for: {w: 0..z-1}, when: "GUARD", to: {z: w, y: 0}}',
    '{for: {w: 0..z-1}, when: "(w + y) % 3 != 1", to: {z: w, y: "min(y, h(w))"}}',
    '{for: {w: 0..z-1}, when: "(w + x) % 3 != 1", to: {z: w, y: "min(y, h(w))"}}',
    '{for: {w: 0..z-1}, when: "w != z - 2", to: {z: w, y: "min(y, h(w))"}}',
    '{for: {w: 0..y-1}, to: {y: w, z: "min(z, w)"}}',
    "{for: {w: floor(z/2)..z-1}, to: {z: w, y: 0}}",
    '{for: {w: 1..z}, when: "y >= 1", to: {y: y - 1, z: w}}',
    '{for: {w: 0..y-1}, to: {y: w, z: "min(z + 1, 3)"}}',
]
ALONG = [
    "{take: t, from: x}",
    '{take: "1..min(x, 2)", from: x}',
    '{take: "1..min(x, y)", from: x}',
    "{for: {t: 1..x}, to: {x: x - t, z: 0, y: 0}}",
    "{for: {w: floor(x/2)..x-1}, to: {x: w}}",
]


@st.composite
def bars(draw):
    """Games like chocolate bars: a move along z or y may make the other less, or ask about the heap x beside the
    bar."""
    space = draw(st.sampled_from(["y <= h(z)", "y <= h(z)", "True", "y <= z or x <= 2"]))
    ranges = draw(
        st.sampled_from(
            ["x: 0..N, y: 0..M, z: 0..M", "y: 0..M, x: 0..N, z: 1..M", "z: 0..M, y: 0..z, x: 0..N"]
        )
    )
    shape = draw(
        st.sampled_from(["floor(z/2)", "z", "{cases: [{when: z % 3 == 0, value: 1}, {otherwise: z}]}"])
    )
    lines = [
        "title: t",
        f"position: {{{ranges}}}",
        f"where: {space}",
        f"functions: {{h(z): {shape}}}",
        "moves:",
    ]
    moves = [
        *draw(st.lists(st.sampled_from(FALLS), min_size=1, max_size=3)),
        *draw(st.lists(st.sampled_from(ALONG), max_size=2)),
    ]
    guards = st.sampled_from(["True", "y >= 1", "t % 2 == 1 or t == z", "x >= z", "h(x) >= y"])
    for number, move in enumerate(moves):
        guard = draw(guards if "t: " in move else st.sampled_from(["True", "w >= y", "w % 2 == 0", "x >= w"]))
        lines.append(f"  - {{name: move {number}, " + move[1:].replace("GUARD", guard))
    if draw(st.booleans()):
        lines.append("measure: x + 2*y + z")
    if draw(st.integers(0, 3)) == 0:
        lines.append("play: misere")
    if draw(st.booleans()):
        lines.append(f'pass: {{when: "{draw(st.sampled_from(["True", "x + y >= 2", "z % 2 == 1"]))}"}}')
    note("\n".join(lines))
    ruleset = parse_ruleset("\n".join(lines) + "\n", "t")
    return make_instance(ruleset, {}, {name: draw(st.integers(0, 5)) for name in ruleset.bounds})


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(instance=bars())
def test_sweeps_give_the_references_table_on_random_bars(instance):
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
