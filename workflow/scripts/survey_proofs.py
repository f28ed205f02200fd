"""What the small tables of a survey leave open, proved: the games of one part."""

from grundylab.pipeline.job import logged, say
from grundylab.pipeline.surveying import proofs_stage

with logged(snakemake):
    job, made = int(snakemake.wildcards.job), snakemake.output
    say(proofs_stage(snakemake.params.asked, job, snakemake.input.games, made.answers, made.proofs))
