"""The catalogue stage: the records of all studies to one catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.catalogue.large import with_large
from grundylab.catalogue.proofs import with_proofs
from grundylab.catalogue.write import write_catalogue
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
    judged, proved, periods = (
        [_told(read_stage(file), asked) for file in files] for files in (verdicts, proofs, rows)
    )
    looked = {record["study"]: record for record in map(read_stage, large)}
    studies = []
    for verdict, proof in zip(judged, proved, strict=True):
        further = looked.get(verdict["study"])
        known = with_large(with_proofs(verdict, proof["proofs"], proof["comparisons"]), further)
        studies.append({"made": verdict["made"], **known})
    write_catalogue(studies, periods, Path(folder))


def _told(record: dict[str, Any], asked: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The record with what its study asks."""
    study = asked[record["study"]]
    return {**record, "open": study["open"], "about": study["about"]}
