"""Proofs for one part of a survey's games, of the questions that their small tables leave open."""

from grundylab.pipeline.job import logged, say
from grundylab.pipeline.surveying import proofs_stage

with logged(snakemake):
    part, job, made = snakemake.params.part, int(snakemake.wildcards.job), snakemake.output
    say(proofs_stage(part, job, snakemake.input.games, made.games, made.proofs))
