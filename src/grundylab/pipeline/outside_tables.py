"""Tables made by other programs, which a study may use for training, validation and testing.

A file, Parquet or CSV, has a row for each position: its coordinates, the parameters, and ``grundy`` or ``outcome`` ("P"
or "N"). The rules behind it are not known; so a ruleset is never verified with such a table, and nothing is proved
about it. It is read as the table of a game without moves, with an instance for each setting of the parameters.
Positions that engines see are no test: they are left out of the test tables, and named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from grundylab.check.data_frames import attributes_of, check_columns, check_name, column_integers, p_positions
from grundylab.check.table_files import errors_with_file, read_table
from grundylab.errors import GrundylabError, Place
from grundylab.games import Ruleset, make_instance
from grundylab.games.model import Parameter, Range, Ranged, Values, coordinate_sum
from grundylab.language.functions import Functions
from grundylab.language.names import user_name
from grundylab.language.syntax import Int, Name, compare
from grundylab.solve.table import GRUNDY_COLUMN, NO_POSITION, OUTCOME_COLUMN, Table

if TYPE_CHECKING:
    import pandas as pd

CELLS = 1 << 24  # the most cells of the box around the positions of one setting of the parameters
LARGEST = 1 << 31  # all values of a column must be smaller
_VALUE_COLUMNS = (GRUNDY_COLUMN, OUTCOME_COLUMN)


@dataclass(frozen=True)
class Columns:
    """The names of a table's columns: the coordinates of positions, and the parameters."""

    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]


def columns_of(files: Sequence[str], parameters: Sequence[str]) -> Columns:
    """Return the columns of the files, which must be the same in all.

    parameters: the columns that are parameters; if empty, those that a dataset of grundylab names. Raises
    GrundylabError if the files differ, lack such a column, or have one that no formula can mention.
    """
    columns: Columns | None = None
    for file in files:
        frame = _frame(file)
        about = attributes_of(frame)
        fixed = tuple(parameters or about.get("parameters", ()))
        ignored = {*_VALUE_COLUMNS, *about.get("bounds", ()), *fixed}
        if missing := [name for name in fixed if name not in frame.columns]:
            raise GrundylabError(f"there is no column '{missing[0]}' for the parameter", Place(file))
        with errors_with_file(file):
            check_columns(frame)
            mine = Columns(tuple(name for name in frame.columns if name not in ignored), fixed)
            for name in (*mine.coordinates, *mine.parameters):
                check_name(name)
        if columns not in (None, mine):
            raise GrundylabError(
                f"its columns are {', '.join((*mine.coordinates, *mine.parameters))}, and those of {files[0]} are "
                f"{', '.join((*columns.coordinates, *columns.parameters)) if columns else ''}",
                Place(file),
            )
        columns = mine
    if columns is None or not columns.coordinates:
        raise GrundylabError("no file has a column of coordinates")
    return columns


def positions_of(name: str, columns: Columns) -> Ruleset:
    """Return a game without moves whose positions and parameters are all values of these columns."""
    bound = user_name("N", (*columns.coordinates, *columns.parameters))
    sides = tuple(Ranged(coordinate, Range(Int(0), Name(bound))) for coordinate in columns.coordinates)
    return Ruleset(
        name=name,
        title="a table made elsewhere",
        coordinates=sides,
        moves=(),
        measure=coordinate_sum(columns.coordinates),
        parameters=tuple(
            Parameter(parameter, compare(">=", Name(parameter), Int(0))) for parameter in columns.parameters
        ),
        bounds=(bound,),
        functions=Functions((), tuple(columns.parameters)),
    )


def read_tables(ruleset: Ruleset, files: Sequence[str], values: Values) -> tuple[Table, ...]:
    """Return the tables in the files, one for each setting of the parameters, in the order of the parameters' values.

    values: "grundy" or "outcome", to be read from the files. Raises GrundylabError for a file that cannot be read, a
    missing column, a value that is not a non-negative integer, contradictory rows, and positions too far apart.
    """
    names, fixed = ruleset.coordinate_names, ruleset.parameter_names
    parts: dict[tuple[int, ...], list[tuple[npt.NDArray[Any], npt.NDArray[Any], str]]] = {}
    for file in files:
        frame = _frame(file)
        with errors_with_file(file):
            columns = {name: _integers(frame, name) for name in (*names, *fixed)}
            truth = _values(frame, values)
        positions = np.stack([columns[name] for name in names], axis=1)
        settings = np.stack([columns[name] for name in fixed], axis=1) if fixed else np.zeros((len(frame), 0))
        for setting in np.unique(settings, axis=0):
            rows = np.flatnonzero((settings == setting).all(axis=1))
            parts.setdefault(tuple(map(int, setting)), []).append((positions[rows], truth[rows], file))
    (bound,) = ruleset.bounds
    return tuple(
        _table(ruleset, dict(zip(fixed, setting, strict=True)), bound, parts[setting], values)
        for setting in sorted(parts)
    )


