"""Games whose moves lead from a line of positions to whole lines, and how they are put in order; see ``levels``."""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.games.takes import weights
from grundylab.solve.sweeps.edges import Builder
from grundylab.solve.sweeps.nosweep import NoSweep
from grundylab.solve.sweeps.plans import Plan, plan_for
from grundylab.solve.sweeps.shared import Family, family_of
from grundylab.solve.table import NO_POSITION, Table

Array = npt.NDArray[Any]
Edges = tuple[Array, Array, Array]
MOST_BYTES = 1 << 30
_FAR = 1 << 62


@dataclass(frozen=True)
class _Graph:
    """The lines of an instance and all edges between them.

    able: bool (lines, places), where there is a move. levels: lines, targets, masks of each move; windows: lines,
    targets, spans; families: of the moves whose edges lines share.
    """

    builder: Builder
    able: Array
    levels: list[Edges]
    windows: list[Edges]
    families: list[Family]


def solve_planes(instance: Instance, kind: Values) -> Table:
    """As ``solve_reference``. Raises NoSweep if the instance is not solved so."""
    plan = plan_for(instance)
    graph = _graph(instance, plan, share=True)
    too_large = kind == "grundy" and _bytes(graph, _room(graph)) > MOST_BYTES
    if graph.families and (too_large or not _ascends(graph)):
        del graph  # so that there are not two
        graph = _graph(instance, plan, share=False)
    builder = graph.builder
    values = _solved(graph, kind)
    values[~builder.valid] = NO_POSITION
    place = builder.names.index(plan.axis)
    table = np.moveaxis(values.reshape(*builder.widths, builder.places), -1, place)
    return Table(instance, kind, np.ascontiguousarray(table))


def _graph(instance: Instance, plan: Plan, share: bool) -> _Graph:
    """share: whether to look for edges that lines share; then these must be gone through in ascending order."""
    builder = Builder(instance, plan)
    able = np.zeros((builder.lines, builder.places), dtype=bool)
    windows, levels, families = [], [], []
    for window in plan.windows:
        windows.append(builder.window(window, able))
    for level in sorted(plan.levels, key=lambda level: level.move.a_pass):
        family = family_of(level, builder, able) if share else None
        if family is not None:
            families.append(family)
            continue
        lines, targets, masks = builder.level(level, able)
        if not level.move.a_pass:
            if level.masked:
                np.logical_or.at(able, lines, builder.masks[-1])
            else:
                movable = np.unique(lines)
                able[movable] |= builder.valid[movable]
        levels.append((lines, targets, masks))
    graph = _Graph(builder, able, levels, windows, families)
    _check_measure(graph)
    return graph


def _solved(graph: _Graph, kind: Values) -> Array:
    """int32 (lines, places)."""
    from grundylab.solve.sweeps import levels  # numba takes a second to import

    builder, order, shared = graph.builder, _order(graph), _stacked(graph)
    down, across = _sorted(graph.levels, builder.lines), _sorted(graph.windows, builder.lines)
    masks = _joined(builder.masks, np.zeros((0, builder.places), bool))
    spans = _joined(builder.spans, np.zeros((0, 2, builder.places), np.int32))
    if kind == "outcome":
        won = builder.valid & ~graph.able & (builder.instance.ruleset.play == "misere")
        levels.outcomes(order, down, across, shared, masks, spans, won)
        return won.astype(np.int32)
    sliding = np.all(spans[:, 1] == np.arange(builder.places) - 1, axis=1)
    sliding &= np.all(np.diff(spans[:, 0], axis=1) >= 0, axis=1)
    values = np.zeros((builder.lines, builder.places), dtype=np.int32)
    room = _room(graph)
    while _bytes(graph, room) <= MOST_BYTES:
        if levels.grundy_numbers(order, down, across, shared, masks, spans, sliding, room, values):
            return values
        room *= 2
    raise NoSweep(
        f"{builder.instance}: the values that moves lead to, as bits, need more than {MOST_BYTES:,} bytes"
    )


def _room(graph: _Graph) -> int:
    """Words of bits that the values fit into, as a rule."""
    from grundylab.solve.sweeps.bits import words

    return words(2 * max(graph.builder.places, *graph.builder.widths, 1))


