"""The tiers of the tests: the slowest cases, as measured, are left to ``make test-long``.

    python -m pytest -p tests.tiers -m "not night"

runs every case but those of the night, and writes the slowest ones into ``tests/slow.txt`` (`make tiers`). They are the
slowest cases such that the others take SECONDS in all. The quickest case of each test and of each file is never among
them if it takes less than SHORT: nothing is without a representative in ``make test``. A case that is not yet measured
is no slow one.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

SLOW = Path(__file__).parent / "slow.txt"
SECONDS = 220.0  # of all cases of ``make test`` together, on one core
SHORT = 2.0  # seconds of a case that stays if it is the quickest of its test or file
_durations: defaultdict[str, float] = defaultdict(float)


def slow_cases(durations: Mapping[str, float], seconds: float = SECONDS, short: float = SHORT) -> list[str]:
    """Return the slowest cases, sorted by name, such that the others take at most ``seconds`` if that is possible.

    durations: the seconds of each case, by its node id.
    """
    kept = {name for name in _quickest(durations) if durations[name] < short}
    left, slow = sum(durations.values()), list[str]()
    for name in sorted(durations, key=lambda name: -durations[name]):
        if left <= seconds:
            break
        if name not in kept:
            slow.append(name)
            left -= durations[name]
    return sorted(slow)


def _quickest(durations: Mapping[str, float]) -> Iterator[str]:
    """Yield the quickest case of each test and of each file."""
    groups = defaultdict[str, list[str]](list)
    for name in durations:
        groups[name.partition("[")[0]].append(name)
        groups[name.partition("::")[0]].append(name)
    for cases in groups.values():
        yield min(cases, key=lambda name: (durations[name], name))


def read_slow_cases() -> frozenset[str]:
    """Return the node ids in ``tests/slow.txt``, each of which is a line, as JSON."""
    return frozenset(map(json.loads, SLOW.read_text(encoding="utf-8").splitlines()))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add the time of a case, or of its fixtures."""
    _durations[report.nodeid] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the slowest cases, unless this is one of several processes, or the run was ended early."""
    if not hasattr(session.config, "workerinput") and session.exitstatus in (0, 1):
        SLOW.write_text("".join(f"{json.dumps(name)}\n" for name in slow_cases(_durations)), encoding="utf-8")
