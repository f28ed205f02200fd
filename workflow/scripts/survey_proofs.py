"""The proofs of what the small tables of a survey leave open: a part of the games."""

from grundylab.pipeline.job import logged, say
from grundylab.pipeline.surveying import proofs_stage

with logged(snakemake):
    part, job, made = snakemake.params.part, int(snakemake.wildcards.job), snakemake.output
    say(proofs_stage(part, job, snakemake.input.games, made.games, made.proofs))
