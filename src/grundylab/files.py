"""Atomic writing of files, and reading of JSON and other files up to a size limit."""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.resources import files
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

from grundylab.errors import GrundylabError, Place

AGAIN = "delete it and run 'make run'"

# the date of every file in an archive: equal files then give equal archives
_OLDEST = 1980, 1, 1, 0, 0, 0
CACHE_VARIABLE = "GRUNDYLAB_CACHE"
MAX_JSON = 100_000_000  # bytes; the catalogue of the default studies has a million bytes
# Control characters, plain or escaped, except \t, \n and \r. A terminal would obey them. grundylab never writes them,
# since no ruleset may contain one.
_CONTROL = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_ESCAPED = re.compile(
    r"(?<!\\)(?:\\\\)*\\u(?:00[01][0-9a-fA-F]|00[7][fF]|00[89][0-9a-fA-F]|202[89a-eA-E]|206[6-9]|[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def package_folder(folder: str) -> Path:
    """Return the folder ``rulesets``, ``surveys`` or ``papers`` of the installed package."""
    return Path(str(files("grundylab") / folder))


def find_folder(folder: str) -> Path:
    """Return the folder of this name below the current folder if it exists, else the one in the installed package."""
    return Path(folder) if Path(folder).is_dir() else package_folder(folder)


def cache_folder() -> Path:
    """Return a writable folder for compiled code: $GRUNDYLAB_CACHE, by default ``grundylab`` in the user's cache.

    A new temporary folder takes its place if it cannot be made or written to.
    """
    base = os.environ.get(CACHE_VARIABLE)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(base) if base else home / "grundylab"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="grundylab-"))
    return folder if os.access(folder, os.W_OK) else Path(tempfile.mkdtemp(prefix="grundylab-"))


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file beside ``path``, which is renamed to ``path`` if the block succeeds, and else removed.

    The file is flushed to the disk before it is renamed. Raises GrundylabError, which names the path, if the file
    cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.parent / temporary_name(path)
        temporary.touch(exist_ok=False)  # with the mode of umask
    except OSError as problem:
        raise GrundylabError(f"cannot write here: {problem.strerror}", Place(str(path))) from None
    try:
        yield temporary
        sync(temporary)
        temporary.replace(path)
        with suppress(OSError):  # some file systems cannot synchronise a folder
            sync(path.parent)
    except OSError as problem:
        raise GrundylabError(f"cannot write the file: {os_error_text(problem)}", Place(str(path))) from None
    finally:
        with suppress(OSError):  # for example on a disk that has just become read-only
            temporary.unlink(missing_ok=True)


def temporary_name(path: Path, suffix: str = ".tmp") -> str:
    """Return a name for a temporary file that is later renamed to the path.

    The name contains the process id, by which a later run recognises files that a killed run has left.
    """
    return f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}{suffix}"


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def os_error_text(problem: OSError) -> str:
    """Return the operating system's description of the error, without error number and file name."""
    if problem.errno is not None:
        return os.strerror(problem.errno)
    return " ".join(str(problem).split())


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a binary file atomically."""
    with atomic_file(path) as temporary:
        temporary.write_bytes(content)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive of the files (contents by name); equal files give equal bytes."""
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, text in files.items():
            packed.writestr(zipfile.ZipInfo(name, _OLDEST), text, zipfile.ZIP_DEFLATED, compresslevel=9)
    return written.getvalue()


def write_json(path: Path, data: Any) -> None:  # noqa: ANN401 - whatever JSON holds
    """Write the data atomically as indented JSON, which people can read and diff."""
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def read_record(path: Path, error: type[GrundylabError]) -> dict[str, Any]:
    """Return the JSON object in a file; raise ``error`` if the file is missing or holds no JSON object."""
    data = read_json(path, error)
    if not isinstance(data, dict):
        raise error(f"not a record of grundylab; {AGAIN}", Place(str(path)))
    return data


def read_json(path: Path, error: type[GrundylabError], again: str = AGAIN) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return the data in a JSON file; raise ``error`` if the file is missing or not JSON as grundylab writes it.

    again: the remedy that the error's message names, such as how to make the file anew.
    """
    try:
        text = read_limited(path, MAX_JSON, error).decode("utf-8")
        data = json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (
        ValueError
    ) as problem:  # wrong syntax, wrong UTF-8, or an integer with more digits than Python reads
        raise error(f"not JSON ({problem}); {again}", Place(str(path))) from None
    except RecursionError:
        raise error(f"not JSON of grundylab (nested too deeply); {again}", Place(str(path))) from None
    escaped = _ESCAPED.search(text) if "\\u" in text else None  # a slow search, avoided in most files
    if control := _CONTROL.search(text) or escaped:
        line = text.count("\n", 0, control.start()) + 1
        raise error(
            f"not JSON of grundylab (it has a control character); {again}",
            Place(str(path), line),
        )
    return data


def _finite(text: str) -> float:
    """Return the text as a number; raise ValueError if it is infinite or NaN."""
    if not isfinite(number := float(text)):
        raise ValueError(f"{text[:20]} is not a number")
    return number


def read_limited(path: Path, most: int, error: type[GrundylabError]) -> bytes:
    """Return a file's content; raise ``error`` if it is missing, not a regular file, or larger than ``most`` bytes."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise error("not a regular file", Place(str(path)))
        if status.st_size > most:
            message = f"the file has {status.st_size:,} bytes; the limit is {most:,}"
            raise error(message, Place(str(path)))
        with path.open("rb") as file:
            return file.read(most)
    except OSError as problem:
        raise error(f"cannot read the file: {problem.strerror}", Place(str(path))) from None
