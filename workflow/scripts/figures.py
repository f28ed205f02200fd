"""Draws pictures of the games, and the papers' figures again."""

from pathlib import Path

from grundylab.findings.papers import load_papers
from grundylab.pipeline.picture_windows import study_windows
from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.study import Study
from grundylab.report.figures import write_game_figures, write_paper_figures

with logging_to_file(snakemake):
    studies = list(map(Study.of, snakemake.params.studies.values()))
    papers = load_papers() if snakemake.input.papers else ()
    windows = study_windows(studies, Path(snakemake.params.data))
    write_game_figures(windows, papers, Path(snakemake.output.games))
    rulesets = {study.ruleset.name: study.ruleset for study in studies}
    write_paper_figures(papers, rulesets, Path(snakemake.output.papers))
