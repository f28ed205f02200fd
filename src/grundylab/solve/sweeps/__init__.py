"""Sweeps: methods that solve games without evaluating every option.

Each module has one method. It decides from a ruleset's moves whether the method applies, and gives the reason if not.
All methods give the same table as the reference solver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from grundylab.errors import NoSweep
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.solve.sweeps.heap_sweep import HeapSweep, heap_for, solve_heap
from grundylab.solve.sweeps.piles import PileSweep, piles_for, solve_piles
from grundylab.solve.table import Table

Sweep = PileSweep | HeapSweep
_Result = TypeVar("_Result")


def solve_sweep(instance: Instance, kind: Values) -> Table:
    """Return the table that ``solve_reference`` returns, by the first sweep that applies.

    Raises NoSweep, with the reasons, if none applies.
    """
    return _first(instance, kind, (solve_piles, solve_heap))


def sweep_for(instance: Instance, kind: Values) -> Sweep:
    """Return the first sweep whose conditions the moves of the instance fulfil, without solving anything.

    Raises NoSweep, with the reasons, if there is none. The sweep itself may raise NoSweep later, when it meets a
    condition that has no value.
    """
    ways: tuple[Callable[[Instance, Values], Sweep], ...] = (piles_for, heap_for)
    return _first(instance, kind, ways)


def _first(
    instance: Instance, kind: Values, ways: Sequence[Callable[[Instance, Values], _Result]]
) -> _Result:
    """Return the result of the first method that applies; raise NoSweep with all reasons if none does.

    ways: the method for piles, then the method for games of one coordinate.
    """
    reasons: list[str] = []
    for way in ways if len(instance.shape) == 1 else ways[:1]:
        try:
            return way(instance, kind)
        except NoSweep as error:
            reasons.append(error.message)
    raise NoSweep("; ".join(dict.fromkeys(reasons)))


def describe_sweep(instance: Instance, kind: Values) -> str:
    """Describe in a few words the sweep that applies to the instance. Raises NoSweep as ``sweep_for`` does."""
    match sweep_for(instance, kind):
        case PileSweep(by_lines=True) as piles:
            order = ", of piles in order, as they are alike" if piles.alike else ""
            return f"the first free bit of each line along {piles.game.axes[-1]}{order}"
        case PileSweep() as piles:
            *others, last = piles.game.axes
            along = f"{', '.join(others)} and {last}" if others else last
            return f"the values already taken along {along}, as bits"
        case HeapSweep():
            return "the nim-sums of two heaps, 64 pairs at once, or by the few heaps whose values are rare"
