"""Runs Coq's compiler on a file, with the development (``coq/``) compiled beside it once.

Coq trusts nothing here: what it accepts is proved, and says on what it rests.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grundylab.errors import GrundylabError, visible
from grundylab.files import cache_folder, shipped
from grundylab.logic.program import run

MISSING = "Coq is not installed (Debian and Ubuntu: apt-get install coq; Homebrew: brew install coq)"
CLOSED = "Closed under the global context"  # what Coq says of a theorem that rests on no axiom

_MEMORY = re.compile(r"out of memory|not enough memory|stack overflow", re.I)
_COMPILING = 600.0  # seconds for a file of the development, which takes three

Status = Literal["accepted", "rejected", "timeout", "memory", "missing", "not written"]


@dataclass(frozen=True)
class CoqAnswer:
    """What Coq says of a file: ``accepted`` if its theorem is proved without axioms, else the message says why not.

    ``not written`` where there is no file to ask about.
    """

    status: Status
    message: str = ""


def find_coqc() -> str | None:
    """The program: what GRUNDYLAB_COQC names if it is set, else ``coqc`` on the path; None if there is none."""
    return shutil.which(os.environ.get("GRUNDYLAB_COQC") or "coqc")


def run_coqc(text: str, *, timeout: float, memory: int | None = None) -> CoqAnswer:
    """Have the file checked. timeout: seconds of wall time, without those for the development; memory: bytes."""
    program = find_coqc()
    if program is None:
        return CoqAnswer("missing", MISSING)
    compiled = development(program)
    with tempfile.TemporaryDirectory(prefix="grundylab-") as folder:
        file = Path(folder, "theorem.v")
        file.write_text(text, encoding="utf-8")
        command = [program, "-q", "-Q", str(compiled), "Grundylab", file.name]
        output, status = run(command, folder, timeout, memory)
    if status is None:
        return CoqAnswer("timeout", f"Coq did not finish in {timeout:g} seconds")
    if status == 0 and output.rstrip().endswith(CLOSED):
        return CoqAnswer("accepted")
    if status < 0 or _MEMORY.search(output):
        return CoqAnswer("memory", "Coq ran out of memory")
    return CoqAnswer("rejected", _line(output))


def development(program: str) -> Path:
    """The folder of the compiled development; it takes some ten seconds once for each version of it."""
    source = shipped("coq")
    files = [line for line in Path(source, "_CoqProject").read_text().split() if line.endswith(".v")]
    version = subprocess.run([program, "--print-version"], capture_output=True, check=True).stdout
    parts = [version, *(Path(source, file).read_bytes() for file in files)]
    name = hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]
    folder = cache_folder() / f"coq-{name}"
    if folder.is_dir():
        return folder
    with tempfile.TemporaryDirectory(prefix=".coq-", dir=folder.parent) as made:
        for file in files:
            shutil.copy(source / file, made)
            output, status = run([program, "-q", "-Q", ".", "Grundylab", file], made, _COMPILING, None)
            if status != 0:
                raise GrundylabError(f"coq/{file}: {_line(output)}")
        try:
            Path(made).rename(folder)
        except OSError:  # somebody else was faster
            return folder
        Path(made).mkdir()  # for the end of the block
    return folder


def _line(output: str) -> str:
    return visible(" ".join(output.split()))[:300]
