"""Sizes of expensive tests: few examples in ``make test`` and ``make test-long``, more in ``make test-night``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest
from hypothesis import settings

_USUAL = 40  # examples of the profile that ``make test`` has
_MORE = 40  # times as many in a longer one


def night() -> bool:
    """Tell whether the profile of ``make test-night`` is in use."""
    return settings.default is not None and settings.default.max_examples > _USUAL


def examples(count: int, at_length: int | None = None) -> settings:
    """Return settings with ``count`` examples; a longer profile has ``at_length`` of them, or forty times as many."""
    return settings(max_examples=(at_length or count * _MORE) if night() else count)


def thinned(
    cases: Iterable[Any],
    step: int,
    always: Callable[[Any], bool] = lambda _: False,
    slow: Collection[Any] = (),
) -> list[Any]:
    """Return parameters of a test: every step-th case is always tried, and so are those for which ``always`` is true.

    The others, and the cases in ``slow``, are marked as long, and only ``make test-long`` tries them.
    """

    def tried(number: int, case: Any) -> bool:
        return case not in slow and (number % step == 0 or always(case))

    return [
        pytest.param(*case, marks=[] if tried(number, case) else [pytest.mark.long])
        for number, case in enumerate(cases)
    ]
