"""Coq's answers about the proofs of a study."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.prove_stage import coq_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    given = snakemake.input
    coq_stage(Study.of(snakemake.params.study), given.proofs, given.rows, snakemake.output.coq)
