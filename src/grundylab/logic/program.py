"""The call of another program within limits of time and memory, so that it never outlives grundylab for long."""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
from contextlib import suppress

_GRACE = 5  # seconds of processor time beyond the time-out


def run_program(
    command: list[str], folder: str, timeout: float, memory: int | None
) -> tuple[str, int | None]:
    """Return the program's output and exit status.

    folder: where it runs. timeout: seconds of wall time; then it is killed with all its children, and the result is an
    empty output and None. memory: bytes that it may use, or None for no limit.
    """
    seconds = math.ceil(timeout) + _GRACE

    def limit() -> None:  # in the new process, between fork and exec: only system calls
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # of processor time, which ends the program even if grundylab was killed
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

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
        preexec_fn=limit,
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
