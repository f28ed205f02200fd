"""A box of a table's positions, cut out to be looked at.

A position's value does not depend on the edge of the table that it was computed in, so a window of a large table is
the table of a smaller instance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from grundylab.errors import InstanceError
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.solve.table import NO_POSITION, Table

LONGEST = 1024  # a side of a picture's window: more cells cannot be told apart


@dataclass(frozen=True)
class Window:
    """values: int32 over the ranges in ``box``, one a coordinate; NO_POSITION where there is no position."""

    instance: Instance
    kind: Values
    box: tuple[range, ...]
    values: npt.NDArray[np.int32]

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates, in order."""
        return self.instance.ruleset.coordinate_names

    @property
    def sides(self) -> dict[str, range]:
        """The ranges by coordinate."""
        return dict(zip(self.names, self.box, strict=True))

    @property
    def settings(self) -> str:
        """The parameters' values, ``m=8``; empty if there are no parameters."""
        return ", ".join(f"{name}={value}" for name, value in self.instance.parameters)


def whole_window(table: Table) -> Window:
    """All of the table."""
    box = tuple(range(side.low, side.high + 1) for side in table.instance.box)
    return Window(table.instance, table.kind, box, table.values)


def cut(window: Window, ranges: Mapping[str, range]) -> Window:
    """The part where the named coordinates are in these ranges.

    Raises InstanceError for a coordinate that there is not, and for a range that is empty or leaves the window.
    """
    for name, asked in ranges.items():
        if name not in window.sides:
            known = ", ".join(window.names)
            raise InstanceError(
                f"{window.instance.ruleset.name} has no coordinate '{name}'; coordinates: {known}"
            )
        side = window.sides[name]
        if not asked or asked[0] not in side or asked[-1] not in side:
            last = f"{side[0]}..{side[-1]}" if side else "empty"
            raise InstanceError(f"{name} is {asked.start}..{asked.stop - 1}, but in the table it is {last}")
    box = tuple(ranges.get(name, side) for name, side in window.sides.items())
    places = tuple(
        slice(new.start - side.start, new.stop - side.start)
        for new, side in zip(box, window.box, strict=True)
    )
    return Window(window.instance, window.kind, box, window.values[places])


def trimmed(window: Window, cells: int) -> Window:
    """The largest part, from the low corner, of at most so many cells whose longest sides are equal.

    At least one value of each coordinate stays, and no side is longer than LONGEST.
    """
    longest = min(max(len(side) for side in window.box), LONGEST)
    while longest > 1 and prod(min(len(side), longest) for side in window.box) > cells:
        longest -= 1
    kept = {name: side[:longest] for name, side in window.sides.items()}
    return _without_empty_ends(cut(window, kept))


def _without_empty_ends(window: Window) -> Window:
    """The window without the ends of its sides at which there is no position."""
    there = window.values != NO_POSITION
    kept = {}
    for axis, (name, side) in enumerate(window.sides.items()):
        others = tuple(other for other in range(len(window.box)) if other != axis)
        used = np.flatnonzero(there.any(axis=others))
        kept[name] = side[: int(used[-1]) + 1] if used.size else side[:1]
    return cut(window, kept)


@dataclass(frozen=True)
class View:
    """Which slice of a window is shown: coordinates down and across, and the values of the others.

    ``down`` is None if there is one coordinate only.
    """

    down: str | None
    across: str
    fixed: Mapping[str, int]


def usual_view(window: Window) -> View:
    """What is shown if nobody asks for anything else: the two longest sides, from the middle of the others.

    Coordinates go down and across in their order, but a side of a few values, beside a long one, always goes down. Of
    a coordinate with two values (a pass) the later is shown, of the others one at a quarter of the way: slices there
    are typical.
    """
    sides = window.sides
    longest = sorted(sides, key=lambda name: -len(sides[name]))[:2]
    axes = [name for name in window.names if name in longest]
    if len(axes) == 2 and len(sides[axes[1]]) * 4 < len(sides[axes[0]]):
        axes.reverse()
    typical = {name: side[-1] if len(side) == 2 else side[len(side) // 4] for name, side in sides.items()}
    fixed = {name: value for name, value in typical.items() if name not in axes}
    return View(axes[0] if len(axes) == 2 else None, axes[-1], fixed)
