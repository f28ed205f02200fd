"""Solves the small tables of one part of a survey's games, and writes what they decide."""

from grundylab.pipeline.script_log import log_line, logging_to_file
from grundylab.pipeline.survey_stages import tables_stage

with logging_to_file(snakemake):
    log_line(tables_stage(snakemake.params.part, int(snakemake.wildcards.job), snakemake.output.games))
