"""The reference solver: the definition, slow and obviously right, against which every faster solver is tested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from itertools import product
from operator import xor

import numpy as np

from grundylab.errors import EvaluationError, InstanceError, RulesetError, number_text
from grundylab.games.instance import Instance, Position
from grundylab.games.model import Values
from grundylab.games.rules import Rules
from grundylab.language.plain import Meter
from grundylab.language.syntax import Binary, Call, Name
from grundylab.solve.table import NO_POSITION, Table

Parts = tuple[Position, ...]

MOST_SUMS = 30_000  # sums of positions under misère play, whose outcomes are computed one by one


def mex(values: Iterable[int]) -> int:
    """Return the least number from 0 on that is not among the values."""
    taken = set(values)
    return next(value for value in range(len(taken) + 1) if value not in taken)


def solve_reference(instance: Instance, kind: Values, meter: Meter | None = None) -> Table:
    """Return the table of the Grundy numbers, or of the outcomes (0 for P, 1 for N), of all positions.

    meter: limits the steps of evaluation. Raises RulesetError for a faulty move, WorkError if the limit is met.
    """
    check_kind(instance, kind)
    rules = Rules(instance, meter)
    if instance.ruleset.misere_sums:
        return _table(instance, kind, _misere_outcomes(rules))
    misere = instance.ruleset.play == "misere"
    # the outcome of a sum depends on the Grundy numbers of its parts, so these are solved for
    winning = kind == "outcome" and not instance.ruleset.splits
    solved: dict[Position, int] = {}
    measures = measures_in_order(rules)
    for position in measures:
        options = checked_options(rules, position, measures)
        values = [reduce(xor, (solved[part] for part in parts), 0) for parts in options]
        if misere:
            solved[position] = int(not values or 0 in values)  # a player who cannot move wins
        elif winning:
            solved[position] = int(0 in values)  # a player who can move to a P-position wins
        else:
            solved[position] = mex(values)
    return _table(instance, kind, solved)


def _misere_outcomes(rules: Rules) -> dict[Position, int]:
    """Return the outcomes under misère play of all positions, and for this of all sums that they can become.

    A sum is a sorted tuple of positions, without those that have no options. Raises InstanceError for too many sums.
    """
    measures = measures_in_order(rules)
    options = cache(lambda place: checked_options(rules, place, measures))

    def total(parts: Iterable[Position]) -> Parts:
        return tuple(sorted(part for part in parts if options(part)))

    after, seen = dict[Parts, set[Parts]](), set[Parts]()
    for place in measures:  # the smallest first, so that too many sums are soon seen
        waiting = [*{total([place])} - seen]
        seen |= {*waiting}
        while waiting:
            parts = waiting.pop()
            others = ((*parts[:number], *parts[number + 1 :]) for number in range(len(parts)))
            moves = ((rest, new) for rest, moved in zip(others, parts, strict=True) for new in options(moved))
            after[parts] = {total((*rest, *new)) for rest, new in moves}
            waiting += after[parts] - seen
            seen |= after[parts]
            if len(seen) > MOST_SUMS:
                raise InstanceError(
                    f"{rules.instance}: more than {MOST_SUMS:,} sums of positions; choose smaller bounds"
                )

    def order(parts: Parts) -> list[int]:  # a move replaces a number in it by smaller ones
        return sorted((measures[part] for part in parts), reverse=True)

    loses: dict[Parts, bool] = {}
    for parts in sorted(after, key=order):
        loses[parts] = bool(parts) and not any(loses[option] for option in after[parts])
    return {place: int(not loses[total([place])]) for place in measures}


def _table(instance: Instance, kind: Values, solved: Mapping[Position, int]) -> Table:
    table = np.full(instance.shape, NO_POSITION, dtype=np.int32)
    for position, value in solved.items():
        cell = tuple(x - side.low for x, side in zip(position, instance.box, strict=True))
        table[cell] = value if kind == "grundy" else min(value, 1)
    return Table(instance, kind, table)


def check_kind(instance: Instance, kind: Values) -> None:
    """Raise InstanceError if the rules leave a function open, or for Grundy numbers under misère play."""
    for function in instance.ruleset.free:
        raise InstanceError(
            f"{instance}: the rules leave {function.name}() open; to solve one game, extend the ruleset and define it"
        )
    if kind == "grundy" and instance.ruleset.play == "misere":
        raise InstanceError(f"{instance}: under misère play only outcomes are solved, as for the target p")


def measures_in_order(rules: Rules) -> dict[Position, int]:
    """Return all positions with their measures, ordered by measure and then lexicographically.

    Raises RulesetError if a measure is negative or has no value.
    """
    try:
        ordered = sorted((rules.measure(position), position) for position in rules.positions())
    except EvaluationError as error:
        raise RulesetError(f"{rules.instance}: position space or measure: {error.message}") from None
    if ordered and ordered[0][0] < 0:
        least, position = ordered[0]
        ruleset = rules.instance.ruleset
        raise RulesetError(
            f"{rules.instance}: the measure {ruleset.measure} is negative ({least}) at "
            f"{position_text(ruleset.coordinate_names, position)}; it must be at least 0 everywhere"
        )
    return {position: measure for measure, position in ordered}


def checked_options(
    rules: Rules, position: Position, measures: Mapping[Position, int] | None = None
) -> list[tuple[Position, ...]]:
    """Return the options of a position, each as the tuple of positions whose sum it is.

    measures: the measures of all positions, if they are known. Raises RulesetError unless each of these positions is in
    the space and has a smaller measure.
    """
    return [parts for _, parts in each_option(rules, position, measures)]


def each_option(
    rules: Rules, position: Position, measures: Mapping[Position, int] | None = None
) -> Iterator[tuple[int, tuple[Position, ...]]]:
    """Yield each option as (number of its move, positions whose sum it is), checked as in ``checked_options``.

    An option is checked before the next is computed, so that an endless range of moves stops at the first that leaves
    the space.
    """
    measured = measures or {}
    own = measured.get(position)
    try:
        for number, parts in rules.options(position):
            own = rules.measure(position) if own is None else own
            for part in parts:
                after = measured.get(part)
                if after is None:
                    if not rules.legal(part):
                        raise leaving_error(rules, position, number, part)
                    after = rules.measure(part)
                if after >= own:
                    raise endless_error(rules, position, number, part)
            yield number, parts
    except EvaluationError as error:
        where = position_text(rules.instance.ruleset.coordinate_names, position)
        raise RulesetError(f"{rules.instance}: at the position {where}: {error.message}") from None


def leaving_error(rules: Rules, position: Position, number: int, part: Position) -> RulesetError:
    """Return the error that the move with this number leads to ``part``, which is outside the position space."""
    ruleset = rules.instance.ruleset
    move, names = ruleset.moves[number], ruleset.coordinate_names
    changed, changes = list(zip(names, position, part, strict=True)), move.changes(names)
    remedy = "restrict the move by 'when:' or widen the position's ranges"
    grown, shrunk = ([name for name, old, now in changed if sign * (now - old) > 0] for sign in (1, -1))
    if grown and shrunk and ruleset.bounds:
        ends = f"{grown[0]}: 0..{ruleset.bounds[0]} - {shrunk[0]}"
        remedy = f"the table ends there: a coordinate that grows needs a range such as {ends}, or a 'when:'"
    taken = [name for name, _, now in changed if now < 0 and len(changes) == 1]
    for name, choice in product(taken, move.choices):
        if changes.get(name) == Binary("-", Name(name), Name(choice.name)):
            low, high = choice.ends
            remedy = f"take no more than there are: {low}..{Call('min', (high, Name(name)))}"
    return RulesetError(
        f"{rules.instance}: the move '{move.name}' from {position_text(names, position)} leaves the position space: to "
        f"{position_text(names, part)}; {remedy}"
    )


def endless_error(rules: Rules, position: Position, number: int, part: Position) -> RulesetError:
    """Return the error that the move with this number leads to ``part`` without lowering the measure."""
    ruleset = rules.instance.ruleset
    move, names = ruleset.moves[number], ruleset.coordinate_names
    return RulesetError(
        f"{rules.instance}: the game could loop: the move '{move.name}' from {position_text(names, position)} to "
        f"{position_text(names, part)} does not lower the measure {ruleset.measure} ({rules.measure(position)} → "
        f"{rules.measure(part)}); give a 'measure:' that every move lowers"
    )


def position_text(names: tuple[str, ...], position: Position) -> str:
    """Return a position as text, such as ``(x=3, y=5)``."""
    return "(" + ", ".join(f"{name}={number_text(n)}" for name, n in zip(names, position, strict=True)) + ")"
