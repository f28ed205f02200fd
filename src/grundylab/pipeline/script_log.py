"""The frame of each script of the workflow: its log, and errors of its input in one line."""

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
    100_000  # objects between garbage collections: a job ends soon, and most of its objects stay
)


def log_line(text: str) -> None:
    """Print a line to the stage's log."""
    print(text, file=sys.stderr)


@contextmanager
def logging_to_file(job: Any) -> Iterator[None]:  # noqa: ANN401 - Snakemake's object of a script
    """Redirect standard error to the job's log; end with status 2 and one line there on a mistake of the user's.

    A damaged file of another job is removed, so that the next run makes it again.
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
        _end("interrupted; nothing half-written is left", terminal, INTERRUPTED)


def _removed(error: GrundylabError, inputs: list[str]) -> str | None:
    """Remove the file that the error is about, if another job made it, and return a message; else return None.

    A dataset is removed with its folder, which is what its job makes.
    """
    file = error.place.file
    if file is None or (not isinstance(error, DatasetError) and not file.endswith(".json")):
        return None  # a table of the user's own, or a ruleset
    folder = str(Path(file).parent)
    if folder in inputs:
        shutil.rmtree(folder)
    elif file in inputs:
        Path(file).unlink(missing_ok=True)
    else:
        return None
    wrong = error.message.partition("; delete it")[0]
    return f"{file}: {wrong}; it is removed, and the next run makes it anew"


def _end(reason: str, terminal: int, status: int = BAD_INPUT) -> NoReturn:
    """Write the reason to the log, or to the terminal if the log's disk is full, and end."""
    line = f"grundylab: {reason}\n".encode()
    try:
        os.write(2, line)
    except OSError:
        os.write(terminal, line)
    sys.exit(status)
