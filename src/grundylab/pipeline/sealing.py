"""Seals: a file that carries the SHA-256 of all its other bytes, so that damage is known when it is read.

A sealed file has, somewhere near its end, ``grundylab-sha256:`` and 64 hexadecimal digits: the digest of the file with
zeros in their place. So JSON stays JSON and Parquet stays Parquet, and there is no second file that could get lost.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import BinaryIO

_LABEL = b"grundylab-sha256:"
_ZEROS = b"0" * 64
_NEAR_END = 1 << 16  # bytes: behind the seal are a few kilobytes of a Parquet file's schema at most
_CHUNK = 1 << 20

OPEN_SEAL = (_LABEL + _ZEROS).decode()  # what the writer puts into the file, for ``seal`` to fill in


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
