"""The origin of results: the version, the files of the rulesets, the seed and the packages, but no time."""

from __future__ import annotations

import hashlib
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from grundylab.version import __version__

Origin = dict[str, Any]
_PATIENCE = 60  # seconds for MONA's first line: "unknown" would change the file of the same result


def result_header(files: Mapping[str, str], seed: int, number: str = __version__) -> Origin:
    """Return the header of a study's result.

    files: the SHA-256 of each file of the rulesets. number: the version of grundylab.
    """
    names = ruleset_names(files)
    rulesets = {names[file]: digest for file, digest in files.items()}
    return {"version": number, "rulesets": rulesets, "seed": seed, "packages": package_versions()}


def ruleset_names(files: Iterable[str]) -> dict[str, str]:
    """Return a name for each ruleset file: its name without ending, with the folder in front if that name is taken.

    Two files of one name occur where a game extends a ruleset of grundylab with its own name.
    """
    names: dict[str, str] = {}
    for file in files:
        name = Path(file).stem
        names[file] = f"{Path(file).parent.name}/{name}" if name in names.values() else name
    return names


def file_digests(files: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each file, in hexadecimal digits."""
    return {file: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files}


def toolchain() -> Origin:
    """Return the versions of grundylab, its packages, Python and MONA."""
    return {"version": __version__, "packages": package_versions()}


@cache
def package_versions() -> Mapping[str, str]:
    """Return the versions of Python, of the packages that grundylab requires, and of MONA; ``missing`` for none."""
    try:
        names: Sequence[str] = requires("grundylab") or ()
    except PackageNotFoundError:  # run from a source tree that is not installed
        names = ()
    versions = {"python": platform.python_version()}
    for name in sorted(re.split(r"[^\w.-]", requirement)[0] for requirement in names):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "missing"
    return {**versions, "mona": _mona()}


def _mona() -> str:
    """Return MONA's version as the program prints it; ``missing`` without MONA, ``unknown`` without an answer."""
    from grundylab.logic.mona import find_mona

    program = find_mona()
    if program is None:
        return "missing"
    try:
        done = subprocess.run(
            [program],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    match = re.search(r"MONA v(\S+)", done.stdout + done.stderr)
    return match[1] if match else "unknown"
