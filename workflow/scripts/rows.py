"""The periods of a study's rows."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.rows_stage import rows_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    made = snakemake.output
    rows_stage(Study.of(snakemake.params.study), made.rows, made.timings)
