"""The choice of a solver: the reference, a sweep or a compiled kernel; and solving for P-positions alone.

P-positions are often so few that they fit into memory where no table would. Every other position is an N-position, so
they determine all outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from grundylab.errors import EvaluationError, InstanceError, LimitError, NoSweep
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.language.functions import Tabulated
from grundylab.language.plain import RangeMeter
from grundylab.numeric import Array
from grundylab.solve.environment import (
    EvaluatedExpressions,
    check_work,
    evaluated_expressions,
    exceeds_machine,
)
from grundylab.solve.memory import (
    BYTES_A_CELL,
    REFERENCE_BYTES_A_CELL,
    check_bytes,
    check_memory,
    check_table,
    p_position_bytes,
)
from grundylab.solve.narrowing import narrowed
from grundylab.solve.reference import check_kind, solve_reference
from grundylab.solve.sweeps import solve_sweep, sweep_for
from grundylab.solve.sweeps.piles import piles_for, sweep_layers
from grundylab.solve.table import NO_POSITION, Table, unsolved_table

Method = Literal["auto", "reference", "kernel", "sweep"]

SMALL = 100_000  # moves: the reference takes about 5 µs for each, a kernel some seconds to compile
FEW = (
    1_000  # moves: as SMALL, for games of a family, which differ in a function's values and share one kernel
)
_REFERENCE_LIMIT = 2_000_000  # the most cells that the reference solves if no kernel can


def solve(instance: Instance, kind: Values = "grundy", method: Method = "auto") -> Table:
    """Return the table of the Grundy numbers or outcomes of all positions of the instance.

    method: ``reference`` follows the definition, ``sweep`` solves whole lines of positions (see ``sweeps``), ``kernel``
    is code compiled for the ruleset. ``auto`` takes the reference for tables so small that compiling takes longer; else
    a sweep if one applies; else the kernel if 64-bit integers are wide enough. Raises RulesetError for a faulty move,
    InstanceError if memory or 64 bits do not suffice, NoSweep if ``sweep`` is chosen and none applies.
    """
    check_kind(instance, kind)
    if method in ("reference", "kernel"):
        check_memory(instance, REFERENCE_BYTES_A_CELL if method == "reference" else BYTES_A_CELL)
    else:
        check_table(instance, kind)
    if instance.ruleset.misere_sums:
        if method in ("kernel", "sweep"):
            raise NoSweep(f"{instance}: sums under misère play are solved by their definition only")
        return _by_definition(instance, kind)
    tables = [function for function in instance.ruleset.functions if isinstance(function, Tabulated)]
    small = instance.moves <= (FEW if tables else SMALL)
    if method == "reference" or (method == "auto" and small):
        return _by_definition(instance, kind)
    if method in ("auto", "sweep"):
        check_work(instance)
        try:
            return solve_sweep(instance, kind)
        except NoSweep:
            if method == "sweep":
                raise
    from grundylab.solve.kernels import solve_kernel  # numba takes a second to import

    if method == "auto" and any(len(table.arguments) > 1 for table in tables):
        return _by_definition(instance, kind)  # a kernel looks up functions of one argument only
    written, reason = _compilable(instance)
    if reason is None:
        return solve_kernel(instance, kind, written)
    if method == "kernel" or instance.cells > _REFERENCE_LIMIT:
        raise InstanceError(f"{instance}: {reason}; choose smaller bounds")
    return _by_definition(instance, kind)


def is_slow(instance: Instance, kind: Values) -> bool:
    """Tell whether only the reference can solve the instance, and its moves are so many that this takes long."""
    try:
        sweep_for(instance, kind)
    except NoSweep:
        return instance.moves > SMALL and _compilable(instance)[1] is not None
    return False


def _compilable(instance: Instance) -> tuple[EvaluatedExpressions, str | None]:
    """Return (expressions, reason): what a kernel evaluates, and why no kernel can solve the instance, or None."""
    try:
        written = evaluated_expressions(narrowed(instance))
        too_wide = exceeds_machine(instance, written)
    except EvaluationError as error:  # no bounds are known on some range
        return (), error.message
    return written, None if too_wide is None else f"'{too_wide}' may need more than 64 bits"


def _by_definition(instance: Instance, kind: Values) -> Table:
    return solve_reference(instance, kind, RangeMeter(LimitError))


@dataclass(frozen=True)
class PPositions:
    """The P-positions of an instance.

    cells: int64, increasing: the cells of the P-positions in the instance's box, numbered in lexicographic order.
    positions: the number of all positions, P and N.
    """

    instance: Instance
    cells: npt.NDArray[np.int64]
    positions: int

    def __len__(self) -> int:
        return len(self.cells)

    def slabs(self, rows: int = 1 << 20) -> Iterator[tuple[npt.NDArray[np.int32], ...]]:
        """Yield the P-positions in lexicographic order, at most ``rows`` at a time, as a tuple of arrays.

        There is one array (rows,) for each coordinate.
        """
        lows = [side.low for side in self.instance.box]
        for start in range(0, len(self.cells), rows):
            offsets = np.unravel_index(self.cells[start : start + rows], self.instance.shape)
            yield tuple((o + low).astype(np.int32) for o, low in zip(offsets, lows, strict=True))

    def table(self) -> Table:
        """Return the table of all outcomes.

        Raises InstanceError if the table does not fit the free memory, ValueError if a P-position is outside the space.
        """
        instance = self.instance
        check_bytes(instance, instance.cells * 4)
        table = unsolved_table(instance)
        values = table.values.reshape(-1)
        if np.any(values[self.cells] == NO_POSITION):
            raise ValueError("a P-position is outside the space")
        values[values == 0] = 1
        values[self.cells] = 0
        return table


def solve_p_positions(instance: Instance, limit: int | None = None) -> PPositions:
    """Return all P-positions, by a sweep without a table if one applies, else from a table.

    limit: bytes of memory that the process may take. Raises InstanceError, before any work, if memory does not suffice.
    """
    check_kind(instance, "outcome")
    check_bytes(instance, p_position_bytes(instance), limit)
    if instance.moves > SMALL:
        check_work(instance)
        try:
            cells = np.concatenate([np.zeros(0, np.int64), *_by_piles(instance)])
            cells.sort()
            return PPositions(instance, cells, instance.cells)
        except NoSweep:
            pass
    table = solve(instance, "outcome")
    return PPositions(instance, np.flatnonzero(table.values == 0), table.positions)


def _by_piles(instance: Instance) -> Iterator[Array]:
    """Yield the cells of the P-positions of each layer. Raises NoSweep if they are not found line by line."""
    sweep = piles_for(instance, "outcome")
    names = instance.ruleset.coordinate_names
    lows = {name: side.low for name, side in zip(names, instance.box, strict=True)}
    if not sweep.by_lines or sweep.lines * sweep.sizes[-1] != instance.cells:
        raise NoSweep(f"{instance}: its P-positions are not found line by line")
    for layer, p_places in sweep_layers(sweep):
        fixed = zip(sweep.game.names, layer, strict=False)
        offsets: dict[str, Any] = {name: value - lows[name] for name, value in fixed}
        places = np.atleast_1d(p_places)
        lines = np.nonzero(places >= 0)
        along = (*lines[: p_places.ndim], places[lines])
        offsets |= zip(sweep.game.axes, along, strict=True)
        yield np.ravel_multi_index([offsets[name] for name in names], instance.shape)
