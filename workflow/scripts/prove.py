"""Writes proofs of a study's claims and of its formulas that hold."""

from grundylab.pipeline.script_log import logging_to_file
from grundylab.pipeline.stages import prove_stage
from grundylab.pipeline.study import Study

with logging_to_file(snakemake):
    files, made = snakemake.input, snakemake.output
    study = Study.of(snakemake.params.study)
    splits = {"train": files.train, "test": files.test}
    prove_stage(study, files.verdicts, made.proofs, made.timings, made.moves, splits, files.rows)
