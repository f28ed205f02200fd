"""An order of the coordinates in which positions, gone through lexicographically, come after their options.

It is read from the moves' text and is a guess where that does not tell: a kernel finds each option solved or says so.
"""

from __future__ import annotations

from grundylab.errors import EvaluationError
from grundylab.games.model import Move, Ranged, Ruleset
from grundylab.language.functions import Functions
from grundylab.language.intervals import Bounds, Interval, interval
from grundylab.language.linear import Poly, Reader, constant, poly
from grundylab.language.substitution import lower
from grundylab.language.syntax import Expr, Int, Name, compare, conjunction

FAR = 2**40  # coordinates that are larger are not thought of

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
    """What the move does to each coordinate, as far as that follows from the ranges of its choices."""
    spans = dict.fromkeys(ruleset.coordinate_names, Interval(0, FAR))
    spans |= dict.fromkeys((*ruleset.parameter_names, *ruleset.bounds), Interval(-FAR, FAR))
    ranges = []
    for choice in move.choices:
        spans[choice.name] = _span(choice, spans, ruleset.functions)
        ranges += [
            compare("<=", choice.range.low, Name(choice.name)),
            compare("<=", Name(choice.name), choice.range.high),
        ]
    reader = Reader(spans, ruleset.functions)
    given, _ = reader.conditions(conjunction(*ranges))

    def change(name: str, value: Expr) -> int:
        less = poly(Name(name)) - poly(lower(value))
        if less != Poly() and reader.follows(less - constant(1), given):
            return LOWERS
        return KEEPS if reader.follows(less, given) else MAY_RAISE

    return tuple(map(change, ruleset.coordinate_names, part))


def _span(choice: Ranged, known: Bounds, functions: Functions) -> Interval:
    try:
        return Interval(interval(choice.range.low, known, functions).low, FAR)
    except EvaluationError:
        return Interval(-FAR, FAR)
