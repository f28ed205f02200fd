"""How many random examples a test that costs much looks at: few in ``make test``, more in ``make test-long``."""

from __future__ import annotations

from hypothesis import settings

_USUAL = 250  # examples of the profile that ``make test`` has


def examples(count: int) -> settings:
    """So many of ``make test``, and more in proportion of a longer profile."""
    return settings(max_examples=max(1, count * settings.default.max_examples // _USUAL))
