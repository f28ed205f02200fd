"""Writes Coq's answers about the proofs of a study."""

from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.stages import coq_stage
from grundylab.pipeline.study import Study

with logging_to_file(snakemake):
    given = snakemake.input
    coq_stage(Study.of(snakemake.params.study), given.proofs, given.rows, snakemake.output.coq)
