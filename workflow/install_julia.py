"""``python -P install_julia.py STAMP [SECONDS]``: lets PySR's installer fetch Julia and its packages, once.

The attempt ends after SECONDS. If it fails, one line says why, and everything works except the engine ``pysr``. There
is no further attempt unless ``JULIA=yes`` is set, and none at all with ``JULIA=no``. If ``PYTHON_JULIAPKG_EXE`` names a
Julia of the user's own, nothing is fetched.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 900  # seconds
SILENCE = 15  # seconds without an answer after which a connection counts as broken
# To import PySR fetches and compiles what is missing.
FETCH = f"import socket; socket.setdefaulttimeout({SILENCE}); import pysr"


def main(stamp: Path, seconds: float) -> None:
    """Fetch Julia, or print in one line why that failed; do nothing if it was tried before.

    stamp: the file that says that it was tried, with the reason of a failure. seconds: the time limit.
    """
    wanted = os.environ.get("JULIA", "")
    if wanted == "no" or os.environ.get("PYTHON_JULIAPKG_EXE"):
        return
    if wanted != "yes" and stamp.exists():  # the end of the run says why the engine is off
        return
    reason = missing() and fetched(seconds)
    stamp.write_text(reason)
    if reason:
        tell(reason)


def tell(reason: str) -> None:
    """Print that the engine pysr is off, with the reason."""
    print(f"the engine pysr is off: {reason} (JULIA=yes make run tries again)", file=sys.stderr)


def missing() -> str:
    """Return why PySR cannot be used yet; empty if it can."""
    from grundylab.discover.pysr_worker import unavailable

    return unavailable() or ""


def fetched(seconds: float) -> str:
    """Fetch Julia, and return why that failed; empty if it succeeded."""
    print(
        "fetching Julia and PySR's packages, once: roughly 500 MB and 10 minutes (JULIA=no make run goes without)",
        file=sys.stderr,
    )
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", FETCH],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            return f"fetching Julia took more than {seconds / 60:g} minutes"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        output.seek(0)
        lines = [line.strip() for line in output if line.strip()]
    if status:
        return f"Julia could not be fetched: {lines[-1] if lines else f'status {status}'}"
    return missing()


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), float(sys.argv[2]) if sys.argv[2:] else LIMIT)
    except KeyboardInterrupt:
        print("fetching Julia was interrupted; the next run tries again", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)
