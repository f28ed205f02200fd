"""One module a command: ``run(options)`` does the work and returns what to print."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grundylab.catalogue.shape import shape_fault
from grundylab.errors import ConfigError, Place
from grundylab.files import AGAIN, read_record
from grundylab.games.combinations import instances, parse_sweep
from grundylab.games.instance import Instance
from grundylab.games.model import Ruleset


@dataclass(frozen=True)
class Result:
    """status and record: the JSON object; text: the same for people."""

    status: str
    text: str
    record: Mapping[str, Any] = field(default_factory=dict)
    exit_status: int = 0


def catalogue_of(results: str) -> Path:
    """The catalogue of a folder of results; ConfigError if there is none yet."""
    path = Path(results) / "catalogue.json"
    if not path.is_file():
        raise ConfigError("there is no catalogue yet; 'make run' makes it", Place(str(path)))
    return path


@contextmanager
def understood(path: Path) -> Iterator[None]:
    """While the catalogue of a folder or file is used: one of another shape is a ConfigError, any other fault a bug."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError) as problem:
        file = path / "catalogue.json" if path.is_dir() else path
        wrong = shape_fault(read_record(file, ConfigError)) if file.is_file() else None
        if wrong is None:
            raise
        raise ConfigError(
            f"not a catalogue of this version ({wrong}); {AGAIN}", Place(str(path))
        ) from problem


def asked_instances(ruleset: Ruleset, options: argparse.Namespace) -> list[Instance]:
    """The instances that ``--param`` and ``--bound`` name."""
    return instances(ruleset, parse_sweep(options.param, "--param"), parse_sweep(options.bound, "--bound"))
