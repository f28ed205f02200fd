"""The catalogue stage: the records of all studies to one catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grundylab.catalogue.files import catalogue_of, typed, write_catalogue
from grundylab.catalogue.large import LargeVerdicts, with_large
from grundylab.catalogue.proofs import with_proofs
from grundylab.catalogue.records import Proofs, RowFound, StudyRecord, Verdicts
from grundylab.pipeline.stagefiles import read_stage


def catalogue_stage(
    asked: Mapping[str, Mapping[str, Any]],
    verdicts: Sequence[str],
    proofs: Sequence[str],
    folder: str,
    rows: Sequence[str] = (),
    large: Sequence[str] = (),
) -> None:
    """The catalogue of all studies. asked: by study, what it is about and why it is open."""
    looked = {read_stage(str, file, "study"): read_stage(LargeVerdicts, file) for file in large}
    studies = []
    for file, beside in zip(verdicts, proofs, strict=True):
        name, proved = read_stage(str, file, "study"), read_stage(Proofs, beside)
        about = {**asked[name]["about"], "study": name, "open": asked[name]["open"]}
        about["made"] = read_stage(dict[str, Any], file, "made")
        further = looked.get(name)
        if further is not None:
            about |= {"large": further.instances, "slabs": further.slabs}
        judged = with_proofs(read_stage(Verdicts, file), proved.proofs, proved.comparisons)
        studies.append((typed(StudyRecord, about, file), with_large(judged, further)))
    periods = []
    for file in rows:
        name, found = read_stage(str, file, "study"), read_stage(tuple[RowFound, ...], file, "rows")
        periods += [replace(row, study=name, open=asked[name]["open"]) for row in found]
    write_catalogue(catalogue_of(studies, periods), Path(folder))
