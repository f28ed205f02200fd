"""The page."""

from pathlib import Path

from stage import run

from grundylab.report.site import write_site


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Write the page from the catalogue."""
    write_site(Path(job.input.records), Path(), Path(job.output[0]).parent)
