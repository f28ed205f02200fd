"""Writes the periods of a study's rows of positions."""

from grundylab.pipeline.rows_stage import rows_stage
from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.study import Study

with logging_to_file(snakemake):
    made = snakemake.output
    rows_stage(Study.of(snakemake.params.study), made.rows, made.timings)
