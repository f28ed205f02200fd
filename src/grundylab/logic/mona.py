"""The call of MONA, which decides WS1S (Klarlund & Møller, *MONA version 1.4 user manual*, 2001), and its answer.

MONA 1.4-18 prints an error in the file to standard output, then ``Execution aborted``, and ends with exit status 255.
The status is also 255 after ``*** out of memory, execution aborted ***``. If a decision diagram has too many nodes,
MONA prints ``BDD too large`` and is ended by a signal.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grundylab.errors import visible
from grundylab.logic.program import run_program

MISSING = "MONA is not installed (Debian and Ubuntu: apt-get install mona; Homebrew: brew install mona)"

MonaStatus = Literal["valid", "unsatisfiable", "mixed", "timeout", "memory", "missing", "error"]

_MEMORY = re.compile(r"out of memory|memory exhausted|out of dynamic memory|BDD too large|bad_alloc")
_EXAMPLES = ("counter-example", "satisfying example")  # for a formula neither valid nor unsatisfiable


@dataclass(frozen=True)
class MonaAnswer:
    """MONA's answer on a formula with free variables.

    status: ``valid`` (true for all values), ``unsatisfiable`` (true for none), ``mixed``, or why there is no answer.
    message: the reason in words, if there is no answer. output: all that MONA printed, if there is an answer.
    """

    status: MonaStatus
    message: str = ""
    output: str = ""


def find_mona() -> str | None:
    """Return the path of the program named by GRUNDYLAB_MONA, by default ``mona``; None if there is none."""
    return shutil.which(os.environ.get("GRUNDYLAB_MONA") or "mona")


def run_mona(text: str, *, timeout: float, memory: int | None = None) -> MonaAnswer:
    """Return MONA's answer on a file with this text.

    timeout: seconds of wall time. memory: bytes that MONA may use, where the system can limit it.
    """
    program = find_mona()
    if program is None:
        return MonaAnswer("missing", MISSING)
    with tempfile.TemporaryDirectory(prefix="grundylab-") as folder:
        file = Path(folder, "formula.mona")
        file.write_text(text, encoding="utf-8")
        output, status = run_program([program, "-q", file.name], folder, timeout, memory)
    if status is None:
        return MonaAnswer("timeout", f"MONA did not finish in {timeout:g} seconds")
    if status == 0:
        valid, unsatisfiable = (
            re.search(rf"^Formula is {word}", output, re.M) for word in ("valid", "unsatisfiable")
        )
        mixed = all(re.search(rf"^A {example} of least length ", output, re.M) for example in _EXAMPLES)
        if sum(map(bool, (valid, unsatisfiable, mixed))) != 1:
            return MonaAnswer("error", _complaint(output, 0))
        answer: MonaStatus = "valid" if valid else "unsatisfiable" if unsatisfiable else "mixed"
        return MonaAnswer(answer, output=output)
    if _MEMORY.search(output) or (memory is not None and status in (-signal.SIGSEGV, -signal.SIGABRT)):
        amount = "" if memory is None else f": the limit is {memory / 2**20:,.0f} MiB"
        return MonaAnswer("memory", f"MONA ran out of memory{amount}")
    return MonaAnswer("error", _complaint(output, status))


def _complaint(output: str, status: int) -> str:
    """Return the message for a failure of MONA, in one line, from its output and exit status."""
    if status < 0:  # its partial output is not shown
        return f"MONA was ended by a signal ({signal.strsignal(-status) or -status})"
    lines = [
        line.strip() for line in output.splitlines() if line.strip() not in ("", "^", "Execution aborted")
    ]
    what = visible(" ".join(lines[-4:])) or f"it ended with status {status}"
    return f"MONA failed: {what}"
