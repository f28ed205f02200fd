"""Datasets: a solved instance as Parquet, one row a position, with what it was made from in its metadata.

Columns: the coordinates in order (int32), ``grundy`` (int32; not in a dataset of outcomes alone) and ``outcome``
("P" or "N", dictionary-encoded). Rows are in lexicographic order. A dataset of P-positions alone has the coordinates of
these: every other position is an N-position. A dataset that does not say that it is of the instance asked for is never
used.
"""

from __future__ import annotations

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
from grundylab.files import whole
from grundylab.games.instance import Instance
from grundylab.games.model import Values
from grundylab.solve.made import toolchain
from grundylab.solve.solving import PPositions
from grundylab.solve.table import NO_POSITION, Slab, Table, is_p_position
from grundylab.version import __version__

FORMAT = 2
Stored = Values | Literal["p"]  # what a dataset has of each position, or that it has the P-positions alone
_KEY = b"grundylab"


def metadata(instance: Instance, kind: Stored) -> dict[str, Any]:
    """What a dataset of the instance must say of itself (but for the number of positions)."""
    return {
        "format": FORMAT,
        "ruleset": instance.ruleset.name,
        "hash": instance.ruleset.hash,
        "parameters": dict(instance.parameters),
        "bounds": dict(instance.bounds),
        "play": instance.ruleset.play,
        "values": kind,
        "version": __version__,  # another version may have mended the solver
    }


def write_dataset(table: Table, path: Path) -> None:
    """Write the table to ``path``, in slabs, under a temporary name until it is whole."""
    described = {**metadata(table.instance, table.kind), "positions": table.positions}
    schema = _schema(table)
    _write(path, schema, described, (_rows(table, slab, schema) for slab in table.slabs(dtype=np.int32)))


def write_p_positions(found: PPositions, path: Path) -> None:
    """The same with the P-positions alone."""
    described = metadata(found.instance, "p") | {"positions": found.positions, "rows": len(found)}
    names = found.instance.ruleset.coordinate_names
    schema = pa.schema([pa.field(name, pa.int32(), nullable=False) for name in names])
    slabs = (
        pa.Table.from_arrays([_arrow(column, pa.int32()) for column in slab], schema=schema)
        for slab in found.slabs()
    )
    _write(path, schema, described, slabs)


def _write(path: Path, schema: pa.Schema, described: dict[str, Any], slabs: Iterable[pa.Table]) -> None:
    """Write a file of these rows. The next slab is made while one is written."""
    numbers = [field.name for field in schema if field.type == pa.int32()]
    made = iter(slabs)
    with (
        whole(path) as temporary,
        ThreadPoolExecutor(1) as maker,
        pq.ParquetWriter(
            temporary,
            schema.with_metadata({_KEY: json.dumps(described, sort_keys=True)}),
            compression="zstd",
            compression_level=1,
            # to look for dictionaries and for the least and greatest values takes longer than all else
            use_dictionary=[field.name for field in schema if field.name not in numbers],
            column_encoding=dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
            write_statistics=False,
            write_page_checksum=True,
            store_schema=True,
        ) as writer,
    ):
        following = maker.submit(next, made, None)
        while (slab := following.result()) is not None:
            following = maker.submit(next, made, None)
            writer.write_table(slab)
        # beside the schema's metadata, which the file has twice
        writer.add_key_value_metadata({"made": json.dumps(toolchain())})


def _schema(table: Table) -> pa.Schema:
    fields = [pa.field(name, pa.int32(), nullable=False) for name in table.instance.ruleset.coordinate_names]
    if table.kind == "grundy":
        fields.append(pa.field("grundy", pa.int32(), nullable=False))
    outcome = pa.dictionary(pa.int8(), pa.string())
    return pa.schema([*fields, pa.field("outcome", outcome, nullable=False)])


def _rows(table: Table, slab: Slab, schema: pa.Schema) -> pa.Table:
    columns = [_arrow(column, pa.int32()) for column in slab.coordinates]
    if table.kind == "grundy":
        columns.append(_arrow(slab.values, pa.int32()))
    codes = _arrow((~is_p_position(slab.values)).astype(np.int8), pa.int8())
    columns.append(pa.DictionaryArray.from_arrays(codes, _outcomes()))
    return pa.Table.from_arrays(columns, schema=schema)


# Arrow's own conversions import pandas, which takes longer than to solve most games: so arrays go over as buffers.


def _arrow(values: npt.NDArray[Any], kind: pa.DataType) -> pa.Array:
    """The numbers as an Arrow array of the same width."""
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def _outcomes() -> pa.Array:
    """The strings "P" and "N"."""
    ends = np.array([0, 1, 2], dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(ends), pa.py_buffer(b"PN")])


def _numpy(array: pa.Array, kind: type[np.generic]) -> npt.NDArray[Any]:
    """The numbers of an Arrow array of that width. Raises ValueError if some are missing."""
    if array.null_count:
        raise ValueError("a value is missing")
    return np.frombuffer(array.buffers()[1], dtype=kind)[array.offset : array.offset + len(array)]


