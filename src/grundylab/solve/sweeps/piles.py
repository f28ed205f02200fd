"""Sweeps of games of piles: each move takes from one pile, or leads from one layer to another, as a pass does.

Games are solved layer by layer, and each layer line by line; a line is the positions that differ only in the last pile.
For outcomes where takes have no limit, the sweep finds the one P-position of each line; else it finds Grundy numbers
(``pileloops``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np

from grundylab.errors import EvaluationError, NoSweep
from grundylab.games.instance import Instance
from grundylab.games.layers import LayeredGame, LayerMove, LayerValues, NotLayered, piled_game
from grundylab.games.linear_moves import measure_weights
from grundylab.games.model import Values
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.intervals import is_total
from grundylab.language.plain import evaluate
from grundylab.language.substitution import is_symmetric_in
from grundylab.language.syntax import TRUE
from grundylab.numeric import Array
from grundylab.solve.table import NO_POSITION, Table

MOST_LAYERS = 1_000
_BLOCK = 1 << 17  # cells for which a condition is evaluated at once


@dataclass(frozen=True)
class PileSweep:
    """The sweep of an instance with piles, as ``piles_for`` makes it.

    kind: the values to solve for. game: the moves between layers. layers: all layers of the instance; each comes after
    the layers that its moves lead to. reach: int64 (piles, greatest number of sizes), for each size of a pile the least
    size to which a take leads, or the size itself if there is no take.
    """

    instance: Instance
    kind: Values
    game: LayeredGame
    layers: tuple[LayerValues, ...]
    reach: Array

    @property
    def by_lines(self) -> bool:
        """True if the sweep finds the P-position of each line, False if it finds Grundy numbers."""
        return self.kind == "outcome" and self.game.unbounded

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of sizes of each pile."""
        shape = dict(zip(self.instance.ruleset.coordinate_names, self.instance.shape, strict=True))
        return tuple(shape[axis] for axis in self.game.axes)

    @property
    def lines(self) -> int:
        """The number of lines of all layers together."""
        return prod(self.sizes[:-1]) * len(self.layers)

    @cached_property
    def alike(self) -> bool:
        """True if the text of the game shows that it is symmetric in its piles."""
        if len(set(self.sizes)) > 1 or not self.game.unbounded:
            return False
        whens = [step.when for layer in self.layers for step in self.game.descents(layer)]
        return all(is_symmetric_in(when, self.game.axes) for when in dict.fromkeys(whens))


def piles_for(instance: Instance, kind: Values) -> PileSweep:
    """Return the sweep of the instance. Raises NoSweep, with the reason, if this sweep does not apply."""
    try:
        game = piled_game(instance.ruleset, dict(instance.parameters))
        order = _ordered(game, instance)
    except NotLayered as error:
        raise NoSweep(error.message) from None
    _check_measure(game, order)
    reach = _reach(game, instance)
    misere = game.game.play == "misere"
    if misere and not game.unbounded:
        raise NoSweep(f"{instance}: under misère play a limited take may end the game at many positions")
    sweep = PileSweep(instance, kind, game, order, reach)
    if sweep.by_lines:
        # conditions are evaluated at P-positions only
        for when in dict.fromkeys(step.when for layer in order for step in game.descents(layer)):
            if not is_total(when, game.game.functions, instance.spans()):
                raise NoSweep(f"{instance}: '{when}' may have no value")
    elif any(a > b for row in reach.tolist() for a, b in pairwise(row)):
        raise NoSweep(
            f"{instance}: a take from a larger pile may leave less than any take from a smaller one"
        )
    return sweep


def solve_piles(instance: Instance, kind: Values) -> Table:
    """Return the table that ``solve_reference`` returns.

    Raises NoSweep if this sweep does not apply to the instance.
    """
    sweep = piles_for(instance, kind)
    values = np.full(instance.shape, NO_POSITION, dtype=np.int32)
    names = instance.ruleset.coordinate_names
    lows = dict(zip(names, (side.low for side in instance.box), strict=True))
    for layer, result in sweep_layers(sweep):
        fixed = dict(zip(sweep.game.names, layer, strict=False))
        where = tuple(fixed[name] - lows[name] if name in fixed else slice(None) for name in names)
        if sweep.by_lines:
            dense = np.ones(sweep.sizes, dtype=np.int32)
            rows = np.flatnonzero(result >= 0)
            dense.reshape(-1, sweep.sizes[-1])[rows, result.reshape(-1)[rows]] = 0
            values[where] = dense
        else:
            values[where] = result if kind == "grundy" else np.minimum(result, 1)
    return Table(instance, kind, values)