def without_seen(tables: Sequence[Table], seen: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables without the positions of the tables ``seen``; a table of which nothing is left is left out."""
    left = []
    for table in tables:
        values = table.values.copy()
        for other in seen:
            if other.instance.parameters == table.instance.parameters:
                common = tuple(map(slice, map(min, values.shape, other.values.shape)))
                values[common][other.values[common] != NO_POSITION] = NO_POSITION
        left.append(replace(table, values=values))
    return tuple(table for table in left if table.positions)


def overlaps(ruleset: Ruleset, tests: Sequence[str], seen: Sequence[str], values: Values) -> tuple[str, ...]:
    """Return a sentence for each test file and each file in ``seen`` that have positions in common.

    Raises GrundylabError if the files contradict each other, or as ``read_tables`` does.
    """
    read_tables(ruleset, [*seen, *tests], values)
    sentences = []
    for file, other in product(tests, seen):
        rows, others = _rows(ruleset, file), _rows(ruleset, other)
        _, group = np.unique(np.concatenate([rows, others]), axis=0, return_inverse=True)
        group = group.reshape(-1)
        common = np.flatnonzero(np.isin(group[: len(rows)], group[len(rows) :]))
        if common.size:
            first = zip(ruleset.formula_names, rows[common[0]].tolist(), strict=True)
            where = ", ".join(f"{name}={value}" for name, value in first)
            sentences.append(
                f"{file}: rows that {other} also has: {common.size:,} of {len(rows):,}, the first is row "
                f"{common[0] + 1:,} ({where}); they do not count as tests"
            )
    return tuple(sentences)


def _rows(ruleset: Ruleset, file: str) -> npt.NDArray[np.int64]:
    """Return the file's positions with their parameters: an array (rows, names of a formula)."""
    frame = _frame(file)
    with errors_with_file(file):
        return np.stack([_integers(frame, name) for name in ruleset.formula_names], axis=1)


def _table(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    bound: str,
    parts: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any], str]],
    values: Values,
) -> Table:
    file = parts[-1][2]
    size = max(int(positions.max()) for positions, _, _ in parts)
    if (size + 1) ** len(ruleset.coordinates) > CELLS:
        raise GrundylabError(
            f"its positions reach {size:,} in {len(ruleset.coordinates)} coordinates, which is more than {CELLS:,} "
            "cells; leave the largest out",
            Place(file),
        )
    instance = make_instance(ruleset, parameters, {bound: size})
    table = np.full(instance.shape, NO_POSITION, dtype=np.int32)
    for positions, truth, name in parts:
        cells = tuple(positions.T)
        before = table[cells]
        table[cells] = truth
        # contradictions of earlier files; the next line also finds those within this one
        repeated = (before != NO_POSITION) & (before != truth)
        if (wrong := np.flatnonzero(repeated | (table[cells] != truth))).size:
            row = dict(zip(ruleset.coordinate_names, positions[wrong[0]].tolist(), strict=True))
            where = ", ".join(f"{column}={value}" for column, value in {**parameters, **row}.items())
            raise GrundylabError(f"two rows with {where} contradict each other", Place(name))
    return Table(instance, values, table)


def _values(frame: pd.DataFrame, values: Values) -> npt.NDArray[np.int64]:
    """Return each row's Grundy number or, for the values "outcome", 0 for a P-position and 1 for an N-position."""
    if GRUNDY_COLUMN in frame.columns and not frame[GRUNDY_COLUMN].isna().any():
        numbers = _integers(frame, GRUNDY_COLUMN)
        return numbers if values == "grundy" else np.minimum(numbers, 1)
    if values == "grundy":
        raise GrundylabError(f"the targets need a column '{GRUNDY_COLUMN}' without gaps")
    if OUTCOME_COLUMN not in frame.columns:
        raise GrundylabError(f"it has neither a column '{GRUNDY_COLUMN}' nor '{OUTCOME_COLUMN}'")
    return np.where(p_positions(frame[OUTCOME_COLUMN]), 0, 1)


def _integers(frame: pd.DataFrame, name: str) -> npt.NDArray[np.int64]:
    """Return the column's numbers. Raises GrundylabError if there is no such column, or a number is out of range."""
    if name not in frame.columns:
        raise GrundylabError(f"it has no column '{name}'")
    numbers = column_integers(frame[name], name)
    for row in np.flatnonzero((numbers < 0) | (numbers >= LARGEST))[:1]:
        raise GrundylabError(
            f"column '{name}' is {numbers[row]} in row {row + 1}; it must be from 0 to {LARGEST - 1:,}"
        )
    return numbers


def _frame(file: str) -> pd.DataFrame:
    """Return the file's rows. Raises GrundylabError if it cannot be read, has only P-positions, or has no rows."""
    if Path(file).is_dir():
        raise GrundylabError("it is a folder; name the files in it", Place(file))
    if file.endswith(".p.parquet"):
        raise GrundylabError("it has only P-positions; name a table of all positions", Place(file))
    frame = read_table(file)
    if not len(frame):
        raise GrundylabError("it has no rows", Place(file))
    return frame
