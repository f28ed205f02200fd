"""Choice of a few training positions for an engine, spread over the parameter settings, with many near misses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.fingerprints import scattered
from grundylab.numeric import Array


def draw_rows(samples: Samples, size: int, draw: int = 0) -> Array:
    """Return, sorted, the row numbers of about ``size`` positions, or of all positions if there are no more.

    draw: the number of the draw; each draws other positions.

    Every parameter setting has an equal share. One sixth are the smallest positions. For a condition, about two fifths
    are positions where it holds, and up to one fifth are near misses: positions where it fails, but that differ only by
    1 in one coordinate from a position where it holds.
    """
    if len(samples) <= size:
        return np.arange(len(samples))
    groups = setting_numbers(samples)
    everywhere = np.ones(len(samples), dtype=bool)
    parts = [_smallest(samples, everywhere, groups, size // 6)]
    if samples.values.dtype == bool:
        holds = samples.values
        table = np.stack([samples.columns[name] for name in samples.names], axis=1)
        table = table - table.min(axis=0) + 1
        radix = table.max(axis=0) + 2
        weights = np.concatenate([np.cumprod(radix[::-1])[-2::-1], [1]]).astype(np.int64)
        keys = table @ weights  # a neighbour's key differs by the weight of the coordinate
        steps = [
            sign * weights[samples.names.index(name)] for name in samples.coordinates for sign in (-1, 1)
        ]
        near = np.isin(keys, np.concatenate([keys[holds] + step for step in steps]))
        parts.append(_spread(holds, groups, size * 2 // 5, draw))
        parts.append(_spread(~holds & near, groups, size // 5, draw))
        parts.append(_spread(~holds, groups, size // 4, draw))
    else:
        parts.append(_spread(everywhere, groups, size * 5 // 6, draw))
    return np.unique(np.concatenate(parts))


def with_counterexamples(rows: Array, wrong: Array, samples: Samples, count: int) -> Array:
    """Return the sorted row numbers with about ``count`` further ones, of positions in the mask ``wrong``.

    About half of these are the smallest positions in the mask. If it has at most ``count`` others, all are added.
    """
    wrong = wrong.copy()
    wrong[rows] = False
    if np.count_nonzero(wrong) <= count:
        return np.union1d(rows, np.flatnonzero(wrong))
    groups = setting_numbers(samples)
    small = _smallest(samples, wrong, groups, max(count // 2, 1))
    return np.union1d(rows, np.concatenate([small, _spread(wrong, groups, count - count // 2)]))


def setting_numbers(samples: Samples, names: Sequence[str] | None = None) -> Array:
    """Return for each position the number of its setting: its values of these names, by default of the parameters.

    Settings are numbered from 0, in lexicographic order.
    """
    number = np.zeros(len(samples), dtype=np.int64)
    for name in samples.parameters if names is None else names:
        values, number_of = np.unique(samples.columns[name], return_inverse=True)
        number = np.unique(number * len(values) + number_of.reshape(-1), return_inverse=True)[1].reshape(-1)
    return number


def _smallest(samples: Samples, mask: Array, groups: Array, count: int) -> Array:
    """Return about ``count`` rows of the mask: in every parameter setting those with the smallest coordinate sums."""
    rows = np.flatnonzero(mask)
    measure = sum(
        (samples.columns[name][rows] for name in samples.coordinates), np.zeros(len(rows), np.int64)
    )
    return _first_of_groups(rows[np.argsort(measure, kind="stable")], groups, count)


def _spread(mask: Array, groups: Array, count: int, draw: int = 0) -> Array:
    """Return about ``count`` rows of the mask, drawn pseudorandomly, equally many of every parameter setting."""
    return _first_of_groups(scattered(np.flatnonzero(mask), draw), groups, count)


def _first_of_groups(rows: Array, groups: Array, count: int) -> Array:
    """Return about ``count`` of these rows: the first ones of each group, equally many of every group."""
    number = int(groups.max()) + 1
    share = max(count // number, 1)
    return np.concatenate([rows[groups[rows] == group][:share] for group in range(number)])
