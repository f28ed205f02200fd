"""One module a command: ``run(options)`` does the work and returns what to print."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grundylab.errors import ConfigError, Place
from grundylab.files import AGAIN
from grundylab.rulesets.instance import Instance
from grundylab.rulesets.model import Ruleset
from grundylab.study import instances, parse_sweep


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
    """While a catalogue is used: one of another version, in which something is missing, is a ConfigError."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError) as problem:
        what = f"not a catalogue of this version ({type(problem).__name__}: {problem}); {AGAIN}"
        raise ConfigError(what, Place(str(path))) from problem


def asked_instances(ruleset: Ruleset, options: argparse.Namespace) -> list[Instance]:
    """The instances that ``--param`` and ``--bound`` name."""
    return instances(ruleset, parse_sweep(options.param, "--param"), parse_sweep(options.bound, "--bound"))
