"""Runs another program, within a time and an amount of memory, and never longer than grundylab itself."""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress

_GRACE = 5  # seconds of processor time beyond the time-out


def run(command: list[str], folder: str, timeout: float, memory: int | None) -> tuple[str, int | None]:
    """What the program prints, and its exit status; None if it had to be ended, with all that it started."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
        preexec_fn=_limits(memory, math.ceil(timeout) + _GRACE),
    )
    try:
        output, _ = process.communicate(timeout=timeout)
        return output, process.returncode
    except subprocess.TimeoutExpired:
        return "", None
    finally:
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # the process leads a group of its own
            process.communicate()


def _limits(memory: int | None, seconds: int) -> Callable[[], None]:
    """seconds: of processor time, at which the system ends it if the process that would do so was killed."""

    def limit() -> None:  # between fork and exec: only system calls
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return limit
