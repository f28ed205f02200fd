"""A dataset describes itself correctly, is never taken for another one, and is never half written."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grundylab.errors import DatasetError
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve import solve
from grundylab.solve.dataset import dataset_path, read_dataset, read_metadata, write_dataset

NIM = "title: Nim\nparameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
PASS = "pass: {when: x + ... >= m}\n"


def instance_of(text=NIM + PASS, name="nim", m=2, size=9):
    return make_instance(parse_ruleset(text, name), {"m": m}, {"N": size})


@pytest.fixture
def table():
    return solve(instance_of(), "grundy", "reference")


@pytest.fixture
def path(tmp_path, table):
    path = tmp_path / "data" / "nim" / "m=2-N=9.parquet"
    write_dataset(table, path)
    return path


def test_a_dataset_of_outcomes_is_no_dataset_of_grundy_numbers(tmp_path):
    table = solve(instance_of(), "outcome", "reference")
    path = tmp_path / "o.parquet"
    write_dataset(table, path)
    assert (read_dataset(path, table.instance, "outcome").values == table.values).all()
    with pytest.raises(DatasetError, match=r"made for another values \(outcome, not grundy\)"):
        read_dataset(path, table.instance, "grundy")


def test_a_dataset_of_grundy_numbers_is_one_of_outcomes(table, path):
    assert (read_dataset(path, table.instance, "outcome").values == np.minimum(table.values, 1)).all()


def test_a_dataset_of_p_positions_has_another_name():
    assert dataset_path(instance_of()) == Path("data/nim/m=2-N=9.parquet")
    assert dataset_path(instance_of(), "p", Path("d")) == Path("d/nim/m=2-N=9.p.parquet")


def test_rows_are_the_positions_in_order_with_grundy_and_outcome(table, path):
    frame = pd.read_parquet(path)
    assert list(frame.columns) == ["x", "y", "p", "m", "N", "grundy", "outcome"]
    assert frame[["x", "y", "p"]].values.tolist() == [
        [x, y, p] for x in range(10) for y in range(10) for p in (0, 1)
    ]
    assert frame["grundy"].tolist() == [table[tuple(row)] for row in frame[["x", "y", "p"]].values.tolist()]
    assert frame.dtypes.to_dict() == table.to_frame().dtypes.to_dict()
    assert {frame[name].dtype.name for name in ("x", "y", "p", "grundy")} == {"int32"}
    assert (frame["outcome"] == frame["grundy"].map(lambda value: "P" if value == 0 else "N")).all()
    assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"


def test_a_folder_of_datasets_is_a_table_for_pandas_with_the_description_that_lies_in_it(path):
    folder = path.parent.parent
    for file in (Path(__file__).parents[2] / "data").iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    assert list(folder.glob("*.md"))
    assert len(pd.read_parquet(folder)) == len(pd.read_parquet(path))


def test_cells_that_are_no_positions_are_no_rows(tmp_path):
    text = "title: t\nposition: {x: 0..N, y: 0..x}\nwhere: (x + y) % 2 == 0\nmoves: [{take: 1..x, from: x, when: False}]"
    table = solve(make_instance(parse_ruleset(text), {}, {"N": 6}), "grundy", "reference")
    write_dataset(table, tmp_path / "t.parquet")
    rows = pd.read_parquet(tmp_path / "t.parquet")[["x", "y"]].values.tolist()
    assert rows == [[x, y] for x in range(7) for y in range(x + 1) if (x + y) % 2 == 0]
    assert (read_dataset(tmp_path / "t.parquet", table.instance, "grundy").values == table.values).all()


def test_a_large_table_is_written_in_slabs_without_losing_a_row(tmp_path, monkeypatch, table):
    slabs = type(table).slabs
    monkeypatch.setattr(type(table), "slabs", lambda self, dtype: slabs(self, 7, dtype))
    write_dataset(table, tmp_path / "t.parquet")
    assert pq.ParquetFile(tmp_path / "t.parquet").metadata.num_row_groups > 10
    assert (read_dataset(tmp_path / "t.parquet", table.instance, "grundy").values == table.values).all()


def test_the_metadata_say_what_it_was_made_from(table, path):
    said = read_metadata(path)
    ruleset = table.instance.ruleset
    assert said["hash"] == ruleset.hash
    assert (said["parameters"], said["bounds"]) == ({"m": 2}, {"N": 9})
    assert (said["play"], said["values"], said["positions"]) == ("normal", "grundy", 200)


@pytest.mark.parametrize(
    ("other", "key"),
    [
        (instance_of(NIM + "pass: {when: x + ... > m}\n"), "hash"),
        (instance_of(m=3), "parameters"),
        (instance_of(size=8), "bounds"),
        (instance_of(name="other"), "ruleset"),
    ],
)
def test_a_dataset_of_something_else_is_refused(path, other, key):
    with pytest.raises(DatasetError, match=rf"nim/m=2-N=9\.parquet: made for another {key}"):
        read_dataset(path, other, "grundy")


@pytest.mark.parametrize("damage", ["truncated", "empty", "foreign", "text"])
def test_a_damaged_file_is_refused(table, path, damage):
    whole = path.read_bytes()
    if damage == "foreign":
        pd.DataFrame({"x": [1]}).to_parquet(path)
    else:
        path.write_bytes(
            {"truncated": whole[: len(whole) // 2], "empty": b"", "text": b"not parquet\n" * 9}[damage]
        )
    with pytest.raises(DatasetError, match="solve again"):
        read_dataset(path, table.instance, "grundy")


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("m", 1, "m is not 2 in every row"),
        ("N", 10, "N is not 9 in every row"),
        ("grundy", 5, "outcome is not what grundy says"),
        ("grundy", None, "a value is missing"),
    ],
)
def test_a_row_that_was_changed_is_refused(table, path, column, value, words):
    rows = pq.read_table(path)
    place = rows.column_names.index(column)
    cells = [value, *rows.column(column).to_pylist()[1:]]
    assert table[0, 0, 0] == 0
    pq.write_table(rows.set_column(place, column, pa.array(cells, rows.schema.field(column).type)), path)
    with pytest.raises(DatasetError, match=rf"it is damaged \({words}\); delete it and solve again"):
        read_dataset(path, table.instance, "grundy")
