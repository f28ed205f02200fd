"""Line-by-line verification of a formula for the P-positions, against a sweep, where no table would fit in memory.

A line is the positions that differ only in the last pile, and a sweep finds the one P-position of each. The formula is
compiled and compared with the sweep's result at every position. Only the P-position of each line, the number of
positions where the formula is wrong, and the smallest of these are kept.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import prod
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.check.verification import FEW, Check, Counterexample
from grundylab.errors import NoSweep
from grundylab.games.instance import Instance
from grundylab.games.layers import LayerValues
from grundylab.games.model import Target
from grundylab.language.functions import Function
from grundylab.language.intervals import fits_machine
from grundylab.language.numba_source import Emitter
from grundylab.language.syntax import TRUE, Call, Expr, distinct_parts
from grundylab.solve.codegen import module_text
from grundylab.solve.memory import check_bytes
from grundylab.solve.sweeps.piles import PileSweep, piles_for, sweep_layers

_BYTES_A_LINE = 4 * 3  # the P-position, the places that other moves lead to, and a copy of the P-position
_LINES = 1 << 12  # lines that one call compares
_LONGEST = 1 << 24  # values of a coordinate; with more, even the analysis of the sweep would be expensive

_SOURCE = '''@njit
def compare(places, start, stop, sizes, few, E, {layer}):
    """Count, over some lines, the positions that satisfy the condition and those of them where the formula is wrong.

    few: receives the first wrong positions (line, place, measure, value) and, in its last row, the smallest.
    """
    checked, wrong, noted, least = 0, 0, 0, len(few) - 1
    for line in range(start, stop):
        rest = line
{decode}
        p_position = places[line]
        asked, bad = 0, 0
        for v_{axis} in range(sizes[{last}]):
            about = {where}
            asked += about
            bad += about & (({formula}) != (v_{axis} == p_position))
        checked += asked
        wrong += bad
        if bad:
            for v_{axis} in range(sizes[{last}]):
                if {where}:
                    value = {formula}
                    if value != (v_{axis} == p_position):
                        measure = {measure}
                        if noted < least:
                            few[noted] = line, v_{axis}, measure, 1 if value else 0
                            noted += 1
                        if few[least, 0] < 0 or measure < few[least, 2]:
                            few[least] = line, v_{axis}, measure, 1 if value else 0
    return checked, wrong
'''


def check_lines(
    formula: Expr,
    target: Target,
    instance: Instance,
    where: Expr = TRUE,
    threads: int | None = None,
) -> Check:
    """Check a formula as ``verification.check_table`` does, without a table: one number is stored for each line.

    threads: by default the number of cores; the result does not depend on it. Raises NoSweep if
    the instance or the formula does not allow this method.
    """
    # numba takes half a second to import; reading config.yaml does not need it
    from grundylab.solve.kernels import load_module

    piles = _piles(formula, target, instance, where)
    module: Any = load_module(_source(formula, where, piles))
    constants = tuple(instance.constants.values())
    sizes = np.array(piles.sizes, dtype=np.int64)
    checked, wrong = 0, 0
    examples: list[Counterexample] = []
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for layer, p_places in sweep_layers(piles):
            places, fixed = p_places.reshape(-1), layer[: len(piles.game.names)]

            def compare(start: int, places: Any = places, fixed: LayerValues = fixed) -> Any:  # noqa: ANN401 - numbers
                few = np.full((FEW + 1, 4), -1, dtype=np.int64)
                stop = min(start + _LINES, len(places))
                return few, *module.compare(places, start, stop, sizes, few, constants, *fixed)

            try:
                parts = list(pool.map(compare, range(0, len(places), _LINES)))
            except (ZeroDivisionError, ValueError):
                raise NoSweep(f"{instance}: {formula} has no value at some positions") from None
            for few, asked, bad in parts:
                checked, wrong = checked + int(asked), wrong + int(bad)
                # a set, since the smallest may also be among the first
                rows = {tuple(row) for row in few.tolist() if row[0] >= 0}
                examples += (_example(row, layer, places, piles) for row in rows)
            examples = sorted(examples, key=attrgetter("order"))[: FEW + 1]
    return Check(
        instance,
        checked,
        examples[0] if examples else None,
        wrong=wrong,
        all_wrong=tuple(examples) if wrong <= FEW else (),
    )


def _piles(formula: Expr, target: Target, instance: Instance, where: Expr) -> PileSweep:
    if target.name != "p":
        raise NoSweep(f"{instance}: only formulas for P-positions can be checked line by line")
    if instance.cells and max(instance.shape) > _LONGEST:
        raise NoSweep(f"{instance}: a coordinate has more than {_LONGEST:,} values")
    piles = piles_for(instance, "outcome")
    if not piles.by_lines:
        raise NoSweep(f"{instance}: a line may have more than one P-position")
    check_bytes(instance, prod(piles.sizes[:-1]) * len(piles.layers) * _BYTES_A_LINE)
    ranges = instance.spans()
    functions = instance.ruleset.functions
    for expr in (formula, where, instance.ruleset.measure):
        for node in distinct_parts(functions.expand(expr)):
            if isinstance(node, Call) and node.name in functions:
                function = functions[node.name]
                if not isinstance(function, Function) or function.recurrence:
                    raise NoSweep(f"{instance}: {node.name}() is not compiled")
        if not fits_machine(expr, ranges, functions):
            raise NoSweep(f"{instance}: {expr} may need more than 64 bits")
    return piles


def _source(formula: Expr, where: Expr, piles: PileSweep) -> str:
    instance = piles.instance
    names = instance.ruleset.coordinate_names
    emitter = Emitter(instance.ruleset.functions, tuple(instance.constants))
    written = {
        "formula": emitter.expression(formula, names),
        "where": emitter.expression(where, names),
        "measure": emitter.expression(instance.ruleset.measure, names),
    }
    *outer, axis = piles.game.axes
    decode = [
        line
        for number in reversed(range(len(outer)))
        for line in (
            f"        v_{outer[number]} = rest % sizes[{number}]",
            f"        rest //= sizes[{number}]",
        )
    ]
    layer = ", ".join(f"v_{name}" for name in piles.game.names)
    source = _SOURCE.format(layer=layer, decode="\n".join(decode), axis=axis, last=len(outer), **written)
    return module_text("to compare a formula with a sweep", emitter, [source])


def _example(
    row: Sequence[int], layer: LayerValues, places: npt.NDArray[Any], piles: PileSweep
) -> Counterexample:
    """Return the counterexample that ``compare`` wrote into a row: (line, place, measure, the formula's value)."""
    line, place, measure, said = row
    outer = np.unravel_index(line, piles.sizes[:-1]) if len(piles.sizes) > 1 else ()
    coordinates = dict(zip(piles.game.axes, (*map(int, outer), place), strict=True))
    coordinates |= dict(zip(piles.game.names, layer, strict=False))
    position = {name: coordinates[name] for name in piles.instance.ruleset.coordinate_names}
    return Counterexample(
        position, dict(piles.instance.parameters), measure, int(places[line] == place), said
    )
