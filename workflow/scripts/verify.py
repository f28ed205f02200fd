"""What was found, and what is claimed, held against larger instances."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.stages import verify_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    files, made = snakemake.input, snakemake.output
    study = Study.of(snakemake.params.asked)
    verify_stage(study, files.answers, files.seen, files.test, made.verdicts, made.timings)
