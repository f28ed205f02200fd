"""The stage ``rows``: the periods of a study's rows, with their certificates."""

from __future__ import annotations

import time
from pathlib import Path

from grundylab.findings.catalogue import record_to_json
from grundylab.findings.wording import assignment_text, row_words
from grundylab.pipeline.script_log import log_line
from grundylab.pipeline.stage_files import write_stage
from grundylab.pipeline.study import Study
from grundylab.progress import progress


def rows_stage(study: Study, output: str, timings: str) -> None:
    """Write the periods of the study's rows to ``output``, and their certificates to the folder ``rows/`` beside it."""
    from grundylab.pipeline.rows_and_heaps import row_records  # numba takes long to import

    assert study.rows is not None
    started = time.process_time()
    folder = Path(output).parent / "rows"
    folder.mkdir(parents=True, exist_ok=True)
    with progress("looking for periods of rows"):
        records = row_records(study.ruleset, study.rows, folder, study.seed)
    for record in records:
        log_line(
            f"{record.status}: {assignment_text({**record.parameters, **record.row})}: {row_words(record)}"
        )
    write_stage(output, study, {"made": study.made, "rows": list(map(record_to_json, records))})
    write_stage(timings, study, {"seconds": {"rows": time.process_time() - started}})
