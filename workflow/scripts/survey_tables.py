"""The small tables of one part of a survey's games."""

from grundylab.pipeline.job import logged, say
from grundylab.pipeline.surveying import tables_stage

with logged(snakemake):
    say(tables_stage(snakemake.params.part, int(snakemake.wildcards.job), snakemake.output.games))
