"""Writes the catalogue of all studies, or of one study."""

from pathlib import Path

from grundylab.pipeline.catalogue_stage import catalogue_stage
from grundylab.pipeline.script_log import logging_to_file

with logging_to_file(snakemake):
    files = snakemake.input
    folder = str(Path(snakemake.output.records).parent)
    catalogue_stage(snakemake.params.studies, files.proofs, folder, files.rows, files.coq)
