"""Checks of a run's folder: free space, remains of killed jobs, and datasets that were edited or deleted."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from grundylab.files import os_error_text
from grundylab.games import Instance
from grundylab.pipeline.script_log import BAD_INPUT

_NOTES = Path(".snakemake")
_ROOM = 1 << 18  # bytes that Snakemake needs for its notes
_TIMESTAMP = ".snakemake_timestamp"  # Snakemake writes it last into a folder that a job has made
_ABANDONED = 3600.0  # seconds without a write: then the writer's process id is that of another process by now
_PATTERNS = (".*.tmp", ".*.old")
# the number is that of the process that made the file; see ``files.temporary_name``
_WRITER = re.compile(r"\.(\d+)\.[^.]+\.(?:tmp|old)\Z")


def check_room() -> None:
    """End the run with a one-line message unless Snakemake can write its notes here."""
    room = _NOTES / f"room.{os.getpid()}"
    try:
        _NOTES.mkdir(exist_ok=True)
        try:
            room.write_bytes(bytes(_ROOM))
        finally:
            room.unlink(missing_ok=True)
    except OSError as problem:
        print(f"grundylab: cannot write here: {os_error_text(problem)}", file=sys.stderr)
        sys.exit(BAD_INPUT)


def remove_leftovers(folder: Path, below: Iterable[Path]) -> None:
    """Remove temporary files of processes that no longer run, and those to which nothing was written for an hour.

    They are removed from ``folder`` itself, and from the folders ``below`` with all their subfolders.
    """
    searches = [folder.glob, *(inner.rglob for inner in below)]
    for left in [left for search in searches for pattern in _PATTERNS for left in search(pattern)]:
        if _is_abandoned(left):
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)


def damage(folder: str, instances: Iterable[Instance]) -> str | None:
    """Return in words which dataset of a job's folder is missing or was edited; None if there is none."""
    from grundylab.solve.dataset import dataset_name  # imports pyarrow, which is slow

    made = Path(folder, _TIMESTAMP)
    for file in (made.with_name(dataset_name(instance)) for instance in instances):
        if not file.exists():
            return f"{file} is missing"
        if made.exists() and file.stat().st_mtime_ns > made.stat().st_mtime_ns:
            return f"{file} was edited"
    return None


def _is_abandoned(left: Path) -> bool:
    writer = _WRITER.search(left.name)
    if writer is None:
        return False
    try:
        os.kill(int(writer[1]), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        pass  # the process lives, and is another user's
    with suppress(OSError):  # another process may have renamed it just now
        return time.time() - left.lstat().st_mtime > _ABANDONED
    return False
