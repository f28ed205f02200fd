"""The log of each script of the workflow, in which a mistake in the input is reported in one line."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from grundylab.errors import DatasetError, GrundylabError
from grundylab.files import os_error_text

BAD_INPUT, INTERRUPTED = 2, 130
EDITED = "it was edited while the workflow ran; run again"
COLLECTION_THRESHOLD = (
    100_000  # new objects between garbage collections: a job ends soon, so they are seldom useful
)


def log_line(text: str) -> None:
    """Print a line to the stage's log."""
    print(text, file=sys.stderr)


@contextmanager
def logging_to_file(job: Any) -> Iterator[None]:  # noqa: ANN401 - Snakemake's object of a script
    """Redirect standard error to the job's log. A known error ends the script with status 2 and one line in the log.

    If the error is a damaged file of another job, the file is removed, so that the next run makes it again.
    """
    gc.set_threshold(COLLECTION_THRESHOLD)
    terminal = os.dup(2)
    try:
        with open(job.log[0], "wb") as log:
            os.dup2(log.fileno(), 2)
        yield
    except GrundylabError as error:
        _end(_removed(error, list(job.input)) or str(error), terminal)
    except OSError as problem:
        _end(
            f"{problem.filename}: {os_error_text(problem)}" if problem.filename else os_error_text(problem),
            terminal,
        )
    except MemoryError:
        _end("out of memory; choose smaller bounds", terminal)
    except KeyboardInterrupt:
        _end("interrupted; no partial files are left", terminal, INTERRUPTED)


def _removed(error: GrundylabError, inputs: list[str]) -> str | None:
    """Remove the file that the error is about, and return a message; return None if no other job made it.

    A dataset is removed with its folder, since a job makes the whole folder.
    """
    file = error.place.file
    if file is None or (not isinstance(error, DatasetError) and not file.endswith(".json")):
        return None  # the file is the user's: a ruleset, or a table made elsewhere
    folder = str(Path(file).parent)
    if folder in inputs:
        shutil.rmtree(folder)
    elif file in inputs:
        Path(file).unlink(missing_ok=True)
    else:
        return None
    wrong = error.message.partition("; delete it")[0]
    return f"{file}: {wrong}; it is removed; the next run remakes it"


def _end(reason: str, terminal: int, status: int = BAD_INPUT) -> NoReturn:
    """Write the reason to the log, or to the terminal if that fails, and end the script with the status."""
    line = f"grundylab: {reason}\n".encode()
    try:
        os.write(2, line)
    except OSError:
        os.write(terminal, line)
    sys.exit(status)
