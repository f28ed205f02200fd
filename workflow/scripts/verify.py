"""Writes verdicts on a study's formulas and claims, from its test tables."""

from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.study import Study
from grundylab.pipeline.verify_stage import verify_stage

with logging_to_file(snakemake):
    files, made = snakemake.input, snakemake.output
    splits = {"train": files.train, "validate": files.validate, "test": files.test}
    verify_stage(Study.of(snakemake.params.study), files.fits, splits, made.verdicts, made.timings)
