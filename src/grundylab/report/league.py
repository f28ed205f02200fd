"""The engines of a study beside each other: a picture of their formulas for each target, and their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from grundylab.catalogue.files import Catalogue
from grundylab.catalogue.records import CandidateRecord, StudyRecord
from grundylab.files import write_text
from grundylab.games import Target
from grundylab.report.engine_pictures import Point, engines_svg


def engine_picture(study: StudyRecord, target: Target, candidates: Sequence[CandidateRecord]) -> str | None:
    """Return the picture of all formulas that the study's engines found for the target; None if there are none.

    Complexity is drawn against the share of positions that a formula describes, of the test positions if there are any.
    """
    mine = [
        each
        for each in candidates
        if (each.study, each.target) == (study.study, target) and each.formula is not None
    ]
    split, words = (
        ("test", "test positions") if any(each.test_total for each in mine) else ("train", "positions")
    )
    points = [
        Point(each.engine, each.complexity, share, share == 1)
        for each in mine
        if (share := each.share(split)) is not None
    ]
    title = f"{study.study}: {target}: complexity against share right, by engine"
    return engines_svg(points, title, words) if points else None


def engine_pictures(catalogue: Catalogue) -> Iterator[tuple[StudyRecord, Target, str]]:
    """Yield each study, each of its targets that has formulas, and the picture of these."""
    for study in catalogue.studies:
        for target in study.targets:
            if (picture := engine_picture(study, target, catalogue.candidates)) is not None:
                yield study, target, picture


def write_engine_pictures(catalogue: Catalogue, folder: Path) -> None:
    """Write ``STUDY-TARGET.svg`` for each picture."""
    folder.mkdir(parents=True, exist_ok=True)
    for study, target, picture in engine_pictures(catalogue):
        write_text(folder / f"{study.study}-{target.slug}.svg", picture)
