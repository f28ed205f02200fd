"""Files between the workflow's stages: the records that one writes and another reads, and the tables of a split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from grundylab.catalogue.catalogue import record_from_json
from grundylab.errors import ConfigError
from grundylab.files import read_record, write_json
from grundylab.games import Instance
from grundylab.pipeline.outside_tables import read_tables
from grundylab.pipeline.study import Study
from grundylab.solve.dataset import dataset_name, read_dataset
from grundylab.solve.table import Table

_T = TypeVar("_T")


def read_stage(kind: type[_T], file: str, part: str | None = None) -> _T:
    """Return another stage's record, or a part of it. Raises ConfigError if it is damaged."""
    record = read_record(Path(file), ConfigError)
    return record_from_json(kind, record if part is None else record.get(part), file)


def write_stage(file: str, study: Study, data: Mapping[str, Any]) -> None:
    """Write the record of a study."""
    write_json(Path(file), {"study": study.name, **data})


def read_split(study: Study, instances: Sequence[Instance], files: Sequence[str]) -> list[Table]:
    """Return the tables of a split: the datasets in its folder, or tables made elsewhere."""
    if study.given is not None:
        return list(read_tables(study.ruleset, files, study.values)) if files else []
    return [
        read_dataset(Path(folder) / dataset_name(instance), instance, study.values)
        for folder in files
        for instance in instances
    ]
