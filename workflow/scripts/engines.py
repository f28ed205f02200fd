"""Pictures of the engines' formulas, side by side."""

from pathlib import Path

from grundylab.catalogue.files import read_catalogue
from grundylab.pipeline.job import logged
from grundylab.report.league import write_engine_pictures

with logged(snakemake):
    write_engine_pictures(read_catalogue(snakemake.input.records), Path(snakemake.output.pictures))
