"""The stage ``rows``: the periods of a study's rows, with their certificates."""

from __future__ import annotations

import time
from pathlib import Path

from grundylab.catalogue.files import plain
from grundylab.catalogue.words import numbers, row_words
from grundylab.pipeline.job import say
from grundylab.pipeline.stage_files import write_stage
from grundylab.pipeline.study import Study
from grundylab.progress import progress


def rows_stage(study: Study, output: str, timings: str) -> None:
    """Write the periods of the study's rows, with their certificates in ``rows/`` beside."""
    from grundylab.pipeline.rows import row_records  # numba takes long to import

    assert study.rows is not None
    started = time.process_time()
    folder = Path(output).parent / "rows"
    folder.mkdir(parents=True, exist_ok=True)
    with progress("looking for periods of rows"):
        records = row_records(study.ruleset, study.rows, folder, study.seed)
    for record in records:
        say(f"{record.status}: {numbers({**record.parameters, **record.row})}: {row_words(record)}")
    write_stage(output, study, {"made": study.made, "rows": list(map(plain, records))})
    write_stage(timings, study, {"seconds": {"rows": time.process_time() - started}})
