"""How much a test that costs much looks at: few examples and cases in ``make test``, more in ``make test-long``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import settings

_USUAL = 40  # examples of the profile that ``make test`` has
_MORE = 40  # times as many in a longer one


def long() -> bool:
    """Whether a longer profile than that of ``make test`` was asked for."""
    return settings.default is not None and settings.default.max_examples > _USUAL


def examples(count: int, at_length: int | None = None) -> settings:
    """So many of ``make test``, and forty times as many, or ``at_length``, of a longer profile."""
    return settings(max_examples=(at_length or count * _MORE) if long() else count)


def thinned(cases: Iterable[Any], step: int, always: Callable[[Any], bool] = lambda _: False) -> list[Any]:
    """Parameters of a test: of the cases, which are tuples, each step-th one and those that are always tried.

    The others are tried by ``make test-long``.
    """
    return [
        pytest.param(*case, marks=[] if number % step == 0 or always(case) else [pytest.mark.long])
        for number, case in enumerate(cases)
    ]
