"""The catalogue of all studies."""

from pathlib import Path

from grundylab.pipeline.job import logged
from grundylab.pipeline.stages import catalogue_stage

with logged(snakemake):
    files = snakemake.input
    folder = str(Path(snakemake.output.records).parent)
    catalogue_stage(
        snakemake.params.asked, files.verdicts, files.proofs, folder, files.rows, files.large, files.coq
    )
