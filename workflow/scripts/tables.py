"""The catalogue as tables."""

from pathlib import Path

from stage import run

from grundylab.errors import ConfigError
from grundylab.files import read_json
from grundylab.report.tables import write_tables


@run(snakemake)  # noqa: F821 - Snakemake puts it there
def stage(job, study) -> None:  # noqa: ANN001 - Snakemake's own types
    """Write CSV and HTML from the catalogue."""
    write_tables(read_json(Path(job.input[0]), ConfigError), Path(job.output[0]).parent)
