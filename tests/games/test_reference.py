"""The reference solver, compared with theorems, and its error messages."""

from functools import reduce
from operator import xor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.random_games import MAX_CELLS, instances
from tests.sizes import examples

from grundylab.errors import InstanceError, RulesetError
from grundylab.games import Rules, make_instance, parse_ruleset
from grundylab.solve.reference import mex, solve_reference
from grundylab.solve.table import NO_POSITION, is_p_position


def solved(text: str, kind: str = "grundy", parameters: dict[str, int] | None = None, **bounds: int):
    return solve_reference(make_instance(parse_ruleset(text, "game"), parameters or {}, bounds), kind)


NIM = "title: Nim\npiles: 3\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"


@given(st.lists(st.integers(0, 12)))
def test_mex_is_the_least_number_that_is_missing(values):
    assert mex(values) == next(n for n in range(len(values) + 1) if n not in values)
    assert mex(iter(values)) == mex(reversed(values))


def test_the_grundy_number_of_nim_is_the_nim_sum():
    # Bouton 1901; Sprague 1935
    table = solved(NIM, N=6)
    assert table.values.tolist() == [[[x ^ y ^ z for z in range(7)] for y in range(7)] for x in range(7)]
    assert table.positions == 343


def test_the_p_positions_of_misere_nim():
    # Bouton 1901: as in normal play, but where every pile is 0 or 1 the other way round
    table = solved(NIM + "play: misere\n", "outcome", N=4)
    for position in np.ndindex(5, 5, 5):
        total = reduce(xor, position)
        previous_wins = total == 1 if max(position) <= 1 else total == 0
        assert table[position] == (not previous_wins)


# (name, rules, first Grundy numbers from 0): Guy & Smith 1956; Berlekamp, Conway & Guy, Winning Ways, chapter 4
HEAPS = [
    (
        "Kayles, 0.77",
        "{for: {t: 1..2, a: 0..n - t}, when: a <= n - t - a, to: [{n: a}, {n: n - t - a}]}",
        [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7],
    ),
    (
        "Dawson's Kayles, 0.07",
        "{for: {a: 0..n - 2}, to: [{n: a}, {n: n - 2 - a}]}",
        [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0],
    ),
    (
        "Lasker's Nim",
        "{take: t, from: n}, {for: {a: 1..n - 1}, to: [{n: a}, {n: n - a}]}",
        [0, 1, 2, 4, 3, 5, 6, 8, 7, 9, 10, 12, 11],
    ),
    (
        "Grundy's game",
        "{for: {a: 1..n - 1}, when: a < n - a, to: [{n: a}, {n: n - a}]}",
        [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0],
    ),
    ("subtraction of 1, 2 or 3", "{take: 1..3, from: n, when: t <= n}", [0, 1, 2, 3] * 5),
    ("subtraction of 1 or 4", "{take: 1..4, from: n, when: t <= n and t % 3 == 1}", [0, 1, 0, 1, 2] * 4),
]


@pytest.mark.parametrize(("name", "rules", "expected"), HEAPS, ids=[row[0] for row in HEAPS])
def test_grundy_numbers_of_heaps(name, rules, expected):
    table = solved(f"title: a\nposition: {{n: 0..N}}\nmoves: [{rules}]\n", N=len(expected) - 1)
    assert table.values.tolist() == expected


def test_wythoffs_p_positions():
    # Wythoff 1907: (floor(k φ), floor(k φ²))
    text = """\
title: Wythoff
piles: 2
position: {x: 0..N}
moves:
  - {take: t, from: x}
  - {for: {t: "1..min(x, y)"}, to: {x: x - t, y: y - t}}
"""
    table = solved(text, "outcome", N=11)
    expected = {(0, 0), (1, 2), (3, 5), (4, 7), (6, 10)}
    assert {p for p in np.ndindex(12, 12) if table[p] == 0} == expected | {(y, x) for x, y in expected}


def test_a_pass_is_never_made_from_a_terminal_position():
    text = "title: a\nposition: {x: 0..N}\nmoves: [{take: 1..1, from: x, when: t <= x}]\npass: {}\n"
    table = solved(text, N=5)
    # with the pass used up: parity; with it, the end itself is still terminal and has value 0
    assert table.values[:, 0].tolist() == [0, 1, 0, 1, 0, 1]
    assert table.values[0, 1] == 0
    assert [mex({table[(x - 1, 1)], table[(x, 0)]}) for x in range(1, 6)] == table.values[1:, 1].tolist()
    options = list(Rules(table.instance).options((0, 1)))
    assert options == []
    assert list(Rules(table.instance).options((2, 1))) == [(0, ((1, 1),)), (1, ((2, 0),))]


