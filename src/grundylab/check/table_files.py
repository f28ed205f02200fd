"""Files with the user's tables: CSV, TSV and Parquet, as far as pandas can read them; and folders of Parquet files."""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grundylab.errors import GrundylabError
from grundylab.files import os_error_text

if TYPE_CHECKING:
    import pandas as pd

NAMES = "a file *.csv, *.tsv or *.parquet, or a folder of Parquet files"
_TEXT = re.compile(r"\.([ct])sv(\.(gz|bz2|zip|xz|zst))?$", re.IGNORECASE)
_SEPARATORS = {"c": ",", "t": "\t"}
_PARQUET = re.compile(r"\.(parquet|pq)$", re.IGNORECASE)
_FAULTS = (ValueError, EOFError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)


def is_table(name: str) -> bool:
    """Tell whether the name has the ending of a table file, or is that of a folder with Parquet files.

    Any other name is that of a ruleset.
    """
    ending = _TEXT.search(name) or _PARQUET.search(name)
    return bool(ending) or (Path(name).is_dir() and any(Path(name).rglob("*.parquet")))


def read_table(name: str) -> pd.DataFrame:
    """Return the rows of the file as a data frame. Raises GrundylabError with the file's name if it cannot be read."""
    import pandas as pd
    import pyarrow as pa

    path, text = Path(name), _TEXT.search(name)  # never a URL
    with errors_with_file(name):
        try:
            if not path.is_dir():  # a folder of Parquet files is read below
                path.open("rb").close()
            if text is None:
                return pd.read_parquet(path)
            sep = _SEPARATORS[text[1].lower()]
            refuse_repeated(pd.read_csv(path, sep=sep, header=None, nrows=1, dtype=str).iloc[0].tolist())
            frame = pd.read_csv(path, sep=sep)
            first = frame.columns[0]
            numbered = first == "Unnamed: 0" and frame[first].tolist() == [*range(len(frame))]
            # without row numbers, which ``to_csv`` writes
            return frame.drop(columns=first) if numbered else frame
        except OSError as problem:
            if problem.errno is None:
                raise GrundylabError(f"pandas cannot read it as a table: {os_error_text(problem)}") from None
            raise GrundylabError(f"cannot read it: {os_error_text(problem)}") from None
        except (*_FAULTS, pa.ArrowException) as problem:
            words = (str(problem).splitlines() or ["it is cut off"])[0]
            kind = "Parquet" if text is None else f"{text[1].upper()}SV"
            raise GrundylabError(f"it is not a {kind} table: {words}") from None


def refuse_repeated(header: Iterable[object]) -> None:
    """Raise GrundylabError if two columns have the same name; pandas would rename them silently."""
    for column, count in Counter(header).items():
        if count > 1 and isinstance(column, str):
            raise GrundylabError(f"{count} columns are called '{column}'; rename or leave out all but one")


@contextmanager
def errors_with_file(name: str) -> Iterator[None]:
    """Add the file's name to every GrundylabError that is raised inside."""
    try:
        yield
    except GrundylabError as error:
        raise error.at(file=name) from None
