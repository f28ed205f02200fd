"""PySR's formulas for the targets of all studies that name it."""

from grundylab.pipeline.fit_stage import pysr_stage
from grundylab.pipeline.job import logged
from grundylab.pipeline.study import Study

with logged(snakemake):
    files = snakemake.input
    studies = [Study.of(part) for part in snakemake.params.studies.values()]
    answers, unavailable = snakemake.output.answers, snakemake.params.unavailable
    pysr_stage(studies, files.fits, files.train, files.validate, answers, unavailable)
