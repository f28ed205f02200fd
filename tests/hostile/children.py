"""Commands in child processes with a limit of processor time; their time and memory are measured."""

import json
import os
import re
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

START = 2  # processor seconds for Python and what is imported
CPU_SECONDS = 2  # for each command: the system ends what takes longer; measured is a tenth
MIB = 200  # of the whole process, with Python and what is imported

# Each command in its folder, one after the other; in the end what each printed, and the peak of memory. (What wait4 says
# counts the process that it was forked from.)
_ALONE = """
import contextlib, io, json, os, sys, time
from pathlib import Path
from grundylab.cli.main import main

ended, status = [], Path("/proc/self/status")
for folder, arguments in json.loads(sys.stdin.read()):
    os.chdir(folder)
    print(arguments, file=sys.stderr)  # the last one is at fault if the process ends here
    printed, errors, began = io.StringIO(), io.StringIO(), time.process_time()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        found = main(arguments)
    ended.append([found, printed.getvalue(), errors.getvalue(), time.process_time() - began])
print(json.dumps([ended, status.read_text() if status.exists() else ""]))
"""


@dataclass(frozen=True)
class Ended:
    """The end of a command: exit status, output, processor seconds, and the peak MiB of all commands (0: unknown)."""

    status: int
    output: str
    errors: str
    seconds: float
    mib: int


def run(*commands: tuple[Path, list[str]], seconds: int = CPU_SECONDS) -> list[Ended]:
    """Run the commands in one child process and return how each ended.

    seconds: the limit for each command; imports have some more.
    """
    limit = START + seconds * len(commands)
    process = subprocess.run(
        [sys.executable, "-c", _ALONE],
        input=json.dumps([(str(folder), arguments) for folder, arguments in commands]).encode(),
        env={**os.environ, "PYTHONPATH": os.path.abspath("src"), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    assert process.returncode == 0, process.stderr.decode()[-2_000:]
    ended, status = json.loads(process.stdout)
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    return [Ended(*each, int(peak[1]) // 1024 if peak else 0) for each in ended]
