"""Compiled loops along the row of a layer, and along a sequence whose period is sought."""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

_NONE = -1  # in place of a number of the second axis, as in ``row_solver``


@nb.njit(cache=True, nogil=True)
def fill_row(table: Any, place: int, always: Any, more: Any) -> None:  # noqa: ANN401 - arrays
    """Fill in the row ``place`` of the table, from other rows that are known.

    At each place m it gets the least number that it does not have yet and that no other row has at m. always: the
    places of other rows in the table. more: int32 (rows, length), further rows, with -1 where they exclude nothing.
    """
    length = table.shape[1]
    size = length + len(table) + 1  # a number exceeds its place by at most the number of layers
    met = np.full(size, _NONE, dtype=np.int32)  # the last place at which each number was in another row
    used = np.zeros(size, dtype=np.bool_)
    low = 0
    for m in range(length):
        for row in always:
            met[table[row, m]] = m
        for row in range(len(more)):
            if more[row, m] != _NONE:
                met[more[row, m]] = m
        while used[low]:
            low += 1
        n = low
        while used[n] or met[n] == m:
            n += 1
        used[n] = True
        table[place, m] = n


@nb.njit(cache=True, nogil=True)
def longest_border(text: Any) -> tuple[int, int]:  # noqa: ANN401 - an int64 array
    """Return (border, length): of all prefixes with a border of at least half their length, the longest border.

    A border of a prefix is a shorter part that both begins and ends it. length: that of the prefix; of several the
    first, whose period is the smallest. (0, 0) if there is none.
    """
    failure = np.zeros(len(text), dtype=np.int64)
    best, best_length, k = 0, 0, 0
    for i in range(1, len(text)):
        while k > 0 and text[i] != text[k]:
            k = failure[k - 1]
        if text[i] == text[k]:
            k += 1
        failure[i] = k
        if k > best and 2 * k >= i + 1:
            best, best_length = k, i + 1
    return best, best_length
