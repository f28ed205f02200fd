"""The catalogue as tables."""

from pathlib import Path

from grundylab.errors import ConfigError
from grundylab.files import read_record
from grundylab.pipeline.job import logged
from grundylab.report.tables import write_tables

with logged(snakemake):
    records = read_record(Path(snakemake.input.records), ConfigError)
    write_tables(records, Path(snakemake.output.formulas_csv).parent)
