"""The stage ``catalogue``: puts the verdicts and proofs of all studies into one catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from grundylab.errors import ConfigError, Place
from grundylab.findings.attempts import with_coq_answer
from grundylab.findings.catalogue import catalogue_of, record_from_json, write_catalogue
from grundylab.findings.proof_records import verdicts_with_proofs
from grundylab.findings.records import (
    CoqAnswers,
    Proofs,
    RowDetails,
    StudyRecord,
    Verdicts,
)
from grundylab.logic.coqc import CoqAnswer
from grundylab.pipeline.stage_files import read_stage

_T = TypeVar("_T")


def catalogue_stage(
    asked: Mapping[str, Mapping[str, Any]],
    verdicts: Sequence[str],
    proofs: Sequence[str],
    folder: str,
    rows: Sequence[str] = (),
    coq: Sequence[str] = (),
) -> None:
    """Write the catalogue of these studies to the folder.

    asked: for each study, its settings (``about``) and the reason why no formula was known (``open``). verdicts,
    proofs: one file for each study, in the same order. rows, coq: one file for each study that has rows, or whose
    proofs Coq has checked.
    """
    checked = {read_stage(str, file, "study"): file for file in coq}
    studies = []
    for file, beside in zip(verdicts, proofs, strict=True):
        name, proved = read_stage(str, file, "study"), read_stage(Proofs, beside)
        about = {**asked[name]["about"], "study": name, "open": asked[name]["open"]}
        about["made"] = read_stage(dict[str, Any], file, "made")
        tried = proved.proofs
        if name in checked:
            answers = read_stage(CoqAnswers, checked[name]).proofs
            tried = tuple(with_coq_answer(*each) for each in _pairs(tried, answers, checked[name]))
        known = verdicts_with_proofs(read_stage(Verdicts, file), tried, proved.comparisons)
        studies.append((record_from_json(StudyRecord, about, file), known))
    periods = []
    for file in rows:
        name, found = read_stage(str, file, "study"), read_stage(tuple[RowDetails, ...], file, "rows")
        if name in checked:
            pairs = _pairs(found, read_stage(CoqAnswers, checked[name]).rows, checked[name])
            found = tuple(replace(row, machine_checked=answer) for row, answer in pairs)
        periods += [replace(row, study=name, open=asked[name]["open"]) for row in found]
    write_catalogue(catalogue_of(studies, periods), Path(folder))


def _pairs(
    records: Sequence[_T], answers: Sequence[CoqAnswer | None], file: str
) -> list[tuple[_T, CoqAnswer | None]]:
    """Return pairs of a proof or row and Coq's answer about it. Raises ConfigError if their numbers differ."""
    if len(answers) != len(records):
        raise ConfigError("these answers are about other proofs; run again", Place(file))
    return list(zip(records, answers, strict=True))
