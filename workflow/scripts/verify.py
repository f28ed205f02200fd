"""Verdicts on the candidates and claims of one study."""

from stage import run

from grundylab.stages import verify_stage


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Verify."""
    proposals, datasets = list(job.input.proposals), list(job.input.datasets)
    verify_stage(study, proposals, datasets, job.output.verdicts, job.output.timings)
