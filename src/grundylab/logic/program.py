"""The call of another program within limits of time and memory, so that it never outlives grundylab for long."""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress

_GRACE = 5  # seconds of processor time beyond the time-out


def run_program(
    command: list[str], folder: str, timeout: float, memory: int | None
) -> tuple[str, int | None]:
    """Return the program's output and exit status.

    folder: where it runs. timeout: seconds of wall time; then it is killed with all its children, and the result is an
    empty output and None. memory: bytes that it may use, or None for no limit.
    """
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
    """Return the function that sets the limits in the new process.

    memory: bytes, or None. seconds: of processor time; this limit ends the program even if grundylab was killed.
    """

    def limit() -> None:  # between fork and exec: only system calls
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return limit
