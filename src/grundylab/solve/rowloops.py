"""Compiled loops along the row of a layer, and along a sequence whose period is sought."""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

_NONE = -1  # in place of a number of the second axis, as in ``row_solver``


@nb.njit(cache=True, nogil=True)
def fill_row(table: Any, place: int, always: Any, more: Any) -> None:  # noqa: ANN401 - arrays
    """Fill in the row ``table[place]`` from other rows, which are known.

    Its number at the index m is the least that it has at no smaller index and that none of the other rows has at m.
    The other rows are ``table[i]`` for i in ``always``, and those of ``more``, int32 (rows, length); a -1 in ``more``
    excludes no number.
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
    """Return (border, length): the longest border that is at least half as long as its prefix, and the prefix's length.

    A border of a prefix of ``text`` is a shorter sequence that both begins and ends the prefix. Of several prefixes
    with a border of this length, the shortest is taken: its period is the smallest. Return (0, 0) if there is none.
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
