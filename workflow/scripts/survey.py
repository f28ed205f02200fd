"""The table of a survey, and its page."""

from grundylab.pipeline.job import logged, say
from grundylab.pipeline.surveying import survey_stage

with logged(snakemake):
    files, made = snakemake.input, snakemake.output
    say(survey_stage(snakemake.params.part, files.games, files.proved, made.table, made.page))
