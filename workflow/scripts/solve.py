"""The tables of one split of a study, solved."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.solve_stage import solve_stage

with logged(snakemake):
    asked = snakemake.params
    solve_stage(asked.study, asked.instances, snakemake.output.datasets)
