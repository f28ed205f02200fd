"""By which way an instance is solved: the reference, a sweep or a compiled kernel."""

from __future__ import annotations

from typing import Literal

from grundylab.errors import InstanceError, LimitError
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.language.functions import Tabulated
from grundylab.language.plain import RangeMeter
from grundylab.solve.memory import BYTES_A_CELL, REFERENCE_BYTES_A_CELL, check_memory, check_table
from grundylab.solve.reference import check_kind, solve_reference
from grundylab.solve.sweeps import NoSweep, solve_sweep
from grundylab.solve.table import Table
from grundylab.solve.work import check_work

Method = Literal["auto", "reference", "kernel", "sweep"]

SMALL = 100_000  # moves: the reference takes about 5 µs for each, a kernel some seconds to compile
FEW = 1_000  # the same for one of many games with other values of a function: a sweep is compiled already
_REFERENCE_LIMIT = 2_000_000  # cells that are given to the reference where a kernel would not do


def solve(instance: Instance, kind: Values = "grundy", method: Method = "auto") -> Table:
    """Grundy numbers or outcomes of every position of the instance.

    method: ``reference`` is the definition, ``sweep`` looks at whole lines of positions (see ``sweeps``), ``kernel`` is
    compiled for the ruleset; ``auto`` is the reference for tables so small that compiling takes longer, else a sweep if
    one applies, else the kernel wherever 64-bit integers are wide enough. Raises RulesetError for a faulty move,
    InstanceError where memory or 64 bits do not do, NoSweep if no sweep applies where one is asked for.
    """
    check_kind(instance, kind)
    if method in ("reference", "kernel"):
        check_memory(instance, REFERENCE_BYTES_A_CELL if method == "reference" else BYTES_A_CELL)
    else:
        check_table(instance, kind)
    tables = any(isinstance(function, Tabulated) for function in instance.ruleset.functions)
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
    from grundylab.solve.environment import needs_more_than_machine, written_in
    from grundylab.solve.kernels import solve_kernel  # numba takes a second to import

    if method == "auto" and tables:
        return _by_definition(instance, kind)  # a kernel would be compiled for this game alone
    written = written_in(instance)
    too_wide = needs_more_than_machine(instance, written)
    if too_wide is None:
        return solve_kernel(instance, kind, written)
    if method == "kernel" or instance.cells > _REFERENCE_LIMIT:
        raise InstanceError(f"{instance}: '{too_wide}' may need more than 64 bits; choose smaller bounds")
    return _by_definition(instance, kind)


def _by_definition(instance: Instance, kind: Values) -> Table:
    return solve_reference(instance, kind, RangeMeter(LimitError))
