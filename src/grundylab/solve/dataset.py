"""Datasets: a solved instance as Parquet, one row for each position, with the origin in the metadata.

Every dataset has columns of the same types, so that a folder of them can be read as one table: the coordinates in order
(int32), the parameters and the bounds (int64), ``grundy`` (int32; null if only outcomes were solved, as under misère
play) and ``outcome`` ("P" or "N", dictionary-encoded). Rows are in lexicographic order. A dataset of P-positions has
rows for these only; every other position is an N-position. A dataset is refused if its metadata do not match the
instance, or its values do not match its digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from grundylab.errors import DatasetError, Place
from grundylab.files import atomic_file
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.solve.origin import toolchain
from grundylab.solve.solving import PPositions
from grundylab.solve.table import (
    ATTRIBUTE,
    GRUNDY_COLUMN,
    NO_POSITION,
    OUTCOME_COLUMN,
    Table,
    frame_attributes,
    is_p_position,
)
from grundylab.version import __version__

FORMAT = 3
Stored = Values | Literal["p"]  # what a dataset holds; "p": the P-positions alone
_KEY = ATTRIBUTE.encode()
_ATTRIBUTES = b"PANDAS_ATTRS"  # the key from which pandas restores the ``attrs`` of a frame


def metadata(instance: Instance, kind: Stored) -> dict[str, Any]:
    """Return the metadata that a dataset of the instance must have, without the number of positions and the digest."""
    return {
        "format": FORMAT,
        "ruleset": instance.ruleset.name,
        "hash": instance.ruleset.hash,
        "parameters": dict(instance.parameters),
        "bounds": dict(instance.bounds),
        "play": instance.ruleset.play,
        "values": kind,
        "version": __version__,  # another version may have a corrected solver
    }


def write_dataset(table: Table, path: Path) -> None:
    """Write the table to ``path``, a slab (a block of rows) at a time; the file has a temporary name until complete."""
    described = metadata(table.instance, table.kind)
    described |= {"positions": table.positions, "rows": table.positions, "digest": _digest(table.values)}
    slabs = (
        _rows(table.instance, slab.coordinates, slab.values, table.kind)
        for slab in table.slabs(dtype=np.int32)
    )
    _write(path, table.instance, described, slabs)


def write_p_positions(p_positions: PPositions, path: Path) -> None:
    """Write a dataset of the P-positions alone to ``path``, as ``write_dataset`` does for a table."""
    described = metadata(p_positions.instance, "p")
    counts = {"positions": p_positions.positions, "rows": len(p_positions)}
    described |= {**counts, "digest": _digest(p_positions.cells)}
    slabs = (
        _rows(p_positions.instance, slab, np.zeros(len(slab[0]), dtype=np.int32), "outcome")
        for slab in p_positions.slabs()
    )
    _write(path, p_positions.instance, described, slabs)


def _digest(values: npt.NDArray[Any]) -> str:
    return hashlib.blake2b(np.ascontiguousarray(values).data, digest_size=16).hexdigest()


def _write(path: Path, instance: Instance, described: dict[str, Any], slabs: Iterable[pa.Table]) -> None:
    """Write a file with the metadata ``described`` and the rows of all slabs.

    While one slab is written, another thread makes the next.
    """
    attributes = {
        _KEY: json.dumps(described, sort_keys=True),
        _ATTRIBUTES: json.dumps({ATTRIBUTE: frame_attributes(instance)}, sort_keys=True),
    }
    tables = iter(slabs)
    with (
        atomic_file(path) as temporary,
        ThreadPoolExecutor(1) as maker,
        pq.ParquetWriter(
            temporary,
            _schema(instance).with_metadata(attributes),
            compression="zstd",
            compression_level=1,
            write_page_checksum=True,
            store_schema=True,
        ) as writer,
    ):
        following = maker.submit(next, tables, None)
        while (slab := following.result()) is not None:
            following = maker.submit(next, tables, None)
            writer.write_table(slab)
        # the schema's metadata are stored twice, so this is not among them
        writer.add_key_value_metadata({"made": json.dumps(toolchain())})


_OUTCOMES = pa.dictionary(pa.int8(), pa.string())


def _schema(instance: Instance) -> pa.Schema:
    ruleset = instance.ruleset
    return pa.schema(
        [
            *(pa.field(name, pa.int32(), nullable=False) for name in ruleset.coordinate_names),
            *(
                pa.field(name, pa.int64(), nullable=False)
                for name in (*ruleset.parameter_names, *ruleset.bounds)
            ),
            pa.field(GRUNDY_COLUMN, pa.int32()),
            pa.field(OUTCOME_COLUMN, _OUTCOMES, nullable=False),
        ]
    )


def _rows(
    instance: Instance, coordinates: Sequence[npt.NDArray[Any]], values: npt.NDArray[np.int32], kind: Values
) -> pa.Table:
    count = len(values)
    columns = [_arrow(column, pa.int32()) for column in coordinates]
    fixed = {**dict(instance.parameters), **dict(instance.bounds)}
    for name in (*instance.ruleset.parameter_names, *instance.ruleset.bounds):
        columns.append(_arrow(np.full(count, fixed[name], dtype=np.int64), pa.int64()))
    columns.append(_arrow(values, pa.int32()) if kind == "grundy" else pa.nulls(count, pa.int32()))
    codes = _arrow((~is_p_position(values)).astype(np.int8), pa.int8())
    ends = pa.py_buffer(np.array([0, 1, 2], dtype=np.int32))  # of the texts in b"PN"
    letters = pa.Array.from_buffers(pa.string(), 2, [None, ends, pa.py_buffer(b"PN")])
    columns.append(pa.DictionaryArray.from_arrays(codes, letters))
    return pa.Table.from_arrays(columns, schema=_schema(instance))


# Arrow's own conversions import pandas, which takes longer than solving most games; so arrays are passed as buffers.


def _arrow(values: npt.NDArray[Any], kind: pa.DataType) -> pa.Array:
    """Return the numbers as an Arrow array with the type ``kind``, which must have the same width."""
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def _numpy(array: pa.Array, kind: type[np.generic]) -> npt.NDArray[Any]:
    """Return the numbers of an Arrow array, whose type must have the width of ``kind``.

    Raises ValueError if some are missing.
    """
    if array.null_count:
        raise ValueError("a value is missing")
    return np.frombuffer(array.buffers()[1], dtype=kind)[array.offset : array.offset + len(array)]


def read_metadata(path: Path) -> dict[str, Any]:
    """Return the dataset's metadata. Raises DatasetError if they are damaged or not grundylab's."""
    try:
        raw = pq.read_metadata(path).metadata or {}
        described = json.loads(raw[_KEY])
    except FileNotFoundError:
        raise DatasetError("there is no such dataset", Place(str(path))) from None
    except (OSError, pa.ArrowException, KeyError, ValueError) as problem:
        raise DatasetError(
            f"not a dataset of grundylab ({_first_line(problem)}); {_REBUILD}", Place(str(path))
        ) from None
    if not isinstance(described, dict):
        raise DatasetError(f"its metadata are not readable; {_REBUILD}", Place(str(path)))
    return described


_REBUILD = "delete it and solve again"


def read_dataset(path: Path, instance: Instance, kind: Values) -> Table:
    """Return the table that the dataset of this instance holds.

    kind: the values wanted. Outcomes can also be read from a dataset of Grundy numbers or of P-positions. Raises
    DatasetError if the file is damaged, or was made from another ruleset, other parameters or bounds, or another
    version.
    """
    described = read_metadata(path)
    stored: Stored = described.get("values", "outcome")
    if stored == "p" and kind == "outcome":
        return _read_p_positions(path, described, instance).table()
    _check_metadata(path, described, instance, kind if stored != "grundy" else "grundy")
    values = np.full(instance.cells, NO_POSITION, dtype=np.int32)
    with _reading(path) as file:
        _check_columns(file, instance, described.get("rows"))
        for batch in file.iter_batches(batch_size=1 << 20):
            values[_cells(batch, instance)] = _values(batch, stored)
    _check_digest(path, described, values)
    if described.get("positions") != described.get("rows"):
        raise DatasetError(f"its metadata contradict each other; {_REBUILD}", Place(str(path)))
    if kind == "outcome":
        values = np.minimum(values, 1)
    return Table(instance, kind, values.reshape(instance.shape))


def read_p_positions(path: Path, instance: Instance) -> PPositions:
    """Return the P-positions in a dataset of P-positions. Raises DatasetError as ``read_dataset`` does."""
    return _read_p_positions(path, read_metadata(path), instance)


def _read_p_positions(path: Path, described: dict[str, Any], instance: Instance) -> PPositions:
    _check_metadata(path, described, instance, "p")
    with _reading(path) as file:
        _check_columns(file, instance, described.get("rows"))
        parts = [_cells(batch, instance) for batch in file.iter_batches(batch_size=1 << 20)]
    cells = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    _check_digest(path, described, cells)
    if np.any(np.diff(cells) <= 0):
        raise DatasetError(f"its rows are not in order; {_REBUILD}", Place(str(path)))
    return PPositions(instance, cells, described.get("positions", 0))


def _check_metadata(path: Path, described: dict[str, Any], instance: Instance, kind: Stored) -> None:
    for key, value in metadata(instance, kind).items():
        if described.get(key) != value:
            raise DatasetError(
                f"made for another {key} ({described.get(key)}, not {value}); {_REBUILD}", Place(str(path))
            )


def _check_digest(path: Path, described: dict[str, Any], values: npt.NDArray[Any]) -> None:
    """Raise DatasetError if the values do not have the digest that was written with them."""
    if _digest(values) != described.get("digest"):
        raise DatasetError(f"its rows are not those that were written; {_REBUILD}", Place(str(path)))


def _check_columns(file: pq.ParquetFile, instance: Instance, rows: object) -> None:
    """Raise ValueError unless the number of rows and the columns' names and types are those of ``_write``.

    The bytes of the columns are used without conversion, so other types would be misread.
    """
    schema, wanted = file.schema_arrow, _schema(instance)
    if schema.names != wanted.names:
        raise ValueError(f"its columns are {', '.join(schema.names)}, not {', '.join(wanted.names)}")
    for name in wanted.names:
        if schema.field(name).type != wanted.field(name).type:
            raise ValueError(f"{name} is {schema.field(name).type}, not {wanted.field(name).type}")
    if file.metadata.num_rows != rows:
        raise ValueError(f"{file.metadata.num_rows} rows, not {rows}")


@contextmanager
def _reading(path: Path) -> Iterator[pq.ParquetFile]:
    """Yield the open file; turn any error while it is read into a DatasetError."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            yield file
    except (OSError, pa.ArrowException, ValueError, LookupError) as problem:
        raise DatasetError(f"it is damaged ({_first_line(problem)}); {_REBUILD}", Place(str(path))) from None


