"""From the moves of an instance to the edges between its lines, as the arrays that ``levels`` takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError
from grundylab.games.instance import Instance
from grundylab.games.model import Move
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE, Expr, free_names
from grundylab.solve.space import spread
from grundylab.solve.sweeps.nosweep import NoSweep
from grundylab.solve.sweeps.plans import Level, Plan, Window

Array = npt.NDArray[Any]
MOST_EDGES = 20_000_000
MOST_MASKED = 200_000_000
_BLOCK = 1 << 18  # cells
_FEW = 200  # different sets of places of a line


class Builder:
    """The arrays that ``levels`` takes, for one instance."""

    def __init__(self, instance: Instance, plan: Plan) -> None:
        self.instance, self.plan = instance, plan
        ruleset = instance.ruleset
        self.names = ruleset.coordinate_names
        self.outer = tuple(name for name in self.names if name != plan.axis)
        sides = dict(zip(self.names, instance.box, strict=True))
        self.low = sides[plan.axis].low
        self.places = sides[plan.axis].width
        self.lows = np.array([sides[name].low for name in self.outer], dtype=np.int64)
        self.widths = tuple(sides[name].width for name in self.outer)
        self.lines = int(np.prod(self.widths, dtype=np.int64))
        offsets = (
            np.indices(self.widths).reshape(len(self.outer), -1) if self.outer else np.zeros((0, 1), int)
        )
        self.columns: dict[str, Array] = {
            name: offsets[number] + self.lows[number] for number, name in enumerate(self.outer)
        }
        self.axis = np.arange(self.places) + self.low
        self.constants = instance.constants
        self.valid = self._valid()
        self.masks: list[Array] = []
        self.spans: list[Array] = []

    def _valid(self) -> Array:
        """bool (lines, places): where there is a position."""
        ruleset, axis = self.instance.ruleset, self.plan.axis
        lines, there = np.ones(self.lines, dtype=bool), np.ones((self.lines, self.places), dtype=bool)
        for coordinate in ruleset.coordinates:
            ends = coordinate.ends
            if coordinate.name != axis and not any(axis in free_names(end) for end in ends):
                low, high = (self.value(end, self.columns) for end in ends)
                lines &= (low <= self.columns[coordinate.name]) & (self.columns[coordinate.name] <= high)
            else:
                columns = self.along(self.columns)
                low, high = (self.value(end, columns) for end in ends)
                there &= (low <= columns[coordinate.name]) & (columns[coordinate.name] <= high)
        if ruleset.where != TRUE:  # it may have no value off the ranges: then there is no sweep
            if axis in free_names(ruleset.where):
                there &= self.holds(ruleset.where, self.columns, self.lines)
            else:
                lines &= self.value(ruleset.where, self.columns)
        there[~lines] = False
        return there

    def along(self, columns: Mapping[str, Array]) -> dict[str, Array]:
        """Columns over lines, and the axis, as an open grid over (lines, places)."""
        return {name: column[:, None] for name, column in columns.items()} | {
            self.plan.axis: self.axis[None, :]
        }

    def value(self, expr: Expr, columns: Mapping[str, Array]) -> Array:
        """The expression's values; NoSweep where it has none."""
        try:
            return evaluate_arrays(expr, {**self.constants, **columns}, self.instance.ruleset.functions)
        except EvaluationError as error:
            raise NoSweep(f"{self.instance}: {error.message}") from None

    def holds(self, condition: Expr, columns: Mapping[str, Array], rows: int) -> Array:
        """bool (rows, places): at which places the condition is true; columns: (rows,). Raises as ``value`` does."""
        found = np.empty((rows, self.places), dtype=bool)
        for block in self._blocks(rows):
            found[block] = self.value(condition, self._part(columns, block))
        return found

    def _blocks(self, rows: int) -> Iterator[slice]:
        """Values are numbers of 64 bits or more, so not those of all places at once."""
        step = max(1, _BLOCK // max(1, self.places))
        return (slice(start, start + step) for start in range(0, rows, step))

    def _part(self, columns: Mapping[str, Array], block: slice) -> dict[str, Array]:
        return self.along({name: column[block] for name, column in columns.items()})

    # -- edges ------------------------------------------------------------------------------------------------

    def chosen(self, move: Move) -> tuple[Array, dict[str, Array]]:
        """Every line with every choice: the lines' numbers, and all outer coordinates and choices there."""
        lines = np.flatnonzero(self.valid.any(axis=1))
        known = {name: column[lines] for name, column in self.columns.items()}
        for choice in move.choices:
            low, high = (self.value(end, known) for end in choice.ends)
            low, counts = np.broadcast_to(low, lines.shape), np.maximum(high - low + 1, 0)
            counts = np.broadcast_to(counts, lines.shape)
            if counts.sum() > MOST_EDGES:
                raise NoSweep(f"{self.instance}: more than {MOST_EDGES:,} choices between lines")
            owner, number = spread(low, counts)
            lines = lines[owner]
            known = {name: column[owner] for name, column in known.items()} | {choice.name: number}
        return lines, known

    def targets(self, part: tuple[Expr, ...], known: Mapping[str, Array], count: int) -> tuple[Array, Array]:
        """The lines that a move to ``part`` leads to, and whether each is in the box."""
        inside, target = np.ones(count, dtype=bool), np.zeros(count, dtype=np.int64)
        for name, value in zip(self.names, part, strict=True):
            if name != self.plan.axis:
                number = self.outer.index(name)
                offset = np.broadcast_to(self.value(value, known), (count,)) - self.lows[number]
                inside &= (offset >= 0) & (offset < self.widths[number])
                target = target * self.widths[number] + offset
        return np.where(inside, target, 0), inside

    def level(self, level: Level, able: Array) -> tuple[Array, Array, Array]:
        """The edges of the move: lines, targets, masks. able: where there is another move (for a pass)."""
        move = level.move
        lines, known = self.chosen(move)
        if not level.masked and move.when != TRUE:
            kept = np.broadcast_to(self.value(move.when, known), lines.shape)
            lines, known = lines[kept], {name: column[kept] for name, column in known.items()}
        targets, inside = self.targets(move.parts[0], known, len(lines))
        if not level.masked and not move.a_pass:
            self.check(self._covered(lines, targets) & inside, move)
            return lines, targets, np.full(len(lines), -1, dtype=np.int64)
        if len(lines) * self.places > MOST_MASKED:
            raise NoSweep(
                f"{self.instance}: more than {MOST_MASKED:,} moves whose condition asks about {self.plan.axis}"
            )
        there = self.valid[lines]
        if level.masked:
            there &= self.holds(move.when, known, len(lines))
        if move.a_pass:
            there &= able[lines]
        for block in self._blocks(len(lines)):
            self.check(~there[block] | inside[block, None] & self.valid[targets[block]], move)
        some = there.any(axis=1)
        if not some.all():
            lines, targets, there = lines[some], targets[some], there[some]
        numbers = np.arange(len(lines)) + sum(map(len, self.masks))
        self.masks.append(there)
        return lines, targets, numbers

    def _covered(self, lines: Array, targets: Array) -> Array:
        """Whether the positions of each line are all positions of its target."""
        rows = np.packbits(self.valid, axis=1)
        sorts, sort = np.unique(rows, axis=0, return_inverse=True)
        if len(sorts) > _FEW:
            return np.asarray(~np.any(rows[lines] & ~rows[targets], axis=1))
        within = ~np.any(sorts[:, None] & ~sorts[None, :], axis=2)
        return np.asarray(within[sort[lines], sort[targets]])

    def check(self, fine: Array | bool, move: Move) -> None:
        """Refuse what the reference would: it has the words for it."""
        if not np.all(fine):
            raise NoSweep(f"{self.instance}: the move '{move.name}' may leave the space")

    def window(self, window: Window, able: Array) -> tuple[Array, Array, Array]:
        """The windows of the move: lines, targets, spans; and ``able`` is set where it exists."""
        from grundylab.solve.sweeps.levels import enclosed

        lines = np.flatnonzero(self.valid.any(axis=1))
        known = {name: column[lines] for name, column in self.columns.items()}
        targets, inside = self.targets(window.move.parts[0], known, len(lines))
        if set(self.outer) & (free_names(window.low) | free_names(window.high)):
            numbers = np.arange(len(lines))
        else:  # all lines have the same
            known, numbers = {}, np.zeros(len(lines), dtype=np.int64)
        spans = self._ends(window, known, len(lines) if known else 1)
        some = np.zeros(len(lines), dtype=bool)
        fine = enclosed((lines, targets, numbers), inside, spans, self.valid, some, able)
        self.check(fine, window.move)
        numbers = numbers + sum(map(len, self.spans))
        self.spans.append(spans[0])
        return lines[some], targets[some], numbers[some]

    def _ends(self, window: Window, known: Mapping[str, Array], rows: int) -> tuple[Array, Array, Array]:
        """The spans that the window leads to, int32 (rows, 2, places); where it is not empty, and where it may be as it
        is, bool (rows, places).
        """
        span = np.empty((rows, 2, self.places), dtype=np.int32)
        there, sound = np.empty((2, rows, self.places), dtype=bool)
        place = np.arange(self.places)
        for block in self._blocks(rows):
            columns = self._part(known, block)
            low, high = (self.value(end, columns) for end in (window.low, window.high))
            there[block] = low <= high
            sound[block] = (low >= 1) & (high <= self.axis - self.low)
            fits = there[block] & sound[block]
            span[block, 0] = np.where(fits, self.axis - high - self.low, place)
            span[block, 1] = np.where(fits, self.axis - low - self.low, place - 1)
        return span, there, sound
