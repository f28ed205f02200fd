"""Edges that lines share, against the same edges line by line; and which moves have such edges."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import event, given
from tests.random_games import instances
from tests.sizes import examples
from tests.solve.test_sweeps import assert_same

from grundylab.games import make_instance, parse_ruleset
from grundylab.solve.sweeps import NoSweep
from grundylab.solve.sweeps.edges import Builder
from grundylab.solve.sweeps.plans import plan_for
from grundylab.solve.sweeps.shared import family_of, growing

SPACE = "title: t\nposition: {SPACE}\nfunctions: {h(n): floor(n/2)}\nmoves:\n"


def game(moves, space="x: 0..N, y: 0..M, z: 0..M", **more):
    text = SPACE.replace("SPACE", space) + "".join(
        f"  - {{name: move {number}, {move[1:]}\n" for number, move in enumerate(moves)
    )
    return parse_ruleset(text + "".join(f"{key}: {value}\n" for key, value in more.items()), "t")


def edges_of(move, builder, share):
    """How often each line has an edge to each line from each of its places, and where the move exists; None if the
    edges are not shared."""
    able = np.zeros((builder.lines, builder.places), dtype=bool)
    found = Counter()
    if share:
        family = family_of(move, builder, able)
        if family is None:
            return None
        stops = np.where(family.of < 0, 0, family.stops)
        starts = np.where(family.of < 0, 0, family.starts[family.of])
        edges = [(line, edge) for line in range(builder.lines) for edge in range(starts[line], stops[line])]
        edges = [(line, family.targets[edge], family.masks[edge]) for line, edge in edges]
    else:
        edges = zip(*builder.level(move, able), strict=True)
    for line, target, mask in edges:
        there = builder.valid[line] & (builder.masks[0][mask] if mask >= 0 else True)
        found.update((int(line), int(target), int(place)) for place in np.flatnonzero(there))
    for line, _, place in found if not share else ():
        able[line, place] = True
    return found, able


@examples(75)
@given(instance=instances("bars"))
def test_shared_edges_are_those_of_each_line(instance):
    try:
        plan = plan_for(instance)
        builders = [Builder(instance, plan), Builder(instance, plan)]
    except NoSweep:
        return
    for level in (level for level in plan.levels if not level.move.a_pass):
        results = []
        for builder, share in zip(builders, (True, False), strict=True):
            builder.masks.clear()
            try:
                results.append(edges_of(level, builder, share))
            except NoSweep as error:
                results.append(error.message)
        shared, plain = results
        event("shared" if shared else "plain")
        if shared is None:
            continue
        if isinstance(shared, str):
            assert shared == plain
        else:
            assert shared[0] == plain[0]
            assert np.array_equal(shared[1], plain[1])


@pytest.mark.parametrize(
    ("move", "along"),
    [
        ("{take: t, from: y}", "y"),
        ('{for: {w: 0..z-1}, to: {z: w, y: "min(y, h(w))"}}', "z"),
        ('{for: {t: 1..z}, to: {z: z - t, y: "min(y, h(z - t))"}}', "z"),
        ('{for: {w: 0..y-1}, when: "w + x >= z", to: {y: w, z: 0}}', "y"),
        ('{for: {t: 1..z}, when: "z - t != z // 2", to: {z: z - t, y: 0}}', "y"),  # for each y the same
        ('{for: {w: 0..z-1}, when: "w != z - 2", to: {z: w}}', ""),
        ("{for: {w: 0..z-1, v: 0..y-1}, to: {z: w, y: v}}", ""),
        ('{when: "z >= 1", to: {z: z - 1}}', ""),
    ],
)
def test_which_moves_have_a_range_alone_that_depends_on_a_coordinate(move, along):
    ruleset = game([move])
    assert "".join(found.along for found in growing(ruleset.moves[0], ("y", "z"))) == along


@pytest.mark.parametrize(
    ("move", "shared"),
    [
        ("{take: t, from: z}", True),
        ('{take: "max(1, ceil(z/2))..z", from: z}', True),
        ('{take: "1..ceil(z/2)", from: z}', False),  # the ranges begin later and later
        ('{take: "3..z - floor(z/4)", from: z}', False),
        ('{for: {w: 0..z-1}, when: "w % 3 != 1", to: {z: w}}', True),
        ('{for: {w: "0..z % 4 - 1"}, to: {z: w}}', False),  # and here end earlier
        ('{for: {w: "0..min(z, 2) - 1"}, to: {z: w}}', True),
        ('{for: {w: 0..y-1}, to: {y: w, z: "min(z + 1, 7)"}}', True),
        ('{for: {w: 0..z-1}, to: {z: w, y: "min(y + 1, 7)"}}', False),  # goes to lines that come later
    ],
)
def test_whether_edges_are_shared_and_the_table_is_right(move, shared):
    measure = "x + y + 2*z" if "y + 1" in move else "x + 2*y + z"
    ruleset = game([move, "{take: t, from: x}"], measure=measure)
    instance = make_instance(ruleset, {}, {"N": 4, "M": 7})
    plan = plan_for(instance)
    builder = Builder(instance, plan)
    found = family_of(plan.levels[0], builder, np.zeros(builder.valid.shape, dtype=bool))
    assert (found is not None) is shared
    if found is not None:
        assert len(found.targets) <= builder.lines < len(builder.level(plan.levels[0], builder.valid)[0])
    assert len(assert_same(instance)) >= 2


@pytest.mark.parametrize(
    ("moves", "space"),
    [
        # two takes from the axis, each with a reach of its own
        (['{take: "1..min(x, 2)", from: x}', "{take: t, from: x}", "{take: t, from: y}"], "x: 0..N, y: 0..M"),
        (['{take: "1..min(x, 2)", from: x}', '{take: "1..min(x, 5)", from: x}'], "y: 0..M, x: 0..N"),
        # shared edges, which lead to smaller lines, and a take that leads to greater ones
        (
            ["{take: t, from: y}", '{for: {t: 1..x}, to: {x: x - t, q: "min(q + 1, 3)"}}'],
            "q: 0..3, x: 0..N, y: 0..M",
        ),
    ],
)
def test_moves_that_come_together_are_told_apart(moves, space):
    instance = make_instance(
        game(moves, space, measure="2*x + y" if "q" not in space else "x + y"), {}, {"N": 9, "M": 5}
    )
    assert assert_same(instance) >= {"solve_planes outcome", "solve_planes grundy"}
