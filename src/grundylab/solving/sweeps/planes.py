"""Games whose moves lead from a line of positions to whole lines, and how they are put in order; see ``levels``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError
from grundylab.formula.arrays import evaluate_arrays
from grundylab.formula.syntax import TRUE, Binary, Expr, Name, free_names
from grundylab.rulesets.instance import Instance
from grundylab.rulesets.model import Move, Ruleset, Values
from grundylab.rulesets.takes import weights
from grundylab.solving.sweeps.nosweep import NoSweep
from grundylab.solving.table import NO_POSITION, Table

Array = npt.NDArray[Any]
MOST_EDGES = 20_000_000
MOST_MASKED = 200_000_000
_FEW = 200  # different sets of places of a line


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


def plan_for(ruleset: Ruleset) -> Plan:
    """The plan with the longest lines. Raises NoSweep, with the reason, if there is none."""
    reasons, plans = [], []
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
    if (free_names(coordinate.range.low) | free_names(coordinate.range.high)) & set(ruleset.coordinate_names):
        raise NoSweep(f"the range of {axis} depends on other coordinates")
    place = ruleset.coordinate_names.index(axis)
    for move in ruleset.moves:
        if len(move.parts) != 1:
            raise NoSweep(f"the move '{move.name}' leads to a sum of positions")
        (part,) = move.parts
        others = [value for number, value in enumerate(part) if number != place]
        ends = [end for choice in move.choices for end in (choice.range.low, choice.range.high)]
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
        low, high = choice.range.low, choice.range.high
        others = [value for number, value in enumerate(part) if number != place]
        if not any({choice.name, axis} & free_names(value) for value in others):
            if part[place] == Binary("-", Name(axis), Name(choice.name)):
                return Window(move, low, high)
            if part[place] == Name(choice.name):
                return Window(move, Binary("-", Name(axis), high), Binary("-", Name(axis), low))
    raise NoSweep(f"the move '{move.name}' neither leaves {axis} alone nor takes from it alone")


class _Builder:
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
        ruleset, there = self.instance.ruleset, np.ones((self.lines, self.places), dtype=bool)
        columns = {name: column[:, None] for name, column in self.columns.items()}
        columns[self.plan.axis] = self.axis[None, :]
        for coordinate in ruleset.coordinates:
            low, high = (self._value(end, columns) for end in (coordinate.range.low, coordinate.range.high))
            there &= (low <= columns[coordinate.name]) & (columns[coordinate.name] <= high)
        if ruleset.where != TRUE:
            there &= self._value(
                ruleset.where, columns
            )  # it may have no value off the ranges: then there is no sweep
        return there

    def _value(self, expr: Expr, columns: Mapping[str, Array]) -> Array:
        try:
            return evaluate_arrays(expr, {**self.constants, **columns}, self.instance.ruleset.functions)
        except EvaluationError as error:
            raise NoSweep(f"{self.instance}: {error.message}") from None

    # -- edges ------------------------------------------------------------------------------------------------

    def chosen(self, move: Move) -> tuple[Array, dict[str, Array]]:
        """Every line with every choice: the lines' numbers, and all outer coordinates and choices there."""
        lines = np.flatnonzero(self.valid.any(axis=1))
        known = {name: column[lines] for name, column in self.columns.items()}
        for choice in move.choices:
            low, high = (self._value(end, known) for end in (choice.range.low, choice.range.high))
            low, counts = np.broadcast_to(low, lines.shape), np.maximum(high - low + 1, 0)
            counts = np.broadcast_to(counts, lines.shape)
            if counts.sum() > MOST_EDGES:
                raise NoSweep(f"{self.instance}: more than {MOST_EDGES:,} choices between lines")
            first = np.repeat(np.cumsum(counts) - counts, counts)
            number = np.arange(len(first)) - first + np.repeat(low, counts)
            lines = np.repeat(lines, counts)
            known = {name: np.repeat(column, counts) for name, column in known.items()} | {
                choice.name: number
            }
        return lines, known

    def targets(self, move: Move, known: Mapping[str, Array], count: int) -> tuple[Array, Array]:
        """The lines that the move leads to, and whether each is in the box."""
        (part,) = move.parts
        inside, target = np.ones(count, dtype=bool), np.zeros(count, dtype=np.int64)
        for name, value in zip(self.names, part, strict=True):
            if name != self.plan.axis:
                number = self.outer.index(name)
                offset = np.broadcast_to(self._value(value, known), (count,)) - self.lows[number]
                inside &= (offset >= 0) & (offset < self.widths[number])
                target = target * self.widths[number] + offset
        return np.where(inside, target, 0), inside

    def level(self, level: Level, able: Array) -> tuple[Array, Array, Array]:
        """The edges of the move: lines, targets, masks. able: where there is another move (for a pass)."""
        move = level.move
        lines, known = self.chosen(move)
        if not level.masked and move.when != TRUE:
            kept = np.broadcast_to(self._value(move.when, known), lines.shape)
            lines, known = lines[kept], {name: column[kept] for name, column in known.items()}
        targets, inside = self.targets(move, known, len(lines))
        if not level.masked and not move.a_pass:
            self._check(self._covered(lines, targets) & inside, move)
            return lines, targets, np.full(len(lines), -1, dtype=np.int64)
        if len(lines) * self.places > MOST_MASKED:
            raise NoSweep(
                f"{self.instance}: more than {MOST_MASKED:,} moves whose condition asks about {self.plan.axis}"
            )
        there = self.valid[lines]
        if level.masked:
            columns = {name: column[:, None] for name, column in known.items()}
            there &= self._value(move.when, {**columns, self.plan.axis: self.axis[None, :]})
        if move.a_pass:
            there &= able[lines]
        some = there.any(axis=1)
        lines, targets, inside, there = lines[some], targets[some], inside[some], there[some]
        self._check(~there | inside[:, None] & self.valid[targets], move)
        numbers = np.arange(len(lines)) + sum(map(len, self.masks))
        self.masks.append(there)
        return lines, targets, numbers

    def _covered(self, lines: Array, targets: Array) -> Array:
        """Whether the positions of each line are all positions of its target."""
        sorts: dict[bytes, int] = {}
        rows = np.packbits(self.valid, axis=1)
        sort = np.array([sorts.setdefault(row.tobytes(), len(sorts)) for row in rows], dtype=np.int64)
        if len(sorts) > _FEW:
            return np.asarray(~np.any(rows[lines] & ~rows[targets], axis=1))
        distinct = np.array([np.frombuffer(row, dtype=np.uint8) for row in sorts]).reshape(len(sorts), -1)
        within = ~np.any(distinct[:, None] & ~distinct[None, :], axis=2)
        return np.asarray(within[sort[lines], sort[targets]])

    def _check(self, fine: Array, move: Move) -> None:
        """Refuse what the reference would: it has the words for it."""
        if not np.all(fine):
            raise NoSweep(f"{self.instance}: the move '{move.name}' may leave the space")

    def window(self, window: Window) -> tuple[Array, Array, Array, Array]:
        """The windows of the move: lines, targets, spans, and at which places of the lines it exists."""
        lines = np.flatnonzero(self.valid.any(axis=1))
        known = {name: column[lines] for name, column in self.columns.items()}
        targets, inside = self.targets(window.move, known, len(lines))
        columns = {name: column[:, None] for name, column in known.items()} | {
            self.plan.axis: self.axis[None, :]
        }
        shape = (len(lines), self.places)
        low: Array = np.broadcast_to(self._value(window.low, columns), shape)
        high: Array = np.broadcast_to(self._value(window.high, columns), shape)
        there = self.valid[lines] & (low <= high)
        some = there.any(axis=1)
        lines, targets, inside = lines[some], targets[some], inside[some]
        there, low, high = there[some], low[some], high[some]
        first, last = self.axis - high - self.low, self.axis - low - self.low
        counts = np.concatenate([np.zeros((self.lines, 1), int), np.cumsum(~self.valid, axis=1)], axis=1)
        sound = inside[:, None] & (first >= 0) & (last < self.places) & (low >= 1)
        begin, end = np.clip(first, 0, self.places), np.clip(last + 1, 0, self.places)
        rows = targets[:, None]
        if np.any(there & ~(sound & (counts[rows, end] == counts[rows, begin]))):
            raise NoSweep(f"{self.instance}: the move '{window.move.name}' may leave the space")
        span = np.stack(
            [np.where(there, first, self.axis - self.low), np.where(there, last, self.axis - self.low - 1)], 1
        )
        numbers = np.arange(len(lines)) + sum(map(len, self.spans))
        self.spans.append(span.astype(np.int32))
        return lines, targets, numbers, there


