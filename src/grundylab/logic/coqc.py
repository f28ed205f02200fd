"""The call of Coq's compiler on a file. The development that the file imports (``coq/``) is compiled once and kept."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grundylab.errors import GrundylabError, visible
from grundylab.files import cache_folder, package_folder
from grundylab.logic.program import run_program

MISSING = "Coq is not installed (Debian and Ubuntu: apt-get install coq; Homebrew: brew install coq)"
CLOSED = "Closed under the global context"  # Coq's words for a theorem that rests on no axiom
_MEMORY = re.compile(r"out of memory|not enough memory|stack overflow", re.I)

CoqStatus = Literal["accepted", "rejected", "timeout", "memory", "missing", "not written"]


@dataclass(frozen=True)
class CoqAnswer:
    """Coq's answer on a file.

    status: ``accepted`` if the file's theorem is proved without axioms, ``not written`` if there is no file to check,
    or else why there is no proof. reason: the same in words, unless accepted. file: the file's path, if it is kept.
    """

    status: CoqStatus
    reason: str | None = None
    file: str | None = None


def find_coqc() -> str | None:
    """Return the path of the program named by GRUNDYLAB_COQC, by default ``coqc``; None if there is none."""
    return shutil.which(os.environ.get("GRUNDYLAB_COQC") or "coqc")


def run_coqc(text: str, *, timeout: float, memory: int | None = None) -> CoqAnswer:
    """Return Coq's answer on a file with this text.

    timeout: seconds of wall time, without the compilation of the development. memory: bytes that Coq may use.
    """
    program = find_coqc()
    if program is None:
        return CoqAnswer("missing", MISSING)
    library = ["-Q", str(compiled_development(program)), "Grundylab"]
    with tempfile.TemporaryDirectory(prefix="grundylab-") as folder:
        file = Path(folder, "theorem.v")
        file.write_text(text, encoding="utf-8")
        output, status = run_program([program, "-q", *library, file.name], folder, timeout, memory)
    if status is None:
        return CoqAnswer("timeout", f"Coq did not finish in {timeout:g} seconds")
    if status == 0 and output.rstrip().endswith(CLOSED):
        return CoqAnswer("accepted")
    if status < 0 or _MEMORY.search(output):
        return CoqAnswer("memory", "Coq ran out of memory")
    return CoqAnswer("rejected", _line(output))


def compiled_development(program: str) -> Path:
    """Return the folder of the compiled development, compiling it if this version is not in the cache.

    program: the path of Coq's compiler. The compilation takes about ten seconds. Raises GrundylabError if it fails.
    """
    source = package_folder("coq")
    files = [line for line in Path(source, "_CoqProject").read_text().split() if line.endswith(".v")]
    version = subprocess.run([program, "--print-version"], capture_output=True, check=True).stdout
    parts = [version, *(Path(source, file).read_bytes() for file in files)]
    name = hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]
    folder = cache_folder() / f"coq-{name}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(prefix=".coq-", dir=folder.parent) as beside:
            made = shutil.copytree(source, Path(beside, "coq"))
            for file in files:
                command = [program, "-q", "-Q", ".", "Grundylab", file]
                output, status = run_program(command, str(made), 600, None)  # the limit is for a busy machine
                if status != 0:
                    raise GrundylabError(f"coq/{file}: {_line(output)}")
            with suppress(OSError):  # another process made the folder first
                made.rename(folder)
    return folder


def _line(output: str) -> str:
    return visible(" ".join(output.split()))[:300]
