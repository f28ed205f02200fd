"""A referee for strategies: it plays by the definition, one position at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor

from grundylab.games.instance import Instance, Position
from grundylab.games.rules import Rules
from grundylab.language.plain import evaluate
from grundylab.solve.reference import solve_reference
from grundylab.strategy.lines import Aim, Line


def winning_options(instance: Instance) -> Iterator[tuple[Position, list[tuple[int, tuple[Position, ...]]]]]:
    """Yield each N-position where a move can be made, with its moves to P-positions: (number of the move, parts)."""
    ruleset, rules = instance.ruleset, Rules(instance)
    values = solve_reference(instance, "outcome" if ruleset.play == "misere" else "grundy").by_position
    for position, value in values.items():
        options = list(rules.options(position))
        if value and options:
            wins = [each for each in options if reduce(xor, (values[part] for part in each[1]), 0) == 0]
            yield position, wins


def advised(lines: Sequence[Line], instance: Instance, position: Position):
    """Return (number of the move, parts) that the strategy names at a position; None if no line applies."""
    ruleset = instance.ruleset
    known = Rules(instance).environment(position)
    for line in lines:
        if evaluate(line.when, known, ruleset.functions):
            move = ruleset.moves[line.number]
            for choice, formula in zip(move.choices, line.choices, strict=True):
                known = {**known, choice.name: evaluate(formula, known, ruleset.functions)}
            parts = [tuple(evaluate(v, known, ruleset.functions) for v in part) for part in move.parts]
            return line.number, tuple(parts)
    return None


def failures(lines: Sequence[Line], instance: Instance, aim: Aim | None = None) -> list[Position]:
    """Return the N-positions, among those that the aim is about, where the strategy names no winning move."""
    ruleset, rules = instance.ruleset, Rules(instance)
    return [
        position
        for position, wins in winning_options(instance)
        if (aim is None or evaluate(aim.where, rules.environment(position), ruleset.functions))
        and advised(lines, instance, position) not in wins
    ]
