"""Writes proofs of a study's claims and of its formulas that hold."""

from grundylab.pipeline.prove_stage import prove_stage
from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.study import Study

with logging_to_file(snakemake):
    made = snakemake.output
    study = Study.of(snakemake.params.study)
    prove_stage(study, snakemake.input.verdicts, made.proofs, made.timings)
