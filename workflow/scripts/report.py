"""The page."""

from pathlib import Path

from stage import run

from grundylab.config import studies_of
from grundylab.report.site import write_site
from grundylab.report.site.pictures import study_windows
from grundylab.stages import say


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Write the page from the catalogue, with pictures of the datasets."""
    windows = study_windows(studies_of(job.config, []).values(), Path("data"), say)
    write_site(Path(job.input.records), Path(), Path(job.output[0]).parent, windows)
