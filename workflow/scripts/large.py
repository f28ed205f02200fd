"""What the slabs of a study's large instances say together."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.stages import large_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    files = snakemake.input
    large_stage(Study.of(snakemake.params.asked), files.parts, files.proofs, snakemake.output.large)
