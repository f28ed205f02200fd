"""Instances of a study, solved."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.solving import solve_stage

with logged(snakemake):
    solve_stage(snakemake.params.asked, snakemake.output)
