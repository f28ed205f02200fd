"""An order of the coordinates in which positions, gone through lexicographically, come after their options.

It is read from the moves' text and is a guess where that does not tell: a kernel finds each option solved or says so.
"""

from __future__ import annotations

from grundylab.formula.syntax import Expr, Int, Name
from grundylab.rulesets.model import Choice, Move, Ruleset
from grundylab.solving.linear import Form, bounds_above, bounds_below

LOWERS, KEEPS, MAY_RAISE = (
    -1,
    0,
    1,
)  # what a move does to a coordinate: lower it, never raise it, or perhaps raise it


def order_of_play(ruleset: Ruleset) -> tuple[int, ...]:
    """The places of the coordinates, outermost loop first: their own order where that does or none is seen to."""
    places = tuple(range(len(ruleset.coordinates)))
    left = [_changes(move, part, ruleset) for move in ruleset.moves for part in move.parts]
    if all(_in_order(changes, places) for changes in left):
        return places
    chosen: list[int] = []
    while len(chosen) < len(places):
        free = [p for p in places if p not in chosen and all(changes[p] != MAY_RAISE for changes in left)]
        if not free:
            return places
        place = min(free, key=lambda place: (not is_short(ruleset, place), place))
        chosen.append(place)
        left = [changes for changes in left if changes[place] != LOWERS]
    return tuple(chosen)


def _in_order(changes: tuple[int, ...], places: tuple[int, ...]) -> bool:
    """Whether the first coordinate that the move may change is lowered."""
    return next((changes[place] for place in places if changes[place] != KEEPS), LOWERS) == LOWERS


def is_short(ruleset: Ruleset, place: int) -> bool:
    """Whether the coordinate has a few fixed values, as a pass has: it had better not be the innermost loop."""
    ends = ruleset.coordinates[place].range
    return isinstance(ends.low, Int) and isinstance(ends.high, Int)


def _changes(move: Move, part: tuple[Expr, ...], ruleset: Ruleset) -> tuple[int, ...]:
    return tuple(
        KEEPS if value == Name(name) else _change(value, name, move, ruleset)
        for name, value in zip(ruleset.coordinate_names, part, strict=True)
    )


def _change(value: Expr, name: str, move: Move, ruleset: Ruleset) -> int:
    """What the move does to the coordinate, by bounds on the difference in which choices are at their ends."""
    forms = [form.plus(Form(0, ((name, 1),)), -1) for form in bounds_above(value)]
    for choice in reversed(move.choices):
        forms = [
            form.without(choice.name).plus(end, factor)
            for form in forms
            for factor in (dict(form.factors).get(choice.name, 0),)
            for end in _end(choice, factor)
        ]
    names = ruleset.coordinate_names  # they are never negative
    known = [
        form.constant
        for form in forms
        if all(other in names and factor < 0 for other, factor in form.factors)
    ]
    highest = min(known, default=1)
    return LOWERS if highest < 0 else KEEPS if highest == 0 else MAY_RAISE


def _end(choice: Choice, factor: int) -> list[Form]:
    """Bounds on the choice from the side that makes its multiple large."""
    if factor == 0:
        return [Form(0)]
    return bounds_above(choice.range.high) if factor > 0 else bounds_below(choice.range.low)
