"""Sweeps: solving games without looking at every option.

Each module has one way, reads off a ruleset's moves whether it applies, and says why not; all give the reference's
table.
"""

from __future__ import annotations

from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.solve.sweeps.marking import marking_for, solve_marking
from grundylab.solve.sweeps.nosweep import NoSweep
from grundylab.solve.sweeps.piles import piles_for, solve_piles
from grundylab.solve.sweeps.planes import solve_planes
from grundylab.solve.sweeps.plans import plan_for
from grundylab.solve.table import Table

__all__ = ["NoSweep", "solve_sweep", "way"]


def solve_sweep(instance: Instance, kind: Values) -> Table:
    """As ``solve_reference``, by the first sweep that applies. Raises NoSweep, with the reasons, if none does."""
    reasons = []
    for sweep in (solve_piles, solve_planes, solve_marking):
        try:
            return sweep(instance, kind)
        except NoSweep as error:
            reasons.append(error.message)
    raise NoSweep("; ".join(dict.fromkeys(reasons)))


def way(instance: Instance, kind: Values) -> str:
    """By which sweep the instance is solved, in a few words. Raises NoSweep, with the reasons, if by none."""
    try:
        piles = piles_for(instance, kind)
    except NoSweep as error:
        reasons = [error.message]
    else:
        each = "of piles in order, as they are alike" if piles.sort == "lines" and piles.alike else ""
        what = {
            "lines": f"the first free bit of each line along {piles.game.axes[-1]}",
            "windows": f"the last P-position before each size of {_and(piles.game.axes)}",
            "values": f"the values already taken along {_and(piles.game.axes)}, as bits",
        }[piles.sort]
        return f"{what}{', ' if each else ''}{each}"
    try:
        return f"whole lines along {plan_for(instance.ruleset).axis} at once"
    except NoSweep as error:
        reasons.append(error.message)
    try:
        axis = instance.ruleset.coordinate_names[marking_for(instance, kind).axis]
    except NoSweep as error:
        reasons += [] if error.message in "; ".join(reasons) else [error.message]
        raise NoSweep("; ".join(reasons)) from None
    return f"each P-position marks all positions before it, in lines along {axis}"


def _and(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + (" and " if names[:-1] else "") + names[-1]
