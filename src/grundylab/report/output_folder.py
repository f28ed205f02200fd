"""Output folders that are replaced as a whole, so that no reader sees half of the new files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from grundylab.errors import GrundylabError, Place
from grundylab.files import os_error_text, sync, temporary_name


def write_folder(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Replace the folder by one with these files, by their paths below it.

    The files are first written into a temporary folder next to it, so that a reader never sees half of them. Raises
    GrundylabError at the folder if it cannot be written, and ValueError for a path that is not below it.
    """
    for name in files:
        below = PurePosixPath(name)
        if below.is_absolute() or ".." in below.parts:
            raise ValueError(f"{name} is not below the folder")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = folder.parent / temporary_name(folder)
        temporary.mkdir()  # with the mode of umask
    except OSError as problem:
        raise GrundylabError(f"cannot write here: {os_error_text(problem)}", Place(str(folder))) from None
    try:
        for name, content in files.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            sync(path)
        _exchange(temporary, folder)
    except OSError as problem:
        raise GrundylabError(
            f"cannot write the folder: {os_error_text(problem)}", Place(str(folder))
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _exchange(new: Path, folder: Path) -> None:
    """Replace the old folder by the new one, in two renames, since no rename overwrites a folder with files.

    If the second rename fails, the old folder is put back.
    """
    if not folder.is_dir():
        new.replace(folder)
        return
    old = folder.parent / temporary_name(folder, ".old")
    old.mkdir()
    try:
        os.replace(folder, old)
        try:
            new.replace(folder)
        except OSError:
            os.replace(old, folder)
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
