"""Draws pictures that compare the formulas of all engines."""

from pathlib import Path

from grundylab.findings.catalogue import read_catalogue
from grundylab.pipeline.script_log import logging_to_file
from grundylab.report.engine_standings import write_engine_pictures

with logging_to_file(snakemake):
    write_engine_pictures(read_catalogue(snakemake.input.records), Path(snakemake.output.pictures))