def sweep_layers(sweep: PileSweep) -> Iterator[tuple[LayerValues, Array]]:
    """Yield (layer, result) for every layer, after the layers that its moves lead to.

    If ``by_lines``, the result is int32 (sizes of all piles but the last): the size of the last pile at the P-position
    of each line, or NONE. Otherwise it is int32 (sizes of all piles): the Grundy numbers.
    """
    results: dict[LayerValues, Array] = {}
    last_use = {
        step.to: number for number, layer in enumerate(sweep.layers) for step in sweep.game.descents(layer)
    }
    for number, layer in enumerate(sweep.layers):
        result = (_lines if sweep.by_lines else _values)(sweep, layer, results)
        yield layer, result
        results[layer] = result
        for old in [old for old in results if last_use.get(old, -1) <= number]:
            del results[old]


def _lines(sweep: PileSweep, layer: LayerValues, results: dict[LayerValues, Array]) -> Array:
    """Return the P-position of each line of a layer, from the results ``results`` of the layers below it."""
    from grundylab.solve.sweeps.pileloops import NONE, outcome_lines

    *outer, axis = sweep.sizes
    met = []
    for step in sweep.game.descents(layer):
        met.append(_lines_reached(step, results[step.to], sweep).reshape(-1))
    if sweep.game.game.play == "misere" and sweep.game.ends_at_origin(layer):
        met.append(np.full(int(np.prod(outer)), NONE, dtype=np.int32))
        met[-1][0] = 0
    stacked = np.array(met, dtype=np.int32).reshape(len(met), int(np.prod(outer)))
    return np.asarray(outcome_lines(np.array(outer, dtype=np.int64), axis, stacked, sweep.alike)).reshape(
        outer
    )


def _lines_reached(step: LayerMove, below: Array, sweep: PileSweep) -> Array:
    """Return ``below``, the P-positions of the layer that the move leads to, with NONE where there is no such move."""
    from grundylab.solve.sweeps.pileloops import NONE

    if step.when == TRUE:
        return below
    if below.ndim == 0:
        possible = _exists(step, {sweep.game.axes[-1]: below}, sweep)
        return np.where(possible, below, np.int32(NONE))
    met = np.full_like(below, NONE)
    columns = _open_grid(sweep.game.axes[:-1], below.shape)
    for start, stop in _blocks(below.shape):
        # in a game that is symmetric in its piles, lines with sizes in order suffice
        block = (slice(start, stop), *[slice(start if sweep.alike else 0, None)] * (below.ndim - 1))
        possible = _exists(step, {**_cut(columns, block), sweep.game.axes[-1]: below[block]}, sweep)
        met[block] = np.where(possible, below[block], np.int32(NONE))
    return met


