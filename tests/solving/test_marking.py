"""Marking against the reference, on random games that take from several coordinates; and what is refused."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, note, settings
from hypothesis import strategies as st
from tests.strategies import random_instances

from grundylab.commands.check import trial_instance
from grundylab.rulesets import Instance, load_ruleset, make_instance, parse_ruleset
from grundylab.solving import kernels, solve
from grundylab.solving.reference import solve_reference
from grundylab.solving.sweeps import NoSweep, way
from grundylab.solving.sweeps.marking import solve_marking

RULESETS = Path(__file__).parents[2] / "rulesets"
NAMES = sorted(path.stem for path in RULESETS.glob("*.yaml"))

RANGES = {
    "t": ["0..x", "1..x", "0..min(x, 3)", "0..min(x, y)", "1..ceil(x/2)", "x..x"],
    "u": ["0..y", "1..y", "0..min(y, t)", "t..min(y, 2*t)", "y - min(x, y)..y", "0..min(y, h(y))"],
}
LIMITS = [
    "1 <= a*t + b*u <= ceil((a*x + b*y)/2)",
    "1 <= t + 2*u <= floor((x + 2*y)/3) + 1",
    "t + u >= 1 and t + u <= max(x, y)",
    "t + u >= 1 and a*u <= x + t",
    "t + u >= 1 and abs(t - u) < a",
    "t + u == b",
    "t + u >= 1 and t*u <= a",
    "t + u >= 1 and (t + u) % 2 == x % 2",
    "t + u >= 1 and (x ^ y) != u",
    "0 < t + u and 2*t <= x + 1 != u + 2",
    "t + u > 0 and (t == u or u == 0)",
    "t >= 1",
]
OTHERS = [
    "{for: {w: 0..x-1}, to: {x: w}}",
    '{take: "1..min(b, y)", from: y}',
    '{for: {t: "1..min(x, y)"}, to: {x: x - t, y: y - t}}',
    '{for: {t: "1..min(x, y)"}, to: {y: y - t, x: x - 1}}',
    '{for: {w: 0..x-1, u: 0..y}, when: "w + u <= y", to: {x: w, y: y - u}}',
    '{when: "x >= a and y >= 1", to: {x: x - a, y: y - 1}}',
    "{when: s == 1 and x >= b, to: {s: 0}}",
    "{when: s == 2, to: {s: 1, y: 0}}",
    '{for: {t: 1..s}, when: "t <= y", to: {s: s - t, y: y - t}}',
]
GUARDS = ["True", "x + y >= b", "x > y", "(x + y) % 3 == 1", "a*x == y"]
FUNCTION = "functions: {h(n): {cases: [{when: n % 3 == 0, value: 1}, {otherwise: n - 1}]}}"


@st.composite
def weighted_games(draw):
    """Games of two coordinates that are taken from together, and a third one, with or without a pass."""
    lines = [
        "title: t",
        "parameters: {a: a >= 1, b: b >= 1}",
        "position: {x: 0..N, y: 0..M, s: 0..2}",
        FUNCTION,
    ]
    lines.append("moves:")
    for _ in range(draw(st.integers(1, 2))):
        ranges = ", ".join(f'{name}: "{draw(st.sampled_from(RANGES[name]))}"' for name in "tu")
        limit = draw(st.sampled_from(LIMITS))
        lines.append(f'  - {{for: {{{ranges}}}, when: "{limit}", to: {{x: x - t, y: y - u}}}}')
    lines += ["  - " + move for move in draw(st.lists(st.sampled_from(OTHERS), max_size=2))]
    if draw(st.booleans()):
        lines.append(f'pass: {{when: "{draw(st.sampled_from(GUARDS))}"}}')
    if draw(st.integers(0, 3)) == 0:
        lines.append("play: misere")
    lines += draw(st.sampled_from([[], [], ["measure: 2*x + y + 3*s"]]))
    note("\n".join(lines))
    ruleset = parse_ruleset("\n".join(lines) + "\n", "t")
    parameters = {"a": draw(st.integers(1, 3)), "b": draw(st.integers(1, 3))}
    return make_instance(ruleset, parameters, {name: draw(st.integers(0, 6)) for name in ruleset.bounds})


def uncompiled(source):
    """The module as Python runs it: to compile one takes longer than all else here."""
    module = ModuleType("uncompiled")
    head, _, rest = source.partition("njit = ")
    exec(head + "njit = lambda function: function\n" + rest.split("\n", 1)[1], module.__dict__)  # noqa: S102 - source that grundylab wrote
    return module


def assert_marked(instance):
    """Where it is marked the table is the reference's; returns whether it is."""
    try:
        found = solve_marking(instance, "outcome")
    except NoSweep:
        return "refused"
    # fails the test if the game is faulty
    assert np.array_equal(found.values, solve_reference(instance, "outcome").values)
    return "marked"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(weighted_games())
def test_marking_gives_the_references_table_on_random_games(instance):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "load_module", uncompiled)
        event(assert_marked(instance))


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(weighted_games())
def test_it_does_so_compiled(instance):
    assert_marked(instance)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(random_instances())
def test_on_random_rulesets_it_gives_the_references_table_or_refuses(instance):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "load_module", uncompiled)
        event(assert_marked(instance))


@pytest.mark.parametrize("name", NAMES)
def test_on_shipped_rulesets_it_gives_the_references_table_or_refuses(name, monkeypatch):
    monkeypatch.setattr(kernels, "load_module", uncompiled)
    if (instance := trial_instance(load_ruleset(name, RULESETS))) is not None:
        assert_marked(instance)


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
        (game(BOTH, "{x: 0..N, y: 0..x}"), "outcome", "t: the range of y depends on other coordinates"),
        (game("for: {t: 1..x}, to: [{x: 0}, {x: x - t}]"), "outcome", "the move 'it' leads to a sum of positions"),
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


def test_where_marking_takes_more_steps_than_there_are_moves_the_kernel_solves(monkeypatch):
    instance = game(BOTH)
    expected = solve_reference(instance, "outcome").values
    monkeypatch.setattr(Instance, "moves", 10)
    with pytest.raises(NoSweep, match="its P-positions are many"):
        solve_marking(instance, "outcome")
    assert np.array_equal(solve(instance, "outcome", "auto").values, expected)
