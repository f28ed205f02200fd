"""Files that appear under their name only when they are whole."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grundylab.errors import GrundylabError, Place


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path`` that takes its name when the block ends well, and is removed otherwise."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        os.close(handle)
    except OSError as problem:
        raise GrundylabError(f"cannot write here: {problem.strerror}", Place(str(path))) from None
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as problem:
        raise GrundylabError(f"cannot write the file: {problem.strerror}", Place(str(path))) from None
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a whole file or none."""
    with whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, data: Any) -> None:  # noqa: ANN401 - whatever JSON holds
    """Write JSON that people can read and diff."""
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def read_json(path: Path, error: type[GrundylabError]) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The file's data; raises ``error`` if it is not there or not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise error(f"cannot read the file: {problem.strerror}", Place(str(path))) from None
    except (json.JSONDecodeError, UnicodeDecodeError) as problem:
        raise error(f"not JSON ({problem}); delete it and run again", Place(str(path))) from None
