"""What is proved, machine-checked."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.stages import coq_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    coq_stage(Study.of(snakemake.params.asked), snakemake.input.proofs, snakemake.output.coq)
