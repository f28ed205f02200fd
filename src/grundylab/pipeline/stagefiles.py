"""The files that one stage writes and another reads, and the stages' logs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from grundylab.catalogue.files import typed
from grundylab.errors import ConfigError
from grundylab.files import read_record, write_json
from grundylab.pipeline.study import Study


def say(text: str) -> None:
    """A line in the stage's log."""
    print(text, file=sys.stderr)


_T = TypeVar("_T")


def read_stage(kind: type[_T], file: str, part: str | None = None) -> _T:
    """Another stage's record, or a part of it. Raises ConfigError if it is damaged."""
    record = read_record(Path(file), ConfigError)
    return typed(kind, record if part is None else record.get(part), file)


def write_stage(file: str, study: Study, data: Mapping[str, Any]) -> None:
    """Write the record of a study."""
    write_json(Path(file), {"study": study.name, **data})
