"""The engines' formulas for the targets of a study."""

from grundylab.pipeline.fit_stage import fit_stage
from grundylab.pipeline.job import logged
from grundylab.pipeline.study import Study

with logged(snakemake):
    files, made = snakemake.input, snakemake.output
    study = Study.of(snakemake.params.study)
    fit_stage(study, files.train, files.validate, made.fits, made.trees, made.timings)
