"""The stage ``solve``, in a module with few imports: a third of all jobs are of this stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.errors import ConfigError, Place
from grundylab.games import load_ruleset, make_instance
from grundylab.pipeline.script_log import EDITED, log_line
from grundylab.progress import progress
from grundylab.solve import solve
from grundylab.solve.dataset import dataset_name, write_dataset


def solve_stage(study: Mapping[str, Any], instances: Sequence[Mapping[str, Any]], datasets: str) -> None:
    """Write the datasets of the instances into the folder ``datasets``.

    study: a mapping with the ruleset's name or path (``ruleset``), its hash (``hash``), and what to compute
    (``values``). Raises ConfigError if the ruleset was edited since the run began.
    """
    ruleset = load_ruleset(study["ruleset"])
    if ruleset.hash != study["hash"]:
        raise ConfigError(EDITED, Place(study["ruleset"]))
    asked = [make_instance(ruleset, **sizes) for sizes in instances]
    with progress("solving", sum(instance.cells for instance in asked)) as done:
        for instance in asked:
            table = solve(instance, study["values"])
            write_dataset(table, Path(datasets) / dataset_name(instance))
            done(instance.cells)
            log_line(f"{instance}: {table.positions:,} positions, {table.kind}")
