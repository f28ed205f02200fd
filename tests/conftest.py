"""Hypothesis profiles, the tier of each case, and the order of the test files.

The default profile repeats itself exactly; ``--hypothesis-profile=night`` tries more examples.
"""

import gc

import pytest
from hypothesis import HealthCheck, Phase, settings
from tests.tiers import read_slow_cases

_COMMON = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile("repeatable", max_examples=40, derandomize=True, **_COMMON)
settings.register_profile("night", max_examples=5_000, print_blob=True, **_COMMON)
# For mutants: that a test fails is enough; the smallest example is not looked for.
settings.register_profile(
    "mutants", settings.get_profile("repeatable"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True, scope="session")
def _no_lines_of_progress():
    """Hide progress, which on a busy machine would appear among the one-line errors that tests compare."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grundylab.progress.LONG", 3600.0)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the slowest cases as long, and put workflow runs first: at the end they would leave other workers idle."""
    slow = read_slow_cases()
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: item.path.parent.name not in ("pipeline", "tests"))


# Python looks for garbage less often, and not in what was imported nor while it is imported: that took a tenth of the time.
gc.disable()


def pytest_collection_finish():
    """Look for garbage from now on."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 50)
    gc.enable()
