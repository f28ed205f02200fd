"""Writes the catalogue as CSV tables."""

from pathlib import Path

from grundylab.findings.catalogue import read_catalogue
from grundylab.pipeline.script_log import logging_to_file
from grundylab.report.csv_tables import write_tables

with logging_to_file(snakemake):
    write_tables(read_catalogue(snakemake.input.records), Path(snakemake.output.formulas).parent)
