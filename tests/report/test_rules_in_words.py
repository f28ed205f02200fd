"""The rules in words: each form of rule has its sentence, and no part of a rule is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.random_games import instances
from tests.sizes import examples

from grundylab.catalogue.wording import words_text
from grundylab.games import parse_ruleset
from grundylab.games.linear_moves import take_of
from grundylab.language.syntax import TRUE, Expr, Name, free_names
from grundylab.report.rules_in_words import rules

SAID = {
    "piles": (
        "piles: 3\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]",
        "A position is three piles of x, y and z stones. A move takes one or more stones from one pile. "
        "A player who cannot move loses.",
    ),
    "limits, a pass and a parameter": (
        "parameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: 1..ceil(x/2), from: x}]\n"
        "pass: {when: x + ... >= m}",
        "A position is two piles of x and y stones. The parameter m is a whole number with m >= 1. "
        "A move takes at least one and at most ceil(x / 2) stones from the pile of x, and likewise from the other. "
        "Once in the game a player may pass if x + y >= m, but not where there is no other move; "
        "p is 1 until then and 0 afterwards. A player who cannot move loses.",
    ),
    "piles that are not alike": (
        "position: {x: 0..N, y: 0..N, z: 0..N}\nplay: misere\n"
        "moves: [{take: t, from: x}, {take: '1..min(3, y)', from: y}, {take: '1..min(z, 1)', from: z}]",
        "A position is three piles of x, y and z stones. A move takes one or more stones from the pile of x. "
        "Another move takes at least one and at most 3 stones from the pile of y. "
        "Another move takes one stone from the pile of z. "
        "This is misère play: a player who cannot move wins.",
    ),
    "a sum": (
        "position: {x: 0..N}\nmoves: [{take: t, from: x}, {name: split, for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}]",
        "A position is a pile of x stones. A move takes one or more stones. "
        "Another move (“split”): choose a from 1 to x - 1; then the position becomes the sum of the positions "
        "a and x - a, and each later move is in one of them. A player who cannot move loses.",
    ),
    "numbers that are no piles": (
        "position: {x: 0..N, q: 0..3}\nwhere: q <= x\nfunctions: {'f(n)': {recurrence: f(n-1) + 1, initial: {0: 2}}}\n"
        "moves: [{take: t, from: x, name: lower, when: x >= q + t}, {for: {s: '0..f(x)'}, when: q > 0, to: {q: q - 1}}]",
        "A position is two whole numbers x >= 0 and 0 <= q <= 3 with q <= x. "
        "A move (“lower”): choose t from 1 to x with x >= q + t; then x becomes x - t. "
        "Another move (“move 2”): if q > 0, choose s from 0 to f(x); then q becomes q - 1. "
        "Here f(0) == 2 and f(n) == f(n - 1) + 1 for every other n. A player who cannot move loses.",
    ),
    "cases": (
        "position: {x: 0..N}\nfunctions: {'f(n)': {cases: [{when: n > 8, value: 2}, {when: n > 4, value: 1}, {otherwise: n}]}}\n"
        "moves: [{take: '1..min(f(x), x)', from: x}]",
        "A position is a pile of x stones. A move takes at least one and at most f(x) stones. "
        "Here f(n) is 2 if n > 8, 1 if n > 4, and n otherwise. A player who cannot move loses.",
    ),
    "a family": (
        "position: {x: 0..N}\nfunctions: {'f(n)': {any: f(n) >= 1}}\nmoves: [{take: '1..min(f(x), x)', from: x}]",
        "A position is a pile of x stones. A move takes at least one and at most f(x) stones. "
        "Here f(n) is any function such that for all n: f(n) >= 1. A player who cannot move loses.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_the_rules_are_said_as_a_person_would(name: str) -> None:
    text, said = SAID[name]
    assert " ".join(map(words_text, rules(parse_ruleset(f"title: A game\n{text}\n")))) == said


@examples(20)
@given(instances(legal=False))
def test_no_name_guard_or_assignment_of_a_rule_is_left_unsaid(instance) -> None:
    game = instance.ruleset
    parts = [part for sentence in rules(game) for part in sentence if isinstance(part, Expr)]
    said = {name for part in parts for name in free_names(part)}
    assert {*game.coordinate_names, *game.parameter_names} <= said
    for condition in (game.where, *(parameter.domain for parameter in game.parameters)):
        assert condition == TRUE or condition in parts
    assert not said & {*game.bounds}
    text = " ".join(map(words_text, rules(game)))
    for move in game.moves:
        take = take_of(move, game.coordinate_names)
        if f"(“{move.name}”)" not in text or (take and take.unbounded):  # a phrase stands for it
            continue
        assert move.when == TRUE or move.when in parts
        for part in move.parts:
            assert all(
                new in parts or new == Name(name)
                for name, new in zip(game.coordinate_names, part, strict=True)
            )
