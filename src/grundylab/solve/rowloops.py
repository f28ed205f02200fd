"""The loops along a row of numbers, as machine code."""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

_NONE = -1  # no number of the second axis, as in ``solve_several``


@nb.njit(cache=True, nogil=True)
def fill_row(table: Any, place: int, always: Any, more: Any) -> None:  # noqa: ANN401 - arrays
    """Fill in a row: at each place the least number that is not in the row yet, nor at that place of others.

    always: the places of those in the table; more: the other rows themselves, (rows, length).
    """
    length = table.shape[1]
    size = length + len(table) + 1  # a number exceeds its place by no more than the number of layers
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
    """Return the longest border of a prefix of the text that has at least half the prefix's length, and that length.

    Of equal ones the first, whose period is the smallest. (0, 0) if there is none.
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
