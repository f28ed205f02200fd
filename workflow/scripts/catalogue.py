"""The catalogue of all studies."""

from pathlib import Path

from stage import run

from grundylab.stages import catalogue_stage


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Gather the studies' verdicts."""
    folder = str(Path(job.output.records).parent)
    catalogue_stage(list(job.input.verdicts), list(job.input.proofs), folder, list(job.input.rows))
