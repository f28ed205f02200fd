"""What the engines find for the targets of a study."""

from grundylab.pipeline.job import logged
from grundylab.pipeline.stages import discover_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    discover_stage(Study.of(snakemake.params.asked), snakemake.output.candidates)
