"""Formulas that PySR finds for the targets of a study."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.stages import pysr_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    files = snakemake.input
    study = Study.of(snakemake.params.study)
    pysr_stage(study, files.fits, files.train, files.validate, snakemake.output.answers)
