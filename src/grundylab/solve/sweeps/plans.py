"""Which coordinate lines run along, and what each move is to them, read off a ruleset's moves; see ``levels``."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.games.instance import Instance
from grundylab.games.model import Move, Ruleset, Values
from grundylab.language.syntax import TRUE, Binary, Expr, Name, free_names
from grundylab.solve.sweeps.nosweep import NoSweep


@dataclass(frozen=True)
class Window:
    """A take from the axis: the axis becomes less by a number from ``low`` to ``high``."""

    move: Move
    low: Expr
    high: Expr


@dataclass(frozen=True)
class Level:
    """A move that leaves the axis alone; where its condition asks about the axis it is masked."""

    move: Move
    masked: bool


@dataclass(frozen=True)
class Plan:
    """Which coordinate the lines run along, and what each move is to them."""

    axis: str
    levels: tuple[Level, ...]
    windows: tuple[Window, ...]


def plan_for(instance: Instance, kind: Values = "outcome") -> Plan:
    """The plan with the longest lines, the same for every kind. Raises NoSweep, with the reason, if there is none."""
    ruleset, reasons, plans = instance.ruleset, [], []
    for axis in ruleset.coordinate_names:
        try:
            plans.append(_plan(ruleset, axis))
        except NoSweep as error:
            reasons.append(error.message)
    if not plans:
        raise NoSweep("; ".join(dict.fromkeys(reasons)))
    return max(plans, key=lambda plan: len(plan.windows) > 0)


def _plan(ruleset: Ruleset, axis: str) -> Plan:
    levels, windows = [], []
    (coordinate,) = (c for c in ruleset.coordinates if c.name == axis)
    if any(free_names(end) & set(ruleset.coordinate_names) for end in coordinate.ends):
        raise NoSweep(f"the range of {axis} depends on other coordinates")
    place = ruleset.coordinate_names.index(axis)
    for move in ruleset.moves:
        if len(move.parts) != 1:
            raise NoSweep(f"the move '{move.name}' leads to a sum of positions")
        (part,) = move.parts
        others = [value for number, value in enumerate(part) if number != place]
        ends = [end for choice in move.choices for end in choice.ends]
        if part[place] == Name(axis):
            if any(axis in free_names(expr) for expr in (*others, *ends)):
                raise NoSweep(f"where the move '{move.name}' leads depends on {axis}")
            levels.append(Level(move, axis in free_names(move.when)))
        else:
            windows.append(_window(move, axis, place))
    return Plan(axis, tuple(levels), tuple(windows))


def _window(move: Move, axis: str, place: int) -> Window:
    (part,) = move.parts
    if len(move.choices) == 1 and move.when == TRUE and not move.a_pass:
        (choice,) = move.choices
        low, high = choice.ends
        others = [value for number, value in enumerate(part) if number != place]
        if not any({choice.name, axis} & free_names(value) for value in others):
            if part[place] == Binary("-", Name(axis), Name(choice.name)):
                return Window(move, low, high)
            if part[place] == Name(choice.name):
                return Window(move, Binary("-", Name(axis), high), Binary("-", Name(axis), low))
    raise NoSweep(f"the move '{move.name}' neither leaves {axis} alone nor takes from it alone")
