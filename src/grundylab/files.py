"""Files that appear under their name only when they are whole, and that say whether they still are.

A sealed file carries the SHA-256 of all its other bytes, so that damage is known when it is read: it has, somewhere
near its end, ``grundylab-sha256:`` and 64 hexadecimal digits, the digest of the file with zeros in their place. So JSON
stays JSON and Parquet stays Parquet, and there is no second file that could get lost.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO

from grundylab.errors import GrundylabError, Place

_LABEL = b"grundylab-sha256:"
_ZEROS = b"0" * 64
_NEAR_END = 1 << 16  # bytes: behind the seal are a few kilobytes of a Parquet file's schema at most
_CHUNK = 1 << 20

OPEN_SEAL = (_LABEL + _ZEROS).decode()  # what the writer puts into the file, for ``seal`` to fill in
_SEAL = "seal"  # the key of a record's seal: the last one
AGAIN = "delete it and run 'make run'"

MAX_JSON = 100_000_000  # bytes of a JSON file that is read; the default studies' catalogue has a million
# Control characters, plain or escaped, but for those that JSON writes as \t, \n and \r. Nothing that grundylab writes
# has one, for no ruleset may, and a terminal would obey it.
_CONTROL = re.compile(
    r"(?<!\\)(?:\\\\)*\\u(?:00[01][0-9a-fA-F]|00[7][fF]|00[89][0-9a-fA-F]|202[89a-eA-E]|206[6-9]|[dD][89a-fA-F][0-9a-fA-F]{2})"
    "|[\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
)


def shipped(folder: str) -> Path:
    """The folder ``rulesets`` or ``papers`` that comes with grundylab, wherever that is installed."""
    return Path(str(files("grundylab") / folder))


def here_or_shipped(folder: str) -> Path:
    """The folder of that name in the current one if there is one, else the one that comes with grundylab."""
    return Path(folder) if Path(folder).is_dir() else shipped(folder)


@contextmanager
def whole(path: Path, sealed: bool = False) -> Iterator[Path]:
    """A temporary file beside ``path`` that takes its name when the block ends well, and is removed otherwise.

    sealed: the block writes ``OPEN_SEAL`` into it, which is filled in. What has the name is on the disk, too.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.{os.getpid()}.", suffix=".tmp")
        os.close(handle)
    except OSError as problem:
        raise GrundylabError(f"cannot write here: {problem.strerror}", Place(str(path))) from None
    temporary = Path(name)
    try:
        yield temporary
        if sealed:
            seal(temporary)
        sync(temporary)
        temporary.chmod(0o644)
        temporary.replace(path)
        with suppress(OSError):  # not every file system can
            sync(path.parent)
    except OSError as problem:
        raise GrundylabError(f"cannot write the file: {said(problem)}", Place(str(path))) from None
    finally:
        with suppress(OSError):  # as of a disk that has just become read-only
            temporary.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Have the file, or the folder's names, written to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def said(problem: OSError) -> str:
    """The system's words, without the number and the file's name."""
    if problem.errno is not None:
        return os.strerror(problem.errno)
    return " ".join(str(problem).split())


def write_text(path: Path, text: str) -> None:
    """Write a whole file or none."""
    with whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, data: Any) -> None:  # noqa: ANN401 - whatever JSON holds
    """Write JSON that people can read and diff."""
    write_text(path, _text(data))


def write_record(path: Path, data: Mapping[str, Any]) -> None:
    """Write JSON that another stage reads: its last key is its seal."""
    with whole(path, sealed=True) as temporary:
        temporary.write_text(_text({**data, _SEAL: OPEN_SEAL}), encoding="utf-8")


def _text(data: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def read_record(path: Path, error: type[GrundylabError]) -> dict[str, Any]:
    """What ``write_record`` has written; raises ``error`` if it is not there, or not as it was written."""
    _check_readable(path, MAX_JSON, error)
    try:
        wrong = fault(path)
    except OSError as problem:
        raise error(f"cannot read the file: {problem.strerror}", Place(str(path))) from None
    if wrong:
        raise error(f"{wrong}; {AGAIN}", Place(str(path)))
    data = read_json(path, error)
    if not isinstance(data, dict):
        raise error(f"not a record of grundylab; {AGAIN}", Place(str(path)))
    return {key: value for key, value in data.items() if key != _SEAL}


def read_json(path: Path, error: type[GrundylabError]) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The file's data; raises ``error`` if it is not there or not JSON."""
    try:
        text = read_limited(path, MAX_JSON, error).decode("utf-8")
        found = json.loads(text, parse_float=_finite, parse_constant=_finite)
    except ValueError as problem:  # the syntax, UTF-8, or an integer with more digits than Python reads
        raise error(f"not JSON ({problem}); {AGAIN}", Place(str(path))) from None
    except RecursionError:
        raise error(f"not JSON of grundylab (nested too deeply); {AGAIN}", Place(str(path))) from None
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        raise error(
            f"not JSON of grundylab (it has a control character); {AGAIN}",
            Place(str(path), line),
        )
    return found


def _finite(text: str) -> float:
    """The number; ValueError for one that is infinite or none, which no whole number could be made of."""
    if not isfinite(number := float(text)):
        raise ValueError(f"{text[:20]} is no number")
    return number


def read_limited(path: Path, most: int, error: type[GrundylabError]) -> bytes:
    """The bytes of a file; raises ``error`` if it is not there, no plain file (a device never ends), or too large."""
    _check_readable(path, most, error)
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as problem:
        raise error(f"cannot read the file: {problem.strerror}", Place(str(path))) from None


def _check_readable(path: Path, most: int, error: type[GrundylabError]) -> None:
    try:
        found = path.stat()
    except OSError as problem:
        raise error(f"cannot read the file: {problem.strerror}", Place(str(path))) from None
    if not stat.S_ISREG(found.st_mode):
        raise error("not a plain file", Place(str(path)))
    if found.st_size > most:
        raise error(f"the file has {found.st_size:,} bytes; at most {most:,} are read", Place(str(path)))


def seal(path: Path) -> None:
    """Fill in the seal of a file in which ``OPEN_SEAL`` stands. Raises ValueError if it does not."""
    with path.open("r+b") as file:
        place = _place(file)
        if place is None:
            raise ValueError("the file has no place for a seal")
        file.seek(place)
        file.write(_digest(file, place))


def fault(path: Path) -> str | None:
    """What is wrong with a sealed file, or None if it is as it was written. Raises OSError if it cannot be read."""
    with path.open("rb") as file:
        place = _place(file)
        if place is None:
            return "it is damaged, or not of this version of grundylab"
        file.seek(place)
        said = file.read(len(_ZEROS))
        if said != _digest(file, place):
            return "it is damaged, or was changed by hand (its checksum is another)"
    return None


def _place(file: BinaryIO) -> int | None:
    """Where the seal's digits are."""
    size = file.seek(0, 2)
    start = max(0, size - _NEAR_END)
    file.seek(start)
    found = list(re.finditer(_LABEL + rb"[0-9a-f]{64}", file.read()))
    return start + found[-1].start() + len(_LABEL) if found else None


def _digest(file: BinaryIO, place: int) -> bytes:
    """The digest of the file with zeros at the place; the file is left at the place."""
    digest = hashlib.sha256()
    file.seek(0)
    left = place
    while left and (part := file.read(min(left, _CHUNK))):
        digest.update(part)
        left -= len(part)
    digest.update(_ZEROS)
    file.seek(place + len(_ZEROS))
    while part := file.read(_CHUNK):
        digest.update(part)
    file.seek(place)
    return digest.hexdigest().encode()
