"""The slow cases are the slowest ones, and leave something of each test."""

from pathlib import Path

from tests.tiers import read_slow_cases, slow_cases

DURATIONS = {
    "a.py::one[1]": 9.0,
    "a.py::one[2]": 1.0,
    "a.py::two": 5.0,
    "b.py::three": 8.0,
    "c.py::four": 1.5,
}


def test_slow_cases__leave_the_quickest_of_each_test_that_is_short():
    assert slow_cases(DURATIONS, seconds=7, short=2) == ["a.py::one[1]", "a.py::two", "b.py::three"]
    assert slow_cases(DURATIONS, seconds=16, short=2) == ["a.py::one[1]"]
    assert slow_cases(DURATIONS, seconds=0, short=9)[0] == "a.py::one[1]"
    assert slow_cases(DURATIONS, seconds=0, short=9)[1:] == []


def test_slow_cases__are_cases_of_tests_that_are_there():
    """A test with a new name would be a quick one again."""
    for test in {name.partition("[")[0] for name in read_slow_cases()}:
        file, _, function = test.partition("::")
        assert f"def {function}(" in Path(file).read_text(encoding="utf-8"), test
