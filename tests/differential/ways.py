"""All ways to compute a table of outcomes or Grundy numbers, and the test that they agree. A way may refuse a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import combinations
from types import ModuleType

import numpy as np
import pytest

from grundylab.check import linewise
from grundylab.check.verification import check_table
from grundylab.errors import InstanceError, NoSweep
from grundylab.games import Instance, Target
from grundylab.games.layers import LayeredGame, NotLayered, layered_game
from grundylab.games.model import GRUNDY, P_POSITIONS, Values
from grundylab.language import parse
from grundylab.solve import kernels, solving
from grundylab.solve.environment import evaluated_expressions, exceeds_machine
from grundylab.solve.reference import solve_reference
from grundylab.solve.row_solver import solve_rows
from grundylab.solve.solving import solve_p_positions
from grundylab.solve.sweeps.heap_sweep import solve_heap
from grundylab.solve.sweeps.piles import solve_piles

Way = Callable[[Instance, Values], np.ndarray]

# -- the ways -----------------------------------------------------------------------------------------


def kernel(instance: Instance, kind: Values) -> np.ndarray:
    written = evaluated_expressions(instance)
    if exceeds_machine(instance, written) is not None:
        raise NoSweep("64 bits may not do")
    return kernels.solve_kernel(instance, kind, written).values


def kernel_by_measure(instance: Instance, kind: Values) -> np.ndarray:
    """Solve with the kernel as if no order of play were known: positions one by one, smallest measure first."""
    written = evaluated_expressions(instance)
    if exceeds_machine(instance, written) is not None:
        raise NoSweep("64 bits may not do")
    run = kernels._Run(instance, kind, written)
    assert run.by_measure()[1] == kernels.codegen.OK
    table = run.table()
    return np.minimum(table, 1) if kind == "outcome" and run.grundy else table


def p_positions(instance: Instance, kind: Values) -> np.ndarray:
    """Return the P-positions, computed by a sweep that keeps no table."""
    if kind == "grundy" or instance.ruleset.splits:
        raise NoSweep("only outcomes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solving, "SMALL", 0)
        patch.setattr(solving, "solve", _none)
        return solve_p_positions(instance).table().values


def _none(*_: object) -> None:
    raise NoSweep("no sweep of P-positions")


def rows(instance: Instance, kind: Values) -> np.ndarray:
    """Solve row by row: outcomes along two axes, Grundy numbers along one."""
    names = instance.ruleset.coordinate_names
    target: Target = GRUNDY if kind == "grundy" else P_POSITIONS
    grown = [name for place, name in enumerate(names) if _ends_at_a_bound(instance, place)]
    for axes in combinations(grown, 1 if kind == "grundy" else 2):
        with suppress(NotLayered):
            return _by_rows(
                instance, layered_game(instance.ruleset, dict(instance.parameters), axes, target), axes
            )
    raise NoSweep("not one of layers")


def _ends_at_a_bound(instance: Instance, place: int) -> bool:
    end = instance.ruleset.coordinates[place].range.high
    return instance.box[place].low == 0 and str(end) in instance.ruleset.bounds


def _by_rows(instance: Instance, game: LayeredGame, axes: tuple[str, ...]) -> np.ndarray:
    names = instance.ruleset.coordinate_names
    places = [names.index(axis) for axis in axes]
    others = [place for place in range(len(names)) if place not in places]
    found = np.ones(instance.shape, dtype=np.int64)
    for there in np.ndindex(*(instance.shape[place] for place in others)):
        lows = [instance.box[place].low for place in others]
        fixed = {names[place]: low + o for place, low, o in zip(others, lows, there, strict=True)}
        top = game.top(fixed)
        row = solve_rows(game, top, instance.shape[places[0]])[top]
        at: list[object] = [slice(None)] * len(names)
        for place, offset in zip(others, there, strict=True):
            at[place] = offset
        part = found[tuple(at)]
        for first, second in enumerate(row.tolist()):
            if len(axes) == 1:
                part[first] = second
            elif second < part.shape[1]:
                part[first, second] = 0
    return found


WAYS: dict[str, Way] = {
    "kernel": kernel,
    "kernel by measure": kernel_by_measure,
    "piles": lambda instance, kind: solve_piles(instance, kind).values,
    "heap": lambda instance, kind: solve_heap(instance, kind).values,
    "P-positions": p_positions,
    "rows": rows,
}


# -- whether they agree ---------------------------------------------------------------------------------


def uncompiled(source: str) -> ModuleType:
    """Return generated source as an ordinary Python module, since compiling takes longer than all other steps."""
    module = ModuleType("uncompiled")
    head, _, rest = source.partition("njit = ")
    exec(head + "njit = lambda function: function\n" + rest.partition("\n")[2], module.__dict__)  # noqa: S102 - source that grundylab wrote
    return module


@contextmanager
def interpreted() -> Iterator[None]:
    """Let Python itself run generated source."""
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="raise"):
        patch.setattr(kernels, "load_module", uncompiled)
        yield


def kinds(instance: Instance) -> tuple[Values, ...]:
    return ("outcome",) if instance.ruleset.play == "misere" else ("outcome", "grundy")


def assert_agree(instance: Instance) -> set[str]:
    """Assert that each way gives the definition's table; return the names of the ways that applied."""
    applied = set()
    for kind in kinds(instance):
        expected = solve_reference(instance, kind).values
        for name, way in WAYS.items():
            try:
                found = way(instance, kind)
            except (NoSweep, NotLayered):
                continue
            applied.add(f"{name}: {kind}")
            wrong = np.argwhere(found != expected)
            assert not len(wrong), f"{name} ({kind}) differs from the definition at {_first(instance, wrong)}"
    return applied


def _first(instance: Instance, wrong: np.ndarray) -> str:
    at = dict(zip(instance.ruleset.coordinate_names, wrong[0].tolist(), strict=True))
    lows = dict(zip(at, (side.low for side in instance.box), strict=True))
    return ", ".join(f"{name}={offset + lows[name]}" for name, offset in at.items())


def assert_lines_agree(instance: Instance, formula: str) -> bool:
    """Assert that verification line by line agrees with the table's; return whether it applied."""
    expected = check_table(parse(formula), P_POSITIONS, solve_reference(instance, "outcome"))
    try:
        found = linewise.check_lines(parse(formula), P_POSITIONS, instance, threads=1)
    except (NoSweep, InstanceError):
        return False
    assert found == expected
    return True
