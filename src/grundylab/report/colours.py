"""The colours of values: one scale for the page, files and terminals.

P-positions are white, as the papers draw them. Other Grundy numbers are taken from the colour map viridis, which runs
evenly from dark to light for all kinds of colour vision (Nuñez, Anderton & Renslow, *PLoS ONE* 13 (2018)).
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

_Numbers = TypeVar("_Numbers", int, npt.NDArray[np.int64])
P_POSITION, N_POSITION, HEADER = "#ffffff", "#b3b3b3", "#e6e6e6"  # grey levels 1, 0.7 and 0.9

SCALE = (
    "#440154", "#471164", "#482071", "#472e7c", "#443b84", "#3f4889", "#3a548c", "#34608d",
    "#2f6c8e", "#2a768e", "#26818e", "#228b8d", "#1f958b", "#1fa088", "#24aa83", "#2fb47c",
    "#42be71", "#58c765", "#70cf57", "#8bd646", "#a8db34", "#c5e021", "#e2e418", "#fde725",
)  # fmt: skip


def top_of(largest: int) -> int:
    """The end of the scale for values up to ``largest``: a power of two less one, so that it seldom changes."""
    return max((1 << int(largest).bit_length()) - 1, 1)


def shade(value: _Numbers, top: int) -> _Numbers:
    """The place in SCALE of a Grundy number from 1 to top, or of many; of what is less it is negative."""
    return (value - 1) * (len(SCALE) - 1) // max(top - 1, 1)


def colour(value: int, top: int) -> str:
    """The colour of a Grundy number."""
    return P_POSITION if value == 0 else SCALE[shade(value, top)]


def is_dark(hexadecimal: str) -> bool:
    """Whether white letters are easier to read on it than black ones (WCAG's relative luminance)."""
    channels = [int(hexadecimal[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] < 0.179
