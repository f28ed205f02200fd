"""Which games of a survey are one, and what their small tables leave to prove, dealt out to the jobs that do it."""

from grundylab.pipeline.job import logged, say
from grundylab.pipeline.surveying import asked_stage

with logged(snakemake):
    say(asked_stage(snakemake.params.asked, snakemake.input.games, snakemake.output.deal))
