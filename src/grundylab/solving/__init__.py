"""Solving: ground truth for an instance, by the reference, a sweep or a compiled kernel, and datasets of it."""

from __future__ import annotations

import re
import resource
from pathlib import Path
from typing import Literal

from grundylab.errors import InstanceError
from grundylab.formula.functions import Tabulated
from grundylab.rulesets.instance import Instance
from grundylab.rulesets.model import Values
from grundylab.solving.reference import check_kind, mex, solve_reference
from grundylab.solving.table import NO_POSITION, Slab, Table, is_p_position

Method = Literal["auto", "reference", "kernel", "sweep"]

# What solving allocates for a cell: the value (4 bytes) and, where the measure's order is needed, that and the
# measure (8 + 8); and for an argsort as much again.
BYTES_A_CELL = 4 + 8 + 8 + 8
SMALL = 100_000  # moves: the reference takes about 5 µs for each, a kernel some seconds to compile
FEW = 1_000  # the same for one of many games with other values of a function: a sweep is compiled already
REFERENCE_BYTES_A_CELL = 300
_REFERENCE_LIMIT = 2_000_000  # cells that are given to the reference where a kernel would not do


def solve(instance: Instance, kind: Values = "grundy", method: Method = "auto") -> Table:
    """Grundy numbers or outcomes of every position of the instance.

    method: ``reference`` is the definition, ``sweep`` looks at whole lines of positions (see ``sweeps``), ``kernel`` is
    compiled for the ruleset; ``auto`` is the reference for tables so small that compiling takes longer, else a sweep if
    one applies, else the kernel wherever 64-bit integers are wide enough. Raises RulesetError for a faulty move,
    InstanceError where memory or 64 bits do not do, NoSweep if no sweep applies where one is asked for.
    """
    check_kind(instance, kind)
    check_memory(instance, REFERENCE_BYTES_A_CELL if method == "reference" else BYTES_A_CELL)
    tables = any(isinstance(function, Tabulated) for function in instance.ruleset.functions)
    small = instance.moves <= (FEW if tables else SMALL)
    if method == "reference" or (method == "auto" and small):
        return solve_reference(instance, kind)
    if method in ("auto", "sweep"):
        from grundylab.solving.sweeps import NoSweep, solve_sweep

        try:
            return solve_sweep(instance, kind)
        except NoSweep:
            if method == "sweep":
                raise
    from grundylab.solving.environment import needs_more_than_machine, written_in
    from grundylab.solving.kernels import solve_kernel  # numba takes a second to import

    if method == "auto" and tables:
        return solve_reference(instance, kind)  # a kernel would be compiled for this game alone
    written = written_in(instance)
    too_wide = needs_more_than_machine(instance, written)
    if too_wide is None:
        return solve_kernel(instance, kind, written)
    if method == "kernel" or instance.cells > _REFERENCE_LIMIT:
        raise InstanceError(f"{instance}: '{too_wide}' may need more than 64 bits; choose smaller bounds")
    return solve_reference(instance, kind)


def check_memory(instance: Instance, bytes_a_cell: int = BYTES_A_CELL) -> None:
    """Raise InstanceError if the table would not fit the memory that is free."""
    check_bytes(instance, instance.cells * bytes_a_cell)


def check_bytes(instance: Instance, needed: int) -> None:
    """Raise InstanceError if so many bytes are not free."""
    free = free_memory()
    if needed > free:
        raise InstanceError(
            f"{instance}: {instance.cells:,} cells would need {_size(needed)} of memory, and {_size(free)} are free; "
            f"choose smaller bounds"
        )


def free_memory() -> int:
    """Bytes that can be allocated: of the machine, of the container or job, and of this process's limit.

    2**62 where nothing tells.
    """
    known = [2**62]
    if (text := _read("/proc/meminfo")) and (found := re.search(r"^MemAvailable:\s+(\d+) kB", text, re.M)):
        known.append(int(found[1]) * 1024)
    if (limit := _read("/sys/fs/cgroup/memory.max")) and limit.strip().isdecimal():
        used = _read("/sys/fs/cgroup/memory.current") or "0"
        known.append(max(0, int(limit) - int(used)))
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        known.append(soft)
    return min(known)


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="ascii")
    except OSError:
        return None


def _size(count: int) -> str:
    for unit, scale in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20)):
        if count >= scale:
            return f"{count / scale:,.1f} {unit}"
    return f"{count:,} bytes"


__all__ = [
    "NO_POSITION",
    "Slab",
    "Table",
    "check_bytes",
    "check_memory",
    "is_p_position",
    "mex",
    "solve",
    "solve_reference",
]
