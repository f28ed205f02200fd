"""Solves the instances of one split of a study, and writes their datasets."""

from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.solve_stage import solve_stage

with logging_to_file(snakemake):
    asked = snakemake.params
    solve_stage(asked.study, asked.instances, snakemake.output.datasets)
