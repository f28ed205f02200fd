"""The catalogue as CSV tables."""

from pathlib import Path

from grundylab.catalogue.files import read_catalogue
from grundylab.pipeline.job import logged
from grundylab.report.tables import write_tables

with logged(snakemake):
    write_tables(read_catalogue(snakemake.input.records), Path(snakemake.output.formulas).parent)
