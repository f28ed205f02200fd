"""The stage ``catalogue``: puts the results of all studies into one catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grundylab.findings.catalogue import catalogue_of, record_from_json, write_catalogue
from grundylab.findings.results import Results, StudyRecord
from grundylab.pipeline.stage_files import read_stage


def catalogue_stage(
    studies: Mapping[str, Mapping[str, Any]],
    proofs: Sequence[str],
    records: str,
    rows: Sequence[str] = (),
    coq: Sequence[str] = (),
) -> None:
    """Write the catalogue of these studies to the folder of ``records``.

    studies: by study, its settings (``about``) and the reason why no formula was known (``open``). proofs: one file for
    each study. rows, coq: one file for each study that has rows, or whose proofs Coq has checked; the second has all
    that the other files have, and Coq's answers. The file of proofs has the rows of a study with chosen tables.
    """
    checked = {read_stage(str, file, "study"): file for file in coq}
    periods = {read_stage(str, file, "study"): read_stage(Results, file).rows for file in rows}
    records_of_studies = []
    for file in proofs:
        name = read_stage(str, file, "study")
        about = {**studies[name]["about"], "study": name, "open": studies[name]["open"]}
        about |= read_stage(dict[str, Any], file, "made")
        results = read_stage(Results, checked.get(name, file))
        results = replace(results, rows=results.rows or periods.get(name, ()))
        records_of_studies.append((record_from_json(StudyRecord, about, file), results))
    write_catalogue(catalogue_of(records_of_studies), Path(records).parent)
