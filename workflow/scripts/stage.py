"""What every script does around its stage: the log, the study, and errors as one line."""

from __future__ import annotations

import sys
from collections.abc import Callable

from grundylab.config import studies_of
from grundylab.errors import GrundylabError


def run(job) -> Callable[[Callable[..., None]], None]:  # noqa: ANN001 - Snakemake's own types
    """Run the decorated function as the job's stage, with everything it says in the job's log."""

    def decorate(stage: Callable[..., None]) -> None:
        with open(job.log[0], "w", encoding="utf-8", buffering=1) as log:
            sys.stderr = log
            try:
                name = job.wildcards.get("study")
                study = studies_of(job.config, [], only=name)[name] if name else None
                stage(job, study)
            except GrundylabError as error:
                print(f"grundylab: {error}", file=log)
                sys.exit(2)

    return decorate
