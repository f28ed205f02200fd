"""The pictures of all games, and the figures of the papers."""

from pathlib import Path

from stage import run

from grundylab.config import studies_of
from grundylab.papers import load_papers
from grundylab.report.files import write_game_figures, write_paper_figures
from grundylab.report.site.pictures import study_windows
from grundylab.stages import say


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Draw them from the datasets."""
    studies = studies_of(job.config, []).values()
    papers = load_papers() if job.input.papers else ()
    write_game_figures(study_windows(studies, Path("data"), say), papers, Path(job.output.games))
    rulesets = {study.ruleset.name: study.ruleset for study in studies}
    write_paper_figures(papers, rulesets, Path(job.output.papers))
