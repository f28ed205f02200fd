"""One module a command: ``run(options)`` does the work and returns what to print."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grundylab.games.combinations import instances, parse_sweep
from grundylab.games.instance import Instance
from grundylab.games.model import Ruleset

if TYPE_CHECKING:
    from grundylab.catalogue.files import Catalogue


@dataclass(frozen=True)
class Result:
    """status and record: the JSON object; text: the same for people."""

    status: str
    text: str
    record: Mapping[str, Any] = field(default_factory=dict)
    exit_status: int = 0


def catalogue_in(results: str) -> Catalogue:
    """The catalogue of a folder of results; ConfigError if there is none yet, or it is none of this version."""
    from grundylab.catalogue.files import (
        read_catalogue,  # which commands without a catalogue need not wait for
    )

    return read_catalogue(Path(results) / "catalogue.json")


def asked_instances(ruleset: Ruleset, options: argparse.Namespace) -> list[Instance]:
    """The instances that ``--param`` and ``--bound`` name."""
    return instances(ruleset, parse_sweep(options.param, "--param"), parse_sweep(options.bound, "--bound"))
