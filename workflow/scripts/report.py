"""The page."""

from pathlib import Path

from stage import run

from grundylab.report.page import write_page


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Write the page from the catalogue."""
    write_page(Path(job.input[0]), Path(job.output[0]))
