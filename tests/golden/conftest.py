"""Golden files: what grundylab writes, as a person reads it, one file for each output.

``pytest tests/golden --snapshot-update`` renews all of them; the difference is read in review.
"""

import re

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from tests.report.project import shared_project

from grundylab.version import __version__


class Text(SingleFileSnapshotExtension):
    """A golden file: plain text, with the name of its test."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


@pytest.fixture
def golden(snapshot):
    """Return the golden file of this test."""
    return snapshot.use_extension(Text)


@pytest.fixture(scope="session")
def project(tmp_path_factory):
    """Return the folder of a project that was run: theorems, candidates, refuted claims, rows, hostile texts, a paper."""
    return shared_project(tmp_path_factory.getbasetemp())


def stable(text: str) -> str:
    """Return the text without what differs between versions of grundylab and between machines."""
    text = text.replace(f"grundylab {__version__}", "grundylab VERSION").replace(
        f'"{__version__}"', '"VERSION"'
    )
    text = re.sub(r"python 3[\d.]+(, [\w-]+ [\w.-]+)+", "python …", text)
    text = re.sub(r"checked on tables with N=\d+", "checked on tables with N=…", text)
    text = re.sub(r"[\d.]+( s in all| core-seconds)|(?<=checked in )[\d.]+( s)", r"…\1\2", text)
    return re.sub(r'("(?:seconds|core_seconds)": )[\d.e-]+', r"\1…", text)
