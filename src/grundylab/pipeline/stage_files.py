"""Files between the workflow's stages: records that one stage writes and another reads, and tables of a split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from grundylab.errors import ConfigError
from grundylab.files import read_record, write_json
from grundylab.findings.catalogue import record_from_json, record_to_json
from grundylab.findings.results import Results
from grundylab.games import Instance
from grundylab.pipeline.outside_tables import read_tables
from grundylab.pipeline.study import Study
from grundylab.solve.dataset import dataset_name, read_dataset
from grundylab.solve.table import Table

_T = TypeVar("_T")


def read_stage(kind: type[_T], file: str, part: str | None = None) -> _T:
    """Return the record of type ``kind`` that another stage wrote. Raises ConfigError if the file is damaged.

    part: the key of the file under which the record is; None if the record is the whole file.
    """
    record = read_record(Path(file), ConfigError)
    return record_from_json(kind, record if part is None else record.get(part), file)


def write_stage(file: str, study: Study, data: Mapping[str, Any]) -> None:
    """Write a stage's data to ``file`` as JSON, together with the study's name."""
    write_json(Path(file), {"study": study.name, **data})


def write_results(file: str, study: Study, results: Results) -> None:
    """Write a study's results to ``file`` as JSON, with their provenance."""
    write_stage(file, study, {"made": study.made, **record_to_json(results, brief=True)})


def read_split(study: Study, instances: Sequence[Instance], files: Sequence[str]) -> list[Table]:
    """Return the tables of a split.

    files: the folder of the split's datasets or, for a study of tables made elsewhere, the files of these.
    """
    if study.given is not None:
        return list(read_tables(study.ruleset, files, study.values)) if files else []
    return [
        read_dataset(Path(folder) / dataset_name(instance), instance, study.values)
        for folder in files
        for instance in instances
    ]