def _cells(batch: pa.RecordBatch, instance: Instance) -> npt.NDArray[np.int64]:
    """Return for each row the number of its cell; the cells of the box are numbered in lexicographic order.

    Raises ValueError for a position outside the box, or for parameters or bounds of another instance.
    """
    for name, value in (*instance.parameters, *instance.bounds):
        if (_numpy(batch.column(name), np.int64) != value).any():
            raise ValueError(f"{name} is not {value} in every row")
    sides = zip(instance.ruleset.coordinate_names, instance.box, strict=True)
    offsets = [_numpy(batch.column(name), np.int32).astype(np.int64) - side.low for name, side in sides]
    return np.asarray(np.ravel_multi_index(offsets, instance.shape), dtype=np.int64)


def _values(batch: pa.RecordBatch, stored: Stored) -> Any:  # noqa: ANN401 - int32 array
    """Return the values of the rows. Raises ValueError if the columns ``grundy`` and ``outcome`` disagree."""
    outcome = batch.column(OUTCOME_COLUMN)
    codes = _numpy(outcome.indices, np.int8)
    outcomes = np.where(np.asarray(outcome.dictionary.to_pylist())[codes] == "P", 0, 1)
    if stored != "grundy":
        if batch.column(GRUNDY_COLUMN).null_count < len(batch):
            raise ValueError(f"{GRUNDY_COLUMN} has values, although only outcomes were solved")
        return outcomes
    grundy = _numpy(batch.column(GRUNDY_COLUMN), np.int32)
    if not np.array_equal(outcomes, np.minimum(grundy, 1)):
        raise ValueError(f"{OUTCOME_COLUMN} is not what {GRUNDY_COLUMN} says")
    return grundy


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]


def dataset_name(instance: Instance, kind: Stored = "grundy") -> str:
    """Return the file name of an instance's dataset: ``m=8-N=64.parquet``, or ``….p.parquet`` for P-positions alone."""
    return f"{instance.label.replace(',', '-')}{'.p.parquet' if kind == 'p' else '.parquet'}"


def dataset_path(instance: Instance, kind: Stored = "grundy", folder: Path = Path("data")) -> Path:
    """Return the path at which ``grundylab solve`` keeps an instance's dataset: ``data/RULESET/m=8-N=64.parquet``."""
    return folder / instance.ruleset.name / dataset_name(instance, kind)
