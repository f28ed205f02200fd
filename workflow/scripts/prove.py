"""Proofs for one study."""

from stage import run

from grundylab.stages import prove_stage


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Prove."""
    prove_stage(study, job.input.verdicts, job.output.proofs, job.output.timings)
