"""Sums of piles: the target as the nim-sum, or the sum, of a function of each coordinate.

Of a number the functions are seen where all other coordinates have their least value. Of a condition that a nim-sum
is 0 they are seen as far as it tells: two piles with equal values are a P-position, and so are three of which one has
the nim-sum of the others (Sprague 1935, Grundy 1939).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array
from grundylab.discover.sampling import settings

CELLS = 1 << 22  # of a table of three piles

UNKNOWN = -1


@dataclass(frozen=True)
class Piles:
    """The target is the parts' values joined by the operator, ``^`` or ``+``; of a condition, their nim-sum is 0."""

    operator: str
    parts: tuple[Samples, ...]


def piles(samples: Samples) -> Iterator[Piles]:
    """All ways to see it so."""
    names = [name for name in samples.coordinates if name in samples.variables]
    if len(names) < 2 or min(int(samples.columns[name].min()) for name in names) < 0:
        return
    setting = settings(samples)
    if samples.values.dtype == bool:
        tables = _labels(samples, names, setting)
        if (
            tables is not None
            and (_joined(samples, tables, setting, "^") == 0).tolist() == samples.values.tolist()
        ):
            yield Piles("^", tuple(_part(samples, name, table, setting) for name, table in tables.items()))
        return
    for operator in "^+":
        tables = _alone(samples, names, setting, operator)
        if tables is not None and np.array_equal(_joined(samples, tables, setting, operator), samples.values):
            yield Piles(
                operator, tuple(_part(samples, name, table, setting) for name, table in tables.items())
            )


Tables = dict[str, Array]  # of each name int64 (settings, values of the coordinate)


def _joined(samples: Samples, tables: Tables, setting: Array, operator: str) -> Array:
    values = [table[setting, samples.columns[name]] for name, table in tables.items()]
    return np.asarray(reduce(np.bitwise_xor if operator == "^" else np.add, values))


def _part(samples: Samples, name: str, table: Array, setting: Array) -> Samples:
    """The function of one coordinate, at each value that occurs with each setting."""
    column = samples.columns[name]
    rows = np.unique(setting * (int(column.max()) + 1) + column, return_index=True)[1]
    columns = {each: samples.columns[each][rows] for each in (name, *samples.parameters)}
    return Samples(
        tuple(columns), columns, table[setting[rows], column[rows]], samples.parameters, samples.functions
    )


def _alone(samples: Samples, names: list[str], setting: Array, operator: str) -> Tables | None:
    """The target with all other coordinates at their least; what it is with all at theirs, counts in the first only."""
    least = {name: samples.columns[name] == samples.columns[name].min() for name in names}
    corner = np.logical_and.reduce(list(least.values()))
    base = np.full(int(setting.max()) + 1, np.iinfo(np.int64).min)
    base[setting[corner]] = samples.values[corner]
    if (base == np.iinfo(np.int64).min).any():
        return None
    tables: Tables = {}
    for name in names:
        alone = np.logical_and.reduce([least[other] for other in names if other != name])
        values = samples.values[alone]
        if tables:
            shift = base[setting[alone]]
            values = values ^ shift if operator == "^" else values - shift
        table = np.zeros((len(base), int(samples.columns[name].max()) + 1), dtype=np.int64)
        table[setting[alone], samples.columns[name][alone]] = values
        tables[name] = table
    return tables


def _labels(samples: Samples, names: list[str], setting: Array) -> Tables | None:
    """Of piles that may be exchanged: numbers for their values, the least that fit, if 0 is among them."""
    width = max(int(samples.columns[name].max()) for name in names) + 1
    count, three = int(setting.max()) + 1, names[:3]
    if count * width ** len(three) > CELLS or any(samples.columns[name].min() for name in names):
        return None
    others = [samples.columns[name] == 0 for name in names[3:]]
    rows = np.flatnonzero(np.logical_and.reduce([np.ones(len(samples), dtype=bool), *others]))
    holds = np.full((count,) + (width,) * len(three), UNKNOWN, dtype=np.int8)
    holds[(setting[rows], *(samples.columns[name][rows] for name in three))] = samples.values[rows]
    if len(three) == 2:
        holds = holds[..., None]
    if (holds[:, 0, 0, 0] != 1).any():
        return None
    table = np.stack([_numbered(each) for each in holds])
    return dict.fromkeys(names, table)


def _numbered(holds: Array) -> Array:
    """Numbers for the values of the pile's sizes. holds: int8 (sizes, sizes, sizes), or (sizes, sizes, 1)."""
    numbers = np.zeros(len(holds), dtype=np.int64)
    different: list[int] = []  # the first of each value
    for size in range(len(holds)):
        same = [n for n in different if holds[size, n, 0] == 1]
        if same:
            numbers[size] = numbers[same[0]]
            continue
        if different:
            numbers[size] = _sum_of_two(holds, size, different, numbers)
        different.append(size)
    return numbers


def _sum_of_two(holds: Array, size: int, different: list[int], numbers: Array) -> int:
    """The nim-sum of two earlier values, if the size has it; else the least number that is none of those."""
    if holds.shape[2] == 1:
        return len(different)
    among = np.array(different)
    one, other = np.nonzero(holds[size][np.ix_(among, among)] == 1)
    if len(one):
        return int(numbers[among[one[0]]] ^ numbers[among[other[0]]])
    return 1 << int(numbers[among].max()).bit_length()
