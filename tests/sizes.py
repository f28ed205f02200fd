"""How many random examples a test that costs much looks at: few in ``make test``, more in ``make test-long``."""

from __future__ import annotations

from hypothesis import settings

_USUAL = 40  # examples of the profile that ``make test`` has
_MORE = 40  # times as many in a longer one


def long() -> bool:
    """Whether a longer profile than that of ``make test`` was asked for."""
    return settings.default is not None and settings.default.max_examples > _USUAL


def examples(count: int, at_length: int | None = None) -> settings:
    """So many of ``make test``, and forty times as many, or ``at_length``, of a longer profile."""
    return settings(max_examples=(at_length or count * _MORE) if long() else count)