def solve_planes(instance: Instance, kind: Values) -> Table:
    """As ``solve_reference``. Raises NoSweep if the instance is not solved so."""
    from grundylab.solving.sweeps import levels
    from grundylab.solving.sweeps.bits import words

    builder = _Builder(instance, plan_for(instance.ruleset))
    plan = builder.plan
    able = np.zeros((builder.lines, builder.places), dtype=bool)
    window_edges = []
    for window in plan.windows:
        lines, targets, spans, there = builder.window(window)
        able[lines] |= there
        window_edges.append((lines, targets, spans))
    level_edges = []
    for level in sorted(plan.levels, key=lambda level: level.move.a_pass):
        lines, targets, masks = builder.level(level, able)
        if not level.move.a_pass:
            if level.masked:
                np.logical_or.at(able, lines, builder.masks[-1])
            else:
                movable = np.unique(lines)
                able[movable] |= builder.valid[movable]
        level_edges.append((lines, targets, masks))
    _check_measure(builder, level_edges, window_edges)
    down, across = _sorted(level_edges, builder.lines), _sorted(window_edges, builder.lines)
    order = _order(down, across, builder)
    masks = np.concatenate([np.zeros((0, builder.places), bool), *builder.masks])
    spans = np.concatenate([np.zeros((0, 2, builder.places), np.int32), *builder.spans])
    misere = instance.ruleset.play == "misere"
    if kind == "grundy":
        values = np.zeros((builder.lines, builder.places), dtype=np.int32)
        sliding = np.all(spans[:, 1] == np.arange(builder.places) - 1, axis=1) & np.all(
            np.diff(spans[:, 0], axis=1) >= 0, axis=1
        )
        most = int(np.diff(down[0]).max(initial=0))
        most += sum(int((s[:, 1] - s[:, 0]).max(initial=-1)) + 1 for s in builder.spans)
        levels.grundy_numbers(order, down, across, masks, spans, sliding, words(most + 1), values)
    else:
        won = builder.valid & ~able if misere else np.zeros((builder.lines, builder.places), dtype=bool)
        levels.outcomes(order, down, across, masks, spans, won)
        values = won.astype(np.int32)
    values[~builder.valid] = NO_POSITION
    place = builder.names.index(plan.axis)
    table = np.moveaxis(values.reshape(*builder.widths, builder.places), -1, place)
    return Table(instance, kind, np.ascontiguousarray(table))


