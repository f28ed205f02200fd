"""An order of the coordinates in which positions, gone through lexicographically, come after their options.

It is read from the moves' text and is a guess where that does not tell: a kernel finds each option solved or says so.
"""

from __future__ import annotations

from grundylab.games.model import Move, Ranged, Ruleset
from grundylab.language.linear import Poly, bounds_above, bounds_below, constant, poly
from grundylab.language.syntax import Expr, Int, Name

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
    forms = [form - poly(Name(name)) for form in bounds_above(value)]
    for choice in reversed(move.choices):
        forms = [bound for form in forms for bound in _without(choice, form)]
    known = [most for form in forms if (most := _most(form, ruleset.coordinate_names)) is not None]
    highest = min(known, default=1)
    return LOWERS if highest < 0 else KEEPS if highest == 0 else MAY_RAISE


def _without(choice: Ranged, form: Poly) -> list[Poly]:
    """Bounds on the linear form in which the choice is at the end of its range that makes the form large."""
    parts = form.split(choice.name)
    assert parts is not None
    factor = parts[0].number
    assert factor is not None
    if factor == 0:
        return [form]
    ends = bounds_above(choice.range.high) if factor > 0 else bounds_below(choice.range.low)
    return [parts[1] + end * constant(factor) for end in ends]


def _most(form: Poly, names: tuple[str, ...]) -> int | None:
    """The most that the linear form can be where the names, those of coordinates, are never negative; None if any."""
    most = 0
    for monomial, coefficient in form.terms:
        if not monomial:
            most = coefficient
        elif coefficient > 0 or not all(isinstance(atom, Name) and atom.id in names for atom in monomial):
            return None
    return most
