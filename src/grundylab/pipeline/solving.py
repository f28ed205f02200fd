"""The solve stage: instances of a study to datasets; and these read by the stages that follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.errors import ConfigError, Place
from grundylab.games import Instance, load_ruleset, make_instance
from grundylab.pipeline.stagefiles import say
from grundylab.pipeline.study import EDITED, Study
from grundylab.solve import solve
from grundylab.solve.dataset import read_dataset, write_dataset
from grundylab.solve.table import Table


def solve_stage(asked: Mapping[str, Any], outputs: Sequence[str]) -> None:
    """The instances' datasets, one file each in the same order."""
    ruleset = load_ruleset(asked["ruleset"])
    if ruleset.hash != asked["hash"]:
        raise ConfigError(EDITED, Place(asked["ruleset"]))
    for sizes, output in zip(asked["instances"], outputs, strict=True):
        table = solve(make_instance(ruleset, **sizes), asked["values"])
        write_dataset(table, Path(output))
        say(f"{table.instance}: {table.positions:,} positions, {table.kind}")


def load_tables(study: Study, asked: Sequence[Instance], files: Sequence[str]) -> list[Table]:
    """The instances' tables, one file each in the same order. Raises DatasetError for one that is damaged."""
    return [
        read_dataset(Path(file), instance, study.values) for instance, file in zip(asked, files, strict=True)
    ]
