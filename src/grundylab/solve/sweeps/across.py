"""Lines along the last pile, numbered by the sizes of the others, for compiled code."""

from __future__ import annotations

from typing import Any

import numba as nb


@nb.njit(cache=True, nogil=True)
def decode(line: int, sizes: Any, place: Any) -> None:  # noqa: ANN401 - arrays
    """Fill in ``place``, the sizes of all piles but the last on this line."""
    for pile in range(len(sizes) - 2, -1, -1):
        place[pile] = line % sizes[pile]
        line //= sizes[pile]


@nb.njit(cache=True, nogil=True)
def without(place: Any, sizes: Any, pile: int) -> int:  # noqa: ANN401 - arrays
    """The number of the line across with one of the piles (and the last) left out."""
    number = 0
    for other in range(len(sizes) - 1):
        if other != pile:
            number = number * sizes[other] + place[other]
    return number
