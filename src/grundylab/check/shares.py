"""Formatting of shares as percentages."""

from __future__ import annotations

import math


def percent(share: float) -> str:
    """Return ``97.5 %`` for a share from 0 to 1, rounded down: a share below 1 is never 100 %."""
    return f"{math.floor(share * 10_000) / 100:g} %"