def _blocks(shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of consecutive parts of the first side; conditions are evaluated on one part at a time."""
    rows = max(1, _BLOCK // max(1, prod(shape[1:])))
    for start in range(0, shape[0], rows):
        yield start, min(start + rows, shape[0])


def _cut(columns: dict[str, Array], block: tuple[slice, ...]) -> dict[str, Array]:
    """Return the part of an open grid, made by ``_open_grid``, that lies in the block: one slice for each axis."""
    return {
        name: column[
            tuple(part if side > 1 else slice(None) for part, side in zip(block, column.shape, strict=True))
        ]
        for name, column in columns.items()
    }


def _values(sweep: PileSweep, layer: LayerValues, results: dict[LayerValues, Array]) -> Array:
    """Return the Grundy numbers of a layer, from the results ``results`` of the layers below it."""
    from grundylab.solve.sweeps.bits import WORD
    from grundylab.solve.sweeps.pileloops import grundy_numbers

    sizes, room = np.array(sweep.sizes, dtype=np.int64), -(-2 * max(sweep.sizes) // WORD)
    steps = sweep.game.descents(layer)
    columns = _open_grid(sweep.game.axes, sweep.sizes)
    while True:
        # the values to which moves to other layers lead, -1 where there is no move; there is at least one row
        met = np.full((max(len(steps), 1), *sweep.sizes), -1, dtype=np.int32)
        for (row, step), (start, stop) in product(enumerate(steps), _blocks(sweep.sizes)):
            block = (slice(start, stop), *[slice(None)] * (len(sweep.sizes) - 1))
            possible = _exists(step, _cut(columns, block), sweep)
            np.copyto(met[row][block], results[step.to][block], where=possible)
        rows = met.reshape(len(met), prod(sweep.sizes))
        if grundy_numbers(sizes, sweep.reach, room, rows[1:], rows[0]):  # the first row becomes the result
            return np.asarray(met[0])
        room *= 2


def _open_grid(names: tuple[str, ...], sizes: Any) -> dict[str, Array]:  # noqa: ANN401 - a sequence
    """Return for each name an array of its values, such that all arrays broadcast to the shape ``sizes``."""
    grid = np.ogrid[tuple(slice(size) for size in sizes)] if sizes else ()
    return dict(zip(names, grid, strict=True))


def _exists(step: LayerMove, columns: dict[str, Array], sweep: PileSweep) -> Array | bool:
    """Return a mask of the places where the move exists. columns: the sizes of the piles, by name."""
    if step.when == TRUE:
        return True
    try:
        return np.asarray(evaluate_arrays(step.when, columns, sweep.game.game.functions))
    except EvaluationError as error:  # perhaps only where the definition does not need the value
        raise NoSweep(f"{sweep.instance}: {error.message}") from None


def _ordered(game: LayeredGame, instance: Instance) -> tuple[LayerValues, ...]:
    """Return the layers of the instance, each after the layers that its moves lead to.

    Raises NotLayered if there are too many.
    """
    ranges = {c.name: c.ends for c in game.game.coordinates}
    sides = instance.spans()
    spans = [range(sides[name].low, sides[name].high + 1) for name in game.names]
    layers: dict[LayerValues, None] = {}
    for values in product(*spans):
        fixed = {**instance.constants, **dict(zip(game.names, values, strict=True))}
        ends = [ranges[name] for name in game.names]
        inside = [
            evaluate(low, fixed, game.game.functions) <= value <= evaluate(high, fixed, game.game.functions)
            for value, (low, high) in zip(values, ends, strict=True)
        ]
        if all(inside):
            layers[*values, 0] = None
        if len(layers) > MOST_LAYERS:
            raise NotLayered(f"{instance}: it has more than {MOST_LAYERS:,} layers")
    return tuple(game.below(*layers, within=layers))


def _check_measure(game: LayeredGame, order: tuple[LayerValues, ...]) -> None:
    """Raise NoSweep unless it is evident that every move lowers the measure, so that no move is faulty."""
    names = game.game.coordinate_names
    weight = measure_weights(game.game.measure, names)
    if weight is None or any(weight.get(axis, 0) < 1 for axis in game.axes) or min(weight.values()) < 0:
        raise NoSweep(f"{game.game.name}: its measure is not a sum of multiples of the coordinates")

    def height(layer: LayerValues) -> int:
        return sum(weight.get(name, 0) * value for name, value in zip(game.names, layer, strict=False))

    for layer in order:
        for step in game.descents(layer):
            if height(step.to) >= height(layer):
                raise NoSweep(f"{game.game.name}: a move between layers does not lower the measure")


def _reach(game: LayeredGame, instance: Instance) -> Array:
    """Return the array ``reach`` of ``PileSweep``.

    Raises NoSweep for a limit of takes that has no value or may exceed the pile.
    """
    shape = dict(zip(instance.ruleset.coordinate_names, instance.shape, strict=True))
    most = max(shape[axis] for axis in game.axes)
    rows = np.zeros((len(game.axes), most), dtype=np.int64)
    for row, axis in zip(rows, game.axes, strict=True):
        sizes = np.arange(shape[axis])
        bounds = {name: np.full(len(sizes), value) for name, value in instance.constants.items()}
        try:
            limit = evaluate_arrays(game.limits[axis], {**bounds, axis: sizes}, game.game.functions)
        except EvaluationError as error:
            raise NoSweep(f"{instance}: {error.message}") from None
        if np.any(limit > sizes):
            raise NoSweep(f"{instance}: {game.limits[axis]} may be more than {axis}")
        row[: len(sizes)] = sizes - np.maximum(limit, 0)
        row[len(sizes) :] = row[len(sizes) - 1]
    return rows
