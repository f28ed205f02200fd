"""Writes the table and the page of a survey."""

from grundylab.pipeline.script_log import log_line, logging_to_file
from grundylab.pipeline.survey_stages import survey_stage

with logging_to_file(snakemake):
    files, made = snakemake.input, snakemake.output
    log_line(survey_stage(snakemake.params.part, files.games, files.proved, made.table, made.page))
