"""The files that one stage writes and another reads, and the stages' logs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grundylab.errors import ConfigError
from grundylab.files import read_record, write_json
from grundylab.pipeline.study import Study


def say(text: str) -> None:
    """A line in the stage's log."""
    print(text, file=sys.stderr)


def read_stage(file: str) -> dict[str, Any]:
    """Another stage's record. Raises ConfigError if it is damaged."""
    return read_record(Path(file), ConfigError)


def write_stage(file: str, study: Study, data: Mapping[str, Any]) -> None:
    """Write the record of a study."""
    write_json(Path(file), {"study": study.name, **data})
