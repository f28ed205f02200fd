"""Writes verdicts on a study's formulas and claims, from its test tables."""

from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.stages import verify_stage
from grundylab.pipeline.study import Study

with logging_to_file(snakemake):
    files, made = snakemake.input, snakemake.output
    splits = {"train": files.train, "validate": files.validate, "test": files.test}
    study = Study.of(snakemake.params.study)
    verify_stage(study, files.fits, splits, made.verdicts, made.timings, files.rows)
