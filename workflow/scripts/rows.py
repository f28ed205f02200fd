"""Writes the periods of a study's rows of positions."""

from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.stages import rows_stage
from grundylab.pipeline.study import Study

with logging_to_file(snakemake):
    files, made = snakemake.input, snakemake.output
    rows_stage(Study.of(snakemake.params.study), made.rows, made.timings, files.fits)
