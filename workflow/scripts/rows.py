"""The periods of one study's rows."""

from stage import run

from grundylab.stages import rows_stage


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Look for periods."""
    rows_stage(study, job.output.rows, job.output.timings)
