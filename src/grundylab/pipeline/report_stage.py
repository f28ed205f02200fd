"""The stage ``report``: writes the page that shows a catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grundylab.findings.catalogue import read_catalogue
from grundylab.pipeline.picture_windows import study_windows
from grundylab.pipeline.study import Plain, Study
from grundylab.report.site.build import write_site


def report_stage(studies: Mapping[str, Plain], records: str, results: str, data: str, page: str) -> None:
    """Write the page of the catalogue ``records``. results, data: the folders of the run."""
    asked = list(map(Study.of, studies.values()))
    windows = study_windows(asked, Path(data))
    rulesets = {study.ruleset.name: study.ruleset for study in asked}
    folders = Path(results), Path(data)
    write_site(read_catalogue(records), Path(), Path(page).parent, windows, rulesets, *folders)
