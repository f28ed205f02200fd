"""``python -P install_julia.py STAMP [SECONDS]``: have PySR's own installer fetch Julia and its packages, once.

The attempt ends after SECONDS. Without Julia everything works except the engine ``pysr``; STAMP then contains the
reason, and there is no further attempt until ``JULIA=yes`` asks for one. ``JULIA=no`` makes none. A Julia that
``PYTHON_JULIAPKG_EXE`` names is the user's own: nothing is added to it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 900  # seconds
SILENCE = 15  # seconds without an answer on a connection, after which the network counts as cut off
# Importing PySR fetches and compiles whatever is missing.
FETCH = f"import socket; socket.setdefaulttimeout({SILENCE}); import pysr"


def main(stamp: Path, seconds: float) -> None:
    """Fetch Julia, or print in one line why that is not possible."""
    wanted = os.environ.get("JULIA", "")
    if wanted == "no" or os.environ.get("PYTHON_JULIAPKG_EXE"):
        return
    if wanted != "yes" and stamp.exists():
        if reason := stamp.read_text().strip():
            tell(reason)
        return
    reason = missing() and fetched(seconds)
    stamp.write_text(reason)
    if reason:
        tell(reason)


def tell(reason: str) -> None:
    """Print that the engine is off, and why."""
    print(f"the engine pysr is off: {reason} (JULIA=yes make run tries again)", file=sys.stderr)


def missing() -> str:
    """Return why PySR cannot be used yet; empty if it can."""
    from grundylab.discover.pysr_worker import unavailable

    return unavailable() or ""


def fetched(seconds: float) -> str:
    """Fetch Julia and return why that failed; empty if it did not."""
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
    main(Path(sys.argv[1]), float(sys.argv[2]) if sys.argv[2:] else LIMIT)