def test_a_pass_is_made_once_and_only_when_allowed():
    text = "title: a\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\npass: {when: x >= m}\nparameters: {m: m >= 1}\n"
    rules = Rules(solved(text, parameters={"m": 3}, N=4).instance)
    passes = {
        position
        for position in rules.positions()
        if any(number == 1 for number, _ in rules.options(position))
    }
    assert passes == {(3, 1), (4, 1)}


def test_cells_that_are_no_positions():
    table = solved(
        "title: a\nposition: {x: 0..N, y: 0..x}\nwhere: y != 1\nmoves: [{take: t, from: x, when: x - t >= y}]\n",
        N=3,
    )
    assert (table.values == NO_POSITION).tolist() == [[y > x or y == 1 for y in range(4)] for x in range(4)]
    assert table.positions == 7
    assert table[(3, 2)] == 1
    for outside in ((0, 1), (1, 1), (4, 0), (-1, 0)):
        with pytest.raises(KeyError):
            table[outside]


def test_a_measure_makes_a_game_with_growing_coordinates_end():
    text = "title: a\nposition: {x: 0..3, y: 0..9}\nmeasure: 4*x + y\nmoves: [{when: x > 0, to: {x: x - 1, y: y}}]\n"
    assert solved(text).values[:, 0].tolist() == [0, 1, 0, 1]


# -- the strategy that the solvers' tests rely on --------------------------------------------------


@examples(25, 5_000)
@given(instances())
def test_grundy_numbers_are_the_mex_of_their_options_and_outcomes_their_zeros(instance):
    misere = instance.ruleset.play == "misere"
    outcome = solve_reference(instance, "outcome")
    grundy = outcome if misere else solve_reference(instance, "grundy")
    rules = Rules(instance)
    assert instance.cells <= MAX_CELLS
    assert outcome.positions == sum(1 for _ in rules.positions())
    for position in rules.positions():
        values = [reduce(xor, (grundy[part] for part in parts)) for _, parts in rules.options(position)]
        if misere:
            assert outcome[position] == (1 if not values else int(0 in values))
        else:
            assert grundy[position] == mex(values)
            assert outcome[position] == min(grundy[position], 1)
    assert (is_p_position(grundy.values) == is_p_position(outcome.values)).all()


def test_misere_play_has_no_grundy_numbers():
    text = "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nplay: misere"
    with pytest.raises(InstanceError, match="only outcomes"):
        solve_reference(make_instance(parse_ruleset(text), {}, {"N": 3}), "grundy")


def test_the_random_games_have_every_feature():
    seen: set[str] = set()

    @settings(max_examples=300)  # enough for the rarest feature, whatever number of examples the profile has
    @given(instances(legal=False))
    def collect(instance):
        ruleset = instance.ruleset
        features = {
            "misère": ruleset.play == "misere",
            "pass": any(move.a_pass for move in ruleset.moves),
            "split": ruleset.splits,
            "piles": len(ruleset.piles) > 1,
            "where": str(ruleset.where) != "True",
            "measure": "*" in str(ruleset.measure),
            "parameter": bool(ruleset.parameters),
            "function": any(not f.recursive for f in ruleset.functions),
            "recurrence": any(f.recursive for f in ruleset.functions),
            "two choices": any(len(move.choices) > 1 for move in ruleset.moves),
            "three coordinates": len(ruleset.coordinates) > 2,
            "low end above 0": any(side.low > 0 for side in instance.box),
        }
        seen.update(name for name, there in features.items() if there)
        try:
            table = solve_reference(instance, "outcome")
        except RulesetError as error:
            seen.add("leaves" if "leaves the position space" in error.message else "could loop")
        else:
            seen.add("holes" if table.positions < instance.cells else "full")

    collect()
    assert seen == {
        "misère", "pass", "split", "piles", "where", "measure", "parameter", "function", "recurrence", "two choices",
        "three coordinates", "low end above 0", "leaves", "could loop", "holes", "full",
    }  # fmt: skip


@examples(30, 5_000)
@given(instances(), st.integers(1, 50))
def test_slabs_hold_every_position_once_and_in_order(instance, cells):
    table = solve_reference(instance, "outcome")
    rows = [
        (tuple(int(column[row]) for column in slab.coordinates), int(slab.values[row]))
        for slab in table.slabs(cells)
        for row in range(len(slab))
    ]
    assert [position for position, _ in rows] == list(Rules(instance).positions())
    assert all(table[position] == value for position, value in rows)


def test_the_first_move_that_leaves_the_space_is_told_before_the_next_is_made(monkeypatch):
    looked, options = list[object](), Rules.options

    def counted(rules, position):
        for option in options(rules, position):
            looked.append(option)
            yield option

    monkeypatch.setattr(Rules, "options", counted)
    with pytest.raises(RulesetError, match=r"to \(x=-1\)"):
        solved("title: t\nposition: {x: 0..N}\nmoves: [{take: 1..1000, from: x}]\n", N=3)
    assert looked == [(0, ((-1,),))]
