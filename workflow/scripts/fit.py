"""Writes the formulas that the engines find for the targets of a study."""

from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.stages import fit_stage
from grundylab.pipeline.study import Study

with logging_to_file(snakemake):
    files, made = snakemake.input, snakemake.output
    study = Study.of(snakemake.params.study)
    fit_stage(study, files.train, files.validate, made.fits, made.trees, made.timings)
