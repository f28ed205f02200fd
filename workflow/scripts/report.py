"""The page."""

from pathlib import Path

from grundylab.catalogue.files import read_catalogue
from grundylab.pipeline.job import logged
from grundylab.pipeline.study import Study
from grundylab.pipeline.windows import study_windows
from grundylab.report.site.build import write_site

with logged(snakemake):
    windows = study_windows(map(Study.of, snakemake.params.asked.values()), Path("data"))
    page = Path(snakemake.output.page)
    write_site(read_catalogue(snakemake.input.records), Path(), page.parent, windows)