def read_metadata(path: Path) -> dict[str, Any]:
    """What the dataset says of itself. Raises DatasetError if that is damaged or not grundylab's."""
    try:
        found = pq.read_metadata(path).metadata or {}
        described = json.loads(found[_KEY])
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
    """The table in the file, if it is of this instance.

    A dataset of Grundy numbers also gives outcomes, and so does one of P-positions alone. Raises DatasetError if the
    file is damaged, or made from another ruleset, parameters, bounds or play.
    """
    described = read_metadata(path)
    stored: Stored = described.get("values", "outcome")
    if stored == "p" and kind == "outcome":
        return _read_p_positions(path, described, instance).table()
    _check_metadata(path, described, instance, kind if stored != "grundy" else "grundy")
    names = instance.ruleset.coordinate_names
    values = np.full(instance.cells, NO_POSITION, dtype=np.int32)
    with _reading(path) as file:
        columns = [*names, "grundy" if stored == "grundy" else "outcome"]
        _check_columns(file, columns, described.get("positions"))
        for batch in file.iter_batches(batch_size=1 << 20, columns=columns):
            values[_cells(batch, instance)] = _values(batch, stored, kind)
    table = Table(instance, kind, values.reshape(instance.shape))
    if table.positions != described.get("positions"):
        raise DatasetError(f"it is damaged (positions are missing); {_REBUILD}", Place(str(path)))
    return table


def read_p_positions(path: Path, instance: Instance) -> PPositions:
    """The P-positions in a dataset of these alone. Raises DatasetError as ``read_dataset`` does."""
    return _read_p_positions(path, read_metadata(path), instance)


def _read_p_positions(path: Path, described: dict[str, Any], instance: Instance) -> PPositions:
    _check_metadata(path, described, instance, "p")
    names = list(instance.ruleset.coordinate_names)
    with _reading(path) as file:
        _check_columns(file, names, described.get("rows"))
        parts = [_cells(batch, instance) for batch in file.iter_batches(batch_size=1 << 20, columns=names)]
    cells = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    if len(cells) != described.get("rows") or np.any(np.diff(cells) <= 0):
        raise DatasetError(f"it is damaged (positions are missing); {_REBUILD}", Place(str(path)))
    return PPositions(instance, cells, described.get("positions", 0))


def _check_metadata(path: Path, described: dict[str, Any], instance: Instance, kind: Stored) -> None:
    for key, value in metadata(instance, kind).items():
        if described.get(key) != value:
            raise DatasetError(
                f"made for another {key} ({described.get(key)}, not {value}); {_REBUILD}", Place(str(path))
            )


def _check_columns(file: pq.ParquetFile, columns: Sequence[str], rows: object) -> None:
    """Raise ValueError unless the columns are as ``write_dataset`` makes them: their bytes are taken as they are."""
    for name in columns:
        kind = pa.dictionary(pa.int8(), pa.string()) if name == "outcome" else pa.int32()
        found = file.schema_arrow.field(name).type
        if found != kind:
            raise ValueError(f"{name} is {found}, not {kind}")
    if file.metadata.num_rows != rows:
        raise ValueError(f"{file.metadata.num_rows} rows, not {rows}")


@contextmanager
def _reading(path: Path) -> Iterator[pq.ParquetFile]:
    """The file; what is wrong while it is read becomes a DatasetError."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            yield file
    except (OSError, pa.ArrowException, ValueError, LookupError) as problem:
        raise DatasetError(f"it is damaged ({_first_line(problem)}); {_REBUILD}", Place(str(path))) from None


def _cells(batch: pa.RecordBatch, instance: Instance) -> npt.NDArray[np.int64]:
    """The cells of the rows' positions. Raises ValueError for one outside the box."""
    names = instance.ruleset.coordinate_names
    offsets = [_offsets(batch, name, instance, place) for place, name in enumerate(names)]
    return np.asarray(np.ravel_multi_index(offsets, instance.shape), dtype=np.int64)


def _offsets(batch: pa.RecordBatch, name: str, instance: Instance, place: int) -> Any:  # noqa: ANN401 - int64 array
    return _numpy(batch.column(name), np.int32).astype(np.int64) - instance.box[place].low


def _values(batch: pa.RecordBatch, stored: Stored, kind: Values) -> Any:  # noqa: ANN401 - int32 array
    if stored == "grundy":
        grundy = _numpy(batch.column("grundy"), np.int32)
        return grundy if kind == "grundy" else np.minimum(grundy, 1)
    outcome = batch.column("outcome")
    codes = _numpy(outcome.indices, np.int8)
    return np.where(np.asarray(outcome.dictionary.to_pylist())[codes] == "P", 0, 1)


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]


def dataset_path(instance: Instance, kind: Stored, folder: Path = Path("data")) -> Path:
    """Where an instance's dataset is kept: ``data/RULESET/m=8-N=64.VALUES.parquet``.

    Without commas: Snakemake cannot hand wildcards that have one to a job elsewhere (its issue 2366).
    """
    return folder / instance.ruleset.name / f"{instance.label.replace(',', '-')}.{kind}.parquet"
