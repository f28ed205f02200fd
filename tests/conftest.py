"""Hypothesis profiles, and the order of the files.

The default profile repeats itself exactly; ``--hypothesis-profile=long`` looks further.
"""

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile("repeatable", max_examples=40, derandomize=True, **_COMMON)
settings.register_profile("long", max_examples=5_000, print_blob=True, **_COMMON)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True, scope="session")
def _no_lines_of_progress():
    """Show no progress on a busy machine, where errors are held to be one line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grundylab.progress.LONG", 3600.0)
        yield


def pytest_collection_modifyitems(items):
    """Whole runs of the workflow and sessions of the documents come first: as the last ones they would leave the other workers idle."""
    items.sort(key=lambda item: item.path.parent.name not in ("pipeline", "tests"))
