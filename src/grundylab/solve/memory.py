"""Estimates of the memory that solving takes, made before anything is allocated, and of the memory that is free."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterable
from pathlib import Path

from grundylab.errors import InstanceError, NoSweep
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.solve.sweeps import Sweep, sweep_for
from grundylab.solve.sweeps.piles import PileSweep

# Bytes that solving allocates for a cell: its value (4); and where positions are sorted by measure, the measure (8),
# the order (8), and working memory of the sort (8).
BYTES_A_CELL = 4 + 8 + 8 + 8
REFERENCE_BYTES_A_CELL = 300
PROGRAM = 384 * 2**20  # Python, its libraries, compiled code, and a slab of a dataset
_WORKFLOW = 512 * 2**20  # the workflow's own processes in a cluster job
_BYTES_SWEPT = (
    12  # a cell's value, and its copies while a layer is put in its place or the table is transposed
)
_BYTES_A_LINE = 4 * 6  # for each line: its P-position, the places that moves lead to, and a copy of both
_BYTES_A_NUMBER = 8 * 3  # for each P-position, when those of all layers are concatenated and sorted
_AT_MOST = 64  # bytes a cell; no method takes more, as a rule
_LONGEST = 2**20  # values of a coordinate; with more, even the choice of a sweep takes much memory
_SHARE = 3 / 4  # of the machine's memory, which may be used if it is unknown how much is free


def table_bytes(instance: Instance, kind: Values) -> int:
    """Return the bytes that solving a table takes, without ``PROGRAM``, by the method that ``solve`` chooses."""
    match sweep := _sweep(instance, kind):
        case PileSweep(by_lines=True):
            return instance.cells * _BYTES_SWEPT + sweep.lines * _BYTES_A_LINE
    return instance.cells * BYTES_A_CELL


def job_mebibytes(instances: Iterable[Instance], kind: Values) -> int:
    """Return the memory in MiB that a cluster job needs to solve these instances, the workflow's processes included.

    This is an estimate for planning; nothing is refused because of it.
    """
    return -(-(PROGRAM + _WORKFLOW + sum(table_bytes(instance, kind) for instance in instances)) // 2**20)


def p_position_bytes(instance: Instance) -> int:
    """Return the bytes that solving for P-positions alone takes, without ``PROGRAM``.

    A sweep that finds the one P-position of each line needs memory for the lines only; any other method needs a table.
    """
    match sweep := _sweep(instance, "outcome"):
        case PileSweep(by_lines=True) if sweep.lines * sweep.sizes[-1] == instance.cells:
            return sweep.lines * (_BYTES_A_LINE + _BYTES_A_NUMBER)
    return table_bytes(instance, "outcome")


def _sweep(instance: Instance, kind: Values) -> Sweep | None:
    try:
        return sweep_for(instance, kind) if max(instance.shape) <= _LONGEST else None
    except NoSweep:
        return None


def check_memory(instance: Instance, bytes_a_cell: int = BYTES_A_CELL) -> None:
    """Raise InstanceError if a table with so many bytes for each cell does not fit the free memory."""
    check_bytes(instance, instance.cells * bytes_a_cell)


def check_table(instance: Instance, kind: Values) -> None:
    """Raise InstanceError if solving the table takes more memory than is free."""
    if instance.cells * _AT_MOST > free_memory():  # otherwise the table fits with any method
        check_bytes(instance, table_bytes(instance, kind))


def check_bytes(instance: Instance, needed: int, limit: int | None = None, advice: str = "") -> None:
    """Raise InstanceError if fewer bytes than ``needed`` are free, or if the process would exceed the limit.

    limit: bytes for the whole process, which takes ``PROGRAM`` besides. advice: a remedy added to "choose smaller
    bounds".
    """
    free = free_memory()
    cells = f"{instance}: {instance.cells:,} cells would need"
    if limit is not None and needed + PROGRAM > limit:
        raise InstanceError(
            f"{cells} {size_text(needed + PROGRAM)} of memory, but the limit is {size_text(limit)}; "
            f"choose smaller bounds{advice}"
        )
    if needed > free:
        raise InstanceError(
            f"{cells} {size_text(needed)} of memory, and {size_text(free)} are free; choose smaller bounds{advice}"
        )


def free_memory() -> int:
    """Return the bytes that can be allocated: the least of what machine, container or job, and process limit allow.

    If the machine does not report what is free, a share of its memory counts; if it does not report that either, 2**62.
    """
    limits = [2**62]
    if (text := _text_of("/proc/meminfo")) and (free := re.search(r"^MemAvailable:\s+(\d+) kB", text, re.M)):
        limits.append(int(free[1]) * 1024)
    elif {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= set(os.sysconf_names):
        limits.append(int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * _SHARE))
    if (limit := _text_of("/sys/fs/cgroup/memory.max")) and limit.strip().isdecimal():
        used = _text_of("/sys/fs/cgroup/memory.current") or "0"
        limits.append(max(0, int(limit) - int(used)))
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        limits.append(soft)
    return min(limits)


def _text_of(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="ascii")
    except OSError:
        return None


_UNITS = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))


def parse_size(text: str) -> int:
    """Parse ``4GiB``, ``500 MiB`` or a number of bytes. Raises ValueError for other text, or for less than one byte."""
    parts = re.fullmatch(r"(\d{1,20}(?:\.\d{1,20})?)\s*(TiB|GiB|MiB|KiB|B)?", text.strip())
    size = int(float(parts[1]) * dict(_UNITS).get(parts[2], 1)) if parts else 0
    if size < 1:
        raise ValueError(text)
    return size


def size_text(count: int) -> str:
    """Return a number of bytes as text, such as ``1.5 GiB``."""
    for unit, scale in _UNITS[:-1]:
        if count >= scale:
            return f"{count / scale:,.1f} {unit}"
    return f"{count:,} bytes"