def _sorted(edges: list[tuple[Array, Array, Array]], lines: int) -> tuple[Array, Array, Array]:
    """All edges by their lines: (starts, targets, numbers)."""
    empty = np.zeros(0, dtype=np.int64)
    source, target, number = (np.concatenate([empty, *(edge[part] for edge in edges)]) for part in range(3))
    order = np.argsort(source, kind="stable")
    starts = np.searchsorted(source[order], np.arange(lines + 1))
    return starts, target[order], number[order]


def _order(down: tuple[Array, ...], across: tuple[Array, ...], builder: _Builder) -> Array:
    """The lines, each after all that edges lead to from it."""
    own = np.arange(builder.lines)
    sources = [np.repeat(own, np.diff(starts)) for starts, *_ in (down, across)]
    targets = [down[1], across[1]]
    for order, sign in ((own, 1), (own[::-1], -1)):
        if all(np.all(sign * s >= sign * t) for s, t in zip(sources, targets, strict=True)):
            return np.ascontiguousarray(order)
    graph: dict[int, set[int]] = {line: set() for line in range(builder.lines)}
    for source, target in zip(
        np.concatenate(sources).tolist(), np.concatenate(targets).tolist(), strict=True
    ):
        if source != target:
            graph[source].add(target)
    try:
        return np.array(list(TopologicalSorter(graph).static_order()), dtype=np.int64)
    except CycleError:
        raise NoSweep(f"{builder.instance}: moves lead from a line to another and back") from None


def _check_measure(
    builder: _Builder, levels: list[tuple[Array, Array, Array]], windows: list[tuple[Array, Array, Array]]
) -> None:
    """That every move lowers the measure, so that there is nothing to complain about."""
    ruleset = builder.instance.ruleset
    weight = weights(ruleset.measure, builder.names)
    if weight is None or min(weight.values()) < 0:
        raise NoSweep(f"{ruleset.name}: its measure is no sum of multiples of the coordinates")
    height = sum(
        (weight.get(name, 0) * column for name, column in builder.columns.items()),
        np.zeros(builder.lines, np.int64),
    )
    fine = all(np.all(height[targets] < height[lines]) for lines, targets, _ in levels)
    places = np.arange(builder.places)
    for (lines, targets, _), spans in zip(windows, builder.spans, strict=True):
        lowered = (
            weight.get(builder.plan.axis, 0) * (places - spans[:, 1])
            + (height[lines] - height[targets])[:, None]
        )
        fine &= bool(np.all((lowered > 0) | (spans[:, 0] > spans[:, 1])))
    if not fine:
        raise NoSweep(f"{ruleset.name}: a move may not lower the measure")
