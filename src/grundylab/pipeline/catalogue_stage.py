"""The stage ``catalogue``: puts the results of all studies into one catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grundylab.findings.catalogue import catalogue_of, record_from_json, write_catalogue
from grundylab.findings.results import Results, StudyRecord
from grundylab.findings.rows import Row
from grundylab.pipeline.stage_files import read_stage


def catalogue_stage(
    asked: Mapping[str, Mapping[str, Any]],
    proofs: Sequence[str],
    folder: str,
    rows: Sequence[str] = (),
    coq: Sequence[str] = (),
) -> None:
    """Write the catalogue of these studies to the folder.

    asked: for each study, its settings (``about``) and the reason why no formula was known (``open``). proofs: one file
    for each study. rows, coq: one file for each study that has rows, or whose proofs Coq has checked; the second has
    all that the other files have, and Coq's answers.
    """
    checked = {read_stage(str, file, "study"): file for file in coq}
    studies = []
    for file in proofs:
        name = read_stage(str, file, "study")
        about = {**asked[name]["about"], "study": name, "open": asked[name]["open"]}
        about |= read_stage(dict[str, Any], file, "made")
        results = read_stage(Results, checked.get(name, file))
        studies.append((record_from_json(StudyRecord, about, file), results))
    periods = []
    for file in rows:
        name = read_stage(str, file, "study")
        found = read_stage(tuple[Row, ...], checked.get(name, file), "rows")
        periods += [replace(row, study=name, open=asked[name]["open"]) for row in found]
    write_catalogue(catalogue_of(studies, periods), Path(folder))
