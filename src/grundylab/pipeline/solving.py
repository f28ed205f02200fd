"""The first stage, by itself: of what the others import it needs little, and it is a quarter of all jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.errors import ConfigError, Place
from grundylab.games import load_ruleset, make_instance
from grundylab.pipeline.job import say
from grundylab.pipeline.study import EDITED
from grundylab.solve import solve
from grundylab.solve.dataset import write_dataset


def solve_stage(asked: Mapping[str, Any], outputs: Sequence[str]) -> None:
    """The instances' datasets, one file each in the same order."""
    ruleset = load_ruleset(asked["ruleset"])
    if ruleset.hash != asked["hash"]:
        raise ConfigError(EDITED, Place(asked["ruleset"]))
    for sizes, output in zip(asked["instances"], outputs, strict=True):
        table = solve(make_instance(ruleset, **sizes), asked["values"])
        write_dataset(table, Path(output))
        say(f"{table.instance}: {table.positions:,} positions, {table.kind}")
