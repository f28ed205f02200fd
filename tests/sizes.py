"""How many random examples a test that costs much looks at: few in ``make test``, more in ``make test-long``."""

from __future__ import annotations

from hypothesis import settings

_USUAL = 100  # examples of the profile that ``make test`` has
_MORE = 20  # times as many in a longer one


def examples(count: int) -> settings:
    """So many of ``make test``, and twenty times as many of a longer profile."""
    longer = settings.default is not None and settings.default.max_examples > _USUAL
    return settings(max_examples=count * (_MORE if longer else 1))
