"""What holds, looked at in one slab of a study's large instances."""

from grundylab.check.slabs import Slab
from grundylab.pipeline.job import logged
from grundylab.pipeline.stages import slab_stage
from grundylab.pipeline.study import Study

with logged(snakemake):
    slab = Slab(*map(int, snakemake.wildcards.slab.split("-of-")))
    slab_stage(Study.of(snakemake.params.asked), snakemake.input.verdicts, slab, snakemake.output.part)
