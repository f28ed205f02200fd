"""Writes proofs for one part of a survey's games, of the claims that their small tables do not refute."""

from grundylab.pipeline.script_log import log_line, logging_to_file
from grundylab.pipeline.survey_stages import proofs_stage

with logging_to_file(snakemake):
    part, job, made = snakemake.params.part, int(snakemake.wildcards.job), snakemake.output
    log_line(proofs_stage(part, job, snakemake.input.games, made.games, made.proofs))
