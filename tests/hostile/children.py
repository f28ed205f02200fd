"""The command in a process of its own, as a user runs it, with a limit of processor time; what it took is measured."""

import os
import re
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

CPU_SECONDS = 2  # the system ends what takes longer; measured is a half
MIB = 200  # of the whole process, with Python and what is imported

# The command, and at its end its peak memory. (What wait4 says counts the process that it was forked from.)
_ALONE = """
import atexit, sys
from pathlib import Path

peak = Path(sys.argv.pop(1))
status = Path("/proc/self/status")
atexit.register(lambda: peak.write_text(status.read_text() if status.exists() else ""))
from grundylab.cli.main import entry

entry()
"""


@dataclass(frozen=True)
class Ended:
    """How it ended: exit status (negative: the signal), what it printed, processor seconds, and peak MiB (0: unknown)."""

    status: int
    output: str
    errors: str
    seconds: float
    mib: int


def run(folder: Path, *arguments: str, seconds: int = CPU_SECONDS) -> Ended:
    with tempfile.TemporaryDirectory() as aside:
        peak = Path(aside, "peak")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.run(
            [sys.executable, "-c", _ALONE, str(peak), *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.path.abspath("src"), "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = re.search(r"VmHWM:\s+(\d+) kB", peak.read_text() if peak.exists() else "")
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    mib = int(found[1]) // 1024 if found else 0
    return Ended(process.returncode, process.stdout.decode(), process.stderr.decode(), took, mib)


def refused(folder: Path, words: str, *arguments: str) -> Ended:
    """Run the command, which must refuse in one line that has the words, and leave the folder as it was."""
    before = sorted(folder.rglob("*"))
    ended = run(folder, *arguments)
    assert ended.status == 2, ended
    assert ended.output == ""
    assert ended.errors.count("\n") == 1, ended.errors
    assert ended.errors.startswith("grundylab: ")
    assert "Traceback" not in ended.errors
    assert ended.errors[:-1].isprintable()
    assert re.search(words, ended.errors), ended.errors
    assert ended.mib < MIB
    assert sorted(folder.rglob("*")) == before
    return ended
