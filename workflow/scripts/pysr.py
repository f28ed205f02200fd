"""Writes PySR's formulas for all studies that name this engine."""

from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.stages import pysr_stage
from grundylab.pipeline.study import Study

with logging_to_file(snakemake):
    files = snakemake.input
    studies = [Study.of(part) for part in snakemake.params.studies.values()]
    pysr_stage(studies, files.fits, files.train, files.validate, snakemake.output.answers)
