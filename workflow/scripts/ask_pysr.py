"""Formulas that PySR finds for the targets of all studies that it is asked for."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.stages import pysr_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    studies = [Study.of(asked) for asked in snakemake.params.asked]
    files = snakemake.input
    pysr_stage(studies, files.fits, files.datasets, snakemake.output.answers)
