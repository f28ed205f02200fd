"""Explanation of one position: its value, the values of its options, and how the first follows from the others.

Only positions that can be reached are needed. If they are few, they are solved by the definition; else a table that
just contains them is solved by the fastest method.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from operator import xor

from grundylab.errors import EvaluationError, InstanceError, LimitError, NoSweep, RulesetError
from grundylab.games.instance import LARGEST, Instance, Position, check_stored, integer, make_instance
from grundylab.games.model import Range, Ranged, Ruleset, Values
from grundylab.games.rules import Rules
from grundylab.language.plain import RangeMeter, evaluate
from grundylab.language.syntax import Call, Name
from grundylab.solve.memory import BYTES_A_CELL, free_memory
from grundylab.solve.reference import check_kind, checked_options, each_option, mex, position_text
from grundylab.solve.solving import solve
from grundylab.solve.sweeps import sweep_for
from grundylab.solve.table import Table

LARGEST_BOUND = 2**31 - 1
FEW_MOVES = 200_000  # from all positions that can be reached; the definition takes about 5 µs for each
MOST_CELLS = 2 * 10**8  # of a table
MOST_MOVES = 2 * 10**10  # of a table that no sweep solves: a kernel takes about half a nanosecond for each
MOST_OPTIONS = 200_000  # of one position; so many take some seconds
MOST_STEPS = 10**8  # within the ranges of conditions that the definition evaluates: some seconds
_Options = Sequence[tuple[int, tuple[Position, ...]]]  # number of the move, positions whose sum it leads to


@dataclass(frozen=True)
class Option:
    """A move from the position: its name, the positions whose sum it leads to, and the value of that sum."""

    move: str
    parts: tuple[Position, ...]
    value: int

    @property
    def wins(self) -> bool:
        """True if the move leads to a P-position."""
        return self.value == 0


@dataclass(frozen=True)
class Explanation:
    """A position with its value and its options, in the ruleset's order.

    kind: whether values are Grundy numbers or outcomes (0 for P, 1 for N). solved: the number of positions that were
    solved.
    """

    instance: Instance
    position: Position
    kind: Values
    value: int
    options: tuple[Option, ...]
    solved: int

    @property
    def winning(self) -> tuple[Option, ...]:
        """The options that are P-positions."""
        return tuple(option for option in self.options if option.wins)

    @property
    def why(self) -> str:
        """A sentence that derives the value of the position from the values of its options."""
        ruleset = self.instance.ruleset
        if not self.options:
            if ruleset.play == "misere":
                return (
                    "an N-position, because no move is left, and under misère play whoever cannot move wins"
                )
            return "a P-position, because no move is left, and whoever cannot move loses"
        if self.winning:
            first = self.winning[0]
            to = sum_text(ruleset, first.parts)
            reason = f"an N-position, because the move '{first.move}' leads to {to}, a P-position"
        else:
            reason = "a P-position, because every option is an N-position"
        if self.kind == "outcome" or self.value == 0:
            return reason
        below = "0" if self.value == 1 else f"all from 0 to {self.value - 1}"
        return f"{reason}; the Grundy numbers of its options include {below}, but not {self.value}"


def explain(ruleset: Ruleset, position: Mapping[str, int], parameters: Mapping[str, int]) -> Explanation:
    """Return the explanation of a position: with Grundy numbers, or with outcomes under misère play.

    Raises InstanceError for a position that does not exist or is too large, RulesetError for a faulty move.
    """
    names = ruleset.coordinate_names
    for name in position:
        if name not in names:
            raise InstanceError(
                f"{ruleset.name} has no coordinate '{name}'; its coordinates: {', '.join(names)}"
            )
    missing = [name for name in names if name not in position]
    if missing:
        raise InstanceError(
            f"the position has no {missing[0]}; give all of {', '.join(f'{n}=…' for n in names)}"
        )
    wanted = tuple(
        integer(position[name], f"{ruleset.name}: the coordinate {name}", LARGEST) for name in names
    )
    if ruleset.misere_sums:
        raise InstanceError(
            f"{ruleset.name}: an option is a sum, whose outcome under misère play does not follow from its parts; "
            "solve the table instead"
        )
    kind: Values = "outcome" if ruleset.play == "misere" else "grundy"
    smallest = make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, 0))
    check_stored(smallest)
    check_kind(smallest, kind)
    return _explained(instance_containing(ruleset, parameters, wanted), wanted, kind)


def _explained(instance: Instance, position: Position, kind: Values) -> Explanation:
    rules, moves = Rules(instance, RangeMeter(LimitError, MOST_STEPS)), instance.ruleset.moves
    # bounds on the ranges of the moves may show that there are too many options to list
    many = instance.moves < 2**62 and instance.moves // max(instance.cells, 1) > MOST_OPTIONS
    options = [] if many else list(islice(each_option(rules, position), MOST_OPTIONS + 1))
    if many or len(options) > MOST_OPTIONS:
        raise InstanceError(
            f"{instance.ruleset.name}: the position may have more than {MOST_OPTIONS:,} options; "
            f"choose a smaller {_widest(instance)}"
        )
    values = reachable_values(rules, position, FEW_MOVES, options)
    solved = len(values or ())
    if values is None:
        parts = [part for _, option in options for part in option]
        try:
            table = _solved(_without_larger(instance, position, parts), kind)
        except RulesetError:  # it lacks a position that can be reached, so that a move leads out of it
            table = _solved(instance, kind)
        values, solved = {part: table[part] for part in [position, *parts]}, table.positions
    explained = tuple(
        Option(moves[number].name, option, reduce(xor, (values[part] for part in option), 0))
        for number, option in options
    )
    return Explanation(instance, position, kind, values[position], explained, solved)


def sum_text(ruleset: Ruleset, parts: Iterable[Position]) -> str:
    """Return a sum of positions as text: ``(x=3, y=5)``, or ``(x=3) + (x=5)``."""
    return " + ".join(position_text(ruleset.coordinate_names, part) for part in parts) or "nothing"


def instance_containing(ruleset: Ruleset, parameters: Mapping[str, int], position: Position) -> Instance:
    """Return an instance with small bounds that contains the position.

    Raises InstanceError, with the reason, if no instance contains it.
    """

    def at(bounds: Mapping[str, int]) -> Instance:
        return make_instance(ruleset, parameters, bounds)

    widest = dict.fromkeys(ruleset.bounds, LARGEST_BOUND)
    ladder = [widest] + [dict.fromkeys(ruleset.bounds, 2**k) for k in reversed(range(31))]
    ladder.append(dict.fromkeys(ruleset.bounds, 0))
    bounds = next((wide for wide in ladder if _problem(at(wide), position) is None), None)
    if bounds is None:
        problem = _problem(at(widest), position)
        raise InstanceError(
            f"{ruleset.name}: {position_text(ruleset.coordinate_names, position)} is not a position: {problem}"
        )
    for name in ruleset.bounds:  # reduce each bound to its least value while the others stay
        low, high = 0, bounds[name]
        while low < high:
            middle = (low + high) // 2
            if _problem(at({**bounds, name: middle}), position) is None:
                high = middle
            else:
                low = middle + 1
        bounds = {**bounds, name: high}
    return at(bounds)


def _problem(instance: Instance, position: Position) -> str | None:
    """Return the reason why the instance does not contain the position, or None if it does."""
    ruleset, values = instance.ruleset, dict(instance.constants)
    try:
        for coordinate, value in zip(ruleset.coordinates, position, strict=True):
            low = evaluate(coordinate.range.low, values, ruleset.functions)
            high = evaluate(coordinate.range.high, values, ruleset.functions)
            if not low <= value <= high:
                if low > high:
                    return f"{coordinate.name} can have no value there"
                ends = f"at least {low:,}" if value < low else f"at most {high:,}"
                return f"{coordinate.name}={value} must be {ends}"
            values[coordinate.name] = value
        if evaluate(ruleset.where, values, ruleset.functions):
            return None
    except EvaluationError as error:
        return error.message
    return f"'{ruleset.where}' is not satisfied"


def reachable_values(
    rules: Rules, position: Position, most: int, options: _Options
) -> dict[Position, int] | None:
    """Return the values of all positions that can be reached, or None if these have more than ``most`` moves.

    options: the options of the position itself.
    """
    misere = rules.instance.ruleset.play == "misere"
    options_of: dict[Position, list[tuple[Position, ...]]] = {}
    waiting, moves = [position], 0
    while waiting:
        here = waiting.pop()
        if here in options_of:
            continue
        first = here == position
        options_of[here] = [parts for _, parts in options] if first else checked_options(rules, here)
        moves += len(options_of[here])
        if moves > most:
            return None
        waiting += [part for parts in options_of[here] for part in parts if part not in options_of]
    values: dict[Position, int] = {}
    for here in sorted(options_of, key=rules.measure):
        reached = [reduce(xor, (values[part] for part in parts), 0) for parts in options_of[here]]
        values[here] = int(not reached or 0 in reached) if misere else mex(reached)
    return values


def _without_larger(instance: Instance, position: Position, parts: Sequence[Position]) -> Instance:
    """Return the instance without the positions that exceed this one in a coordinate that none of its options raises.

    parts: the positions that the options consist of.
    """
    names = instance.ruleset.coordinate_names
    most = {
        name: value
        for place, (name, value) in enumerate(zip(names, position, strict=True))
        if all(part[place] <= value for part in parts)
    }
    # these values are bounds of the new ruleset, so that all that are made of a ruleset share one kernel
    ruleset, bounds = instance.ruleset, {f"Most_{name}": value for name, value in most.items()}

    def ranged(coordinate: Ranged) -> Ranged:
        if coordinate.name not in most:
            return coordinate
        high = Call("min", (coordinate.range.high, Name(f"Most_{coordinate.name}")))
        return Ranged(coordinate.name, Range(coordinate.range.low, high))

    cut = replace(
        ruleset,
        coordinates=tuple(map(ranged, ruleset.coordinates)),
        bounds=(*ruleset.bounds, *bounds),
        claims=(),
    )
    return Instance(cut, instance.parameters, (*instance.bounds, *bounds.items()))


def _solved(instance: Instance, kind: Values) -> Table:
    """Return the instance's table. Raises InstanceError if the free memory and about a minute do not suffice."""
    affordable = instance.cells <= min(MOST_CELLS, free_memory() // BYTES_A_CELL)
    try:
        if affordable:
            sweep_for(instance, kind)
    except NoSweep:
        affordable = instance.moves <= MOST_MOVES
    if affordable:
        return solve(instance, kind)
    raise InstanceError(
        f"{instance.ruleset.name}: solving a table of {instance.cells:,} positions would take too long; "
        f"choose a smaller {_widest(instance)}"
    )


def _widest(instance: Instance) -> str:
    """Return the coordinate with the most values in the box."""
    return max(zip(instance.shape, instance.ruleset.coordinate_names, strict=True), key=lambda side: side[0])[
        1
    ]
