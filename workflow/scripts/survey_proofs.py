"""What the small tables of a survey leave open, proved: the games of one part."""

from grundylab.pipeline.job import logged, say
from grundylab.pipeline.surveying import proofs_stage

with logged(snakemake):
    asked, deal, made = snakemake.params.asked, snakemake.input.deal, snakemake.output
    say(proofs_stage(asked, int(snakemake.wildcards.job), deal, made.answers, made.proofs))