def _bytes(graph: _Graph, room: int) -> int:
    """What is needed for the values that moves lead to, of one line and of each family."""
    rows = 1 + sum(len(family.starts) for family in graph.families)
    return rows * graph.builder.places * room * 8


def _joined(parts: list[Array], none: Array) -> Array:
    """One array of all parts, which is then the only part: two of them would take twice the memory."""
    if len(parts) > 1:
        parts[:] = [np.concatenate(parts)]
    return parts[0] if parts else none


def _stacked(graph: _Graph) -> tuple[Array, Array, Array, Array, Array]:
    """The families of all moves, numbered one after the other: (of, stops, starts, targets, masks)."""
    of, stops = np.full((2, len(graph.families), graph.builder.lines), -1, dtype=np.int64)
    starts, targets, masks = (np.zeros(0, dtype=np.int64) for _ in range(3))
    for number, family in enumerate(graph.families):
        of[number] = np.where(family.of < 0, -1, family.of + len(starts))
        stops[number] = family.stops + len(targets)
        starts = np.concatenate([starts, family.starts + len(targets)])
        targets = np.concatenate([targets, family.targets])
        masks = np.concatenate([masks, family.masks])
    return of, stops, starts, targets, masks


def _sorted(edges: list[Edges], lines: int) -> Edges:
    """All edges by their lines: (starts, targets, numbers)."""
    empty = np.zeros(0, dtype=np.int64)
    source, target, number = (np.concatenate([empty, *(edge[part] for edge in edges)]) for part in range(3))
    order = np.argsort(source, kind="stable")
    starts = np.searchsorted(source[order], np.arange(lines + 1))
    return starts, target[order], number[order]


def _ascends(graph: _Graph, sign: int = 1) -> bool:
    """Whether edges lead to smaller lines only (windows to no greater ones); with -1, to greater ones."""
    edges = (*graph.levels, *graph.windows)  # a level edge from a line to itself does not lower the measure
    return all(bool(np.all(sign * lines >= sign * targets)) for lines, targets, _ in edges)


def _order(graph: _Graph) -> Array:
    """The lines with positions, each after all that edges lead to from it."""
    builder = graph.builder
    own = np.flatnonzero(builder.valid.any(axis=1))
    if _ascends(graph):
        return own
    if _ascends(graph, -1):
        return np.ascontiguousarray(own[::-1])
    follows: dict[int, set[int]] = {line: set() for line in own.tolist()}
    for lines, targets, _ in (*graph.levels, *graph.windows):
        for source, target in zip(lines.tolist(), targets.tolist(), strict=True):
            if source != target:
                follows[source].add(target)
    try:
        return np.array(list(TopologicalSorter(follows).static_order()), dtype=np.int64)
    except CycleError:
        raise NoSweep(f"{builder.instance}: moves lead from a line to another and back") from None


def _check_measure(graph: _Graph) -> None:
    """That every move lowers the measure, so that there is nothing to complain about."""
    builder = graph.builder
    ruleset = builder.instance.ruleset
    weight = weights(ruleset.measure, builder.names)
    if weight is None or min(weight.values()) < 0:
        raise NoSweep(f"{ruleset.name}: its measure is no sum of multiples of the coordinates")
    height = sum(
        (weight.get(name, 0) * column for name, column in builder.columns.items()),
        np.zeros(builder.lines, np.int64),
    )
    height -= height.min(initial=0)
    fine = all(np.all(height[targets] < height[lines]) for lines, targets, _ in graph.levels)
    fine &= all(np.all(family.most(height) < height) for family in graph.families)
    lowered = np.concatenate([np.zeros(0, np.int64), *(_least_fall(spans) for spans in builder.spans)])
    lowered *= np.where(lowered == _FAR, 1, weight.get(builder.plan.axis, 0))
    for lines, targets, numbers in graph.windows:
        fine &= bool(np.all(lowered[numbers] + height[lines] - height[targets] > 0))
    if not fine:
        raise NoSweep(f"{ruleset.name}: a move may not lower the measure")


def _least_fall(spans: Array) -> Array:
    """int64 (spans,): by how many places a window leads down at least, or _FAR if it is empty everywhere."""
    places = np.arange(spans.shape[-1])
    falls = (np.where(span[0] > span[1], _FAR, places - span[1]) for span in spans)
    return np.array([fall.min(initial=_FAR) for fall in falls], dtype=np.int64)
