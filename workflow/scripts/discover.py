"""Candidates of all engines for one target of one study."""

from stage import run

from grundylab.rulesets import parse_target
from grundylab.stages import discover_stage


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Discover."""
    target = parse_target(job.wildcards.target)
    discover_stage(study, target, list(job.input), job.output[0])
