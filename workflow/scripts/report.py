"""Writes the page that shows the catalogue of all studies, or of one study."""

from pathlib import Path

from grundylab.findings.catalogue import read_catalogue
from grundylab.pipeline.picture_windows import study_windows
from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.study import Study
from grundylab.report.site.build import write_site

with logging_to_file(snakemake):
    studies = list(map(Study.of, snakemake.params.studies.values()))
    windows = study_windows(studies, Path(snakemake.params.data))
    rulesets = {study.ruleset.name: study.ruleset for study in studies}
    page = Path(snakemake.output.page)
    known = read_catalogue(snakemake.input.records)
    folders = Path(snakemake.params.results), Path(snakemake.params.data)
    write_site(known, Path(), page.parent, windows, rulesets, *folders)
