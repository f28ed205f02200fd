"""Questions to PySR, which runs in a process of its own, and the test whether it is available.

Importing PySR starts Julia, in which it searches. So a separate process imports it (``pysr_run.py``), and only if Julia
and its packages are installed: nothing is downloaded, and nothing is created in the Python environment.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import Any

from grundylab.files import cache_folder

STARTING = 900  # seconds that the first fit may take: Julia compiles most of PySR then
RUN = Path(__file__).parent / "pysr_run.py"
# Nothing is downloaded. PySR searches in one thread; to set a number of threads here would only cause a warning.
ENVIRONMENT = {
    "PYTHON_JULIAPKG_OFFLINE": "yes",
    "JULIA_PKG_OFFLINE": "true",
    "PYTHON_JULIACALL_THREADS": "auto",
    "PYTHON_JULIACALL_HANDLE_SIGNALS": "yes",
}
NOT_INSTALLED = "the package pysr is not installed"
ASKING = 10  # seconds for ``julia --version``
# PySR's own requirement (``juliapkg.json`` of PySR 2.7.2): this version, or the other one and any later.
JULIA_TOO, OLDEST_JULIA = (1, 10, 0), (1, 10, 3)
ENGINE_PACKAGE = "SymbolicRegression"  # the package of Julia in which PySR searches


class Unavailable(Exception):
    """Failure to get an answer from PySR; the message gives the reason."""


class Ended(Unavailable):
    """End of PySR's process before it answered."""


# -- availability --------------------------------------------------------------------------------------


def unavailable() -> str | None:
    """Return the reason why PySR is not available; None if it is.

    Nothing is written, and no program but ``julia --version`` is run.
    """
    try:
        julia()
    except Unavailable as reason:
        return str(reason)
    return None


def julia() -> str:
    """Return the Julia executable that PySR would start. Raise Unavailable if there is none, or no PySR."""
    if importlib.util.find_spec("pysr") is None:
        raise Unavailable(NOT_INSTALLED)
    if named := os.environ.get("PYTHON_JULIAPKG_EXE"):
        if (program := shutil.which(named)) is None:
            raise Unavailable(f"PYTHON_JULIAPKG_EXE names '{named}', which is not a program")
        number = julia_version(program)
        if not number:
            raise Unavailable(f"PYTHON_JULIAPKG_EXE names '{named}', which is not a Julia executable")
        numbers = tuple(map(int, re.findall(r"\d+", number)[:3]))
        if numbers < OLDEST_JULIA and numbers != JULIA_TOO:
            least = ".".join(map(str, OLDEST_JULIA))
            raise Unavailable(
                f"PYTHON_JULIAPKG_EXE names Julia {number}, which is too old for PySR: it needs {least} or newer"
            )
        return program
    try:
        record = json.loads((project() / "pyjuliapkg" / "meta.json").read_text())  # by PySR's installer
    except (OSError, ValueError):
        record = None
    recorded = str(record.get("executable", "")) if isinstance(record, dict) else ""
    if program := shutil.which(recorded):
        return program
    raise Unavailable(
        "PYTHON_JULIAPKG_EXE names no Julia, and PySR is not set up in this environment; "
        "'JULIA=yes make run', or 'import pysr' in Python, fetches what it needs once"
    )


def project() -> Path:
    """Return the folder in which PySR's installer, juliapkg, keeps Julia and its project: a list of its packages."""
    if named := os.environ.get("PYTHON_JULIAPKG_PROJECT"):
        return Path(named)
    environment = sys.prefix if sys.prefix != sys.base_prefix else os.environ.get("CONDA_PREFIX")
    if environment:
        return Path(environment) / "julia_env"
    depot = os.environ.get("JULIA_DEPOT_PATH", "").split(os.pathsep)[0] or "~/.julia"
    return Path(depot).expanduser() / "environments" / "pyjuliapkg"


@cache
def julia_version(program: str) -> str:
    """Return the version of a Julia executable, such as ``1.10.10``; empty if the program is something else."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=ASKING, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.match(rb"julia version (\d+\.\d+\S*)", done.stdout)
    return match[1].decode() if match else ""


def used_project() -> Path:
    """Return the project of Julia with which PySR runs: PySR's own or, if it was never set up, one in our cache."""
    return project() if project().is_dir() else cache_folder().resolve() / "julia_env"


