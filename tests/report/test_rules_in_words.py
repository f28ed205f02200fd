"""The rules in words: each form of rule has its sentence, and no part of a rule is left out."""

from __future__ import annotations

from hypothesis import given
from tests.random_games import instances
from tests.sizes import examples

from grundylab.findings.wording import words_text
from grundylab.games.shapes import Take
from grundylab.language.syntax import TRUE, Expr, Name, free_names
from grundylab.report.rules_in_words import rules


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
    for move, shape in zip(game.moves, game.shapes, strict=True):
        if f"(“{move.name}”)" not in text or (
            isinstance(shape, Take) and shape.unbounded
        ):  # a phrase stands for it
            continue
        assert move.when == TRUE or move.when in parts
        for part in move.parts:
            assert all(
                new in parts or new == Name(name)
                for name, new in zip(game.coordinate_names, part, strict=True)
            )
