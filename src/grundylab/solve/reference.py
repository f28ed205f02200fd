"""The reference solver: the definition, slow and obviously right. Everything faster is tested against it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from grundylab.errors import RulesetError
from grundylab.rulesets.instance import Instance, Position, Rules
from grundylab.rulesets.model import Values
from grundylab.solve.table import NO_POSITION, Table


def mex(values: Iterable[int]) -> int:
    """The least natural number that is not among the values."""
    taken = set(values)
    return next(value for value in range(len(taken) + 1) if value not in taken)


def solve_reference(instance: Instance, kind: Values) -> Table:
    """Grundy numbers or outcomes (0 for P, 1 for N) of all positions. Raises RulesetError for a faulty move."""
    rules = Rules(instance)
    misere = instance.ruleset.play == "misere"
    want_grundy = not misere  # the outcome of a sum needs its parts' Grundy numbers; outcomes follow from them
    solved: dict[Position, int] = {}
    for position in sorted(rules.positions(), key=lambda position: (rules.measure(position), position)):
        values = []
        for number, parts in rules.options(position):
            check_move(rules, position, number, parts)
            value = 0
            for part in parts:
                value ^= solved[part]
            values.append(value)
        if want_grundy:
            solved[position] = mex(values)
        else:
            solved[position] = int(not values or 0 in values)  # misère: who cannot move wins
    table = np.full(instance.shape, NO_POSITION, dtype=np.int32)
    for position, value in solved.items():
        cell = tuple(x - side.low for x, side in zip(position, instance.box, strict=True))
        table[cell] = value if kind == "grundy" else min(value, 1)
    return Table(instance, kind, table)


def check_move(rules: Rules, position: Position, number: int, parts: tuple[Position, ...]) -> None:
    """Raise RulesetError unless every part is in the space and of smaller measure than the position."""
    for part in parts:
        if not rules.legal(part):
            raise leaves_space(rules, position, number, part)
        if rules.measure(part) >= rules.measure(position):
            raise does_not_end(rules, position, number, part)


def leaves_space(rules: Rules, position: Position, number: int, part: Position) -> RulesetError:
    """The error of a move to where there is no position."""
    move, names = rules.instance.ruleset.moves[number], rules.instance.ruleset.coordinate_names
    return RulesetError(
        f"{rules.instance}: the move '{move.name}' from {show(names, position)} leaves the position space: to "
        f"{show(names, part)}; restrict the move by 'when:' or widen the position's ranges"
    )


def does_not_end(rules: Rules, position: Position, number: int, part: Position) -> RulesetError:
    """The error of a move that does not lower the measure."""
    ruleset = rules.instance.ruleset
    move, names = ruleset.moves[number], ruleset.coordinate_names
    return RulesetError(
        f"{rules.instance}: the game could loop: the move '{move.name}' from {show(names, position)} to "
        f"{show(names, part)} does not lower the measure {ruleset.measure} ({rules.measure(position)} → "
        f"{rules.measure(part)}); give a 'measure:' that every move lowers"
    )


def show(names: tuple[str, ...], position: Position) -> str:
    """``(x=3, y=5)``."""
    return "(" + ", ".join(f"{name}={value}" for name, value in zip(names, position, strict=True)) + ")"