def package_version(folder: Path) -> str:
    """Return the version of ENGINE_PACKAGE in a project of Julia; empty if the project does not have it."""
    for file in sorted(folder.glob("Manifest*.toml")):
        try:
            (entry,) = tomllib.loads(file.read_text())["deps"][ENGINE_PACKAGE]
            return str(entry["version"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return ""


def versions() -> dict[str, str]:
    """Return the versions of PySR, of Julia, and of the package in which PySR searches, as far as they are known."""
    numbers = {
        "PySR": version("pysr"),
        "Julia": julia_version(julia()),
        f"{ENGINE_PACKAGE}.jl": package_version(used_project()),
    }
    return {name: number for name, number in numbers.items() if number}


# -- questions -------------------------------------------------------------------------------------------------


@cache
def worker(process: int) -> Worker:
    """Return the worker for the Python process with this id; a forked process gets its own."""
    made = Worker()
    atexit.register(lambda: made.close() if os.getpid() == process else None)
    return made


class Worker:
    """PySR's process, started with the first question and kept for later ones.

    If the process ends before it answers, it is started again and asked once more. If it ends again, or does not answer
    in time, this question and all later ones fail with the same reason. seconds: processor time of all answers, without
    the start of the process. starts: how often the process was started.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.starts = 0
        self._process: _Process | None = None
        self._reason = ""

    def ask(self, question: Mapping[str, Any], patience: float) -> Any:  # noqa: ANN401 - whatever JSON holds
        """Return PySR's equations for a question as ``pysr_run.py`` reads it. Raise Unavailable if there is no answer.

        patience: seconds to wait before the process is ended; an answer does not depend on it.
        """
        if self._reason:
            raise Unavailable(self._reason)
        try:
            with suppress(Ended):
                return self._answer(question, patience)
            self.close()
            return self._answer(question, patience)
        except Unavailable as reason:
            self._reason = str(reason)
            self.close()
            raise

    def close(self) -> None:
        """End the process, if it runs, and all processes that it started."""
        if self._process:
            self._process.close()
        self._process = None

    def _answer(self, question: Mapping[str, Any], patience: float) -> Any:  # noqa: ANN401
        if self._process is None:
            self.starts += 1
            self._process = _Process()
            warming = {**question, "settings": {**question["settings"], "max_evals": 1}}
            try:
                self._process.exchange(warming, STARTING)
            except Ended as reason:
                if package_version(used_project()):
                    raise
                missing = f"{used_project()} has no {ENGINE_PACKAGE}.jl"
                raise Ended(
                    f"{reason} ({missing}; 'import pysr' in Python fetches what is missing)"
                ) from None
        answer = self._process.exchange(question, patience)
        self.seconds += answer["seconds"]
        return answer["equations"]


class _Process:
    """A running ``pysr_run.py``, with a temporary folder of its own."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="grundylab-pysr-")
        self._errors = Path(self._folder.name) / "errors"
        environment = {**os.environ, **ENVIRONMENT}
        if used_project() != project():  # a variable names Julia: its packages go to our cache
            environment.setdefault("PYTHON_JULIAPKG_PROJECT", str(used_project()))
        try:
            with self._errors.open("wb") as errors:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", str(RUN)],  # -P: without this folder on the path
                    env=environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    start_new_session=True,
                )
        except OSError as problem:
            raise Unavailable(str(problem)) from None

    def exchange(self, question: Mapping[str, Any], patience: float) -> Any:  # noqa: ANN401 - whatever JSON holds
        """Send a question to the process and return the answer, each a line of JSON.

        Raise Ended, with Julia's first error or else the last line of its output, if the process ends before it
        answers, Unavailable if it does not answer in ``patience`` seconds.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        started = monotonic()
        guard = Timer(patience, self._end)
        guard.start()
        try:
            self._process.stdin.write(json.dumps({**question, "folder": self._folder.name}).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            guard.cancel()
            guard.join()
        if line.endswith(b"\n"):
            return json.loads(line)
        self._process.wait()
        if monotonic() - started >= patience:
            raise Unavailable(f"no answer after {patience:g} seconds")
        status = self._process.returncode
        if status < 0:
            raise Ended(f"it was ended by signal {-status}")
        if not status:
            raise Ended("it ended without an answer")
        text = self._errors.read_text(errors="replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
        raise Ended(next(iter(errors + lines[::-1]), f"it ended with status {status}"))

    def close(self) -> None:
        self._end()
        self._process.communicate()
        self._folder.cleanup()

    def _end(self) -> None:
        """Kill the process, if it still runs, and the processes that it started."""
        if self._process.poll() is None:
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
