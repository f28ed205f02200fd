"""The user's own files on the command line: CSV and Parquet, learnt from and verified on, faults in one line each."""

import json

import numpy as np
import pandas as pd
import pytest

import grundylab as gl
from grundylab.cli.main import main

FRAME = pd.DataFrame({"x": range(12), "y": [n * n % 5 for n in range(12)], "v": [n % 3 for n in range(12)]})
WRITE = {
    "own.csv": lambda frame, path: frame.to_csv(path, index=False),
    "OWN.CSV": lambda frame, path: frame.to_csv(path),  # with an index that has no name
    "own.tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "own.tsv.gz": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "folder": lambda frame, path: _two_files(frame, path),
    "own.csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    "own.parquet": lambda frame, path: frame.to_parquet(path),
    "own.pq": lambda frame, path: frame.set_index([[7] * len(frame)]).to_parquet(path),
}


def _two_files(frame, folder):
    """Write a folder of Parquet files, which pandas reads as one table."""
    folder.mkdir()
    frame[:5].to_parquet(folder / "a.parquet")
    frame[5:].to_parquet(folder / "b.parquet")


@pytest.fixture(params=WRITE)
def file(request, tmp_path):
    WRITE[request.param](FRAME, tmp_path / request.param)
    return str(tmp_path / request.param)


def test_a_table_is_learnt_from_whatever_its_form(file, capsys):
    assert main(["discover", file, "--target", "v", "--budget", "1"]) == 0
    assert "exact  size   3  x % 3" in capsys.readouterr().out


def test_a_formula_is_verified_on_the_rows_of_a_table_whatever_its_form(file, capsys):
    assert main(["verify", file, "--formula", "x % 3"]) == 0
    assert capsys.readouterr().out.startswith("v: x % 3\nholds: 12 ")
    assert main(["verify", file, "--formula", "x % 4", "--target", "v", "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert (record["wrong"], record["counterexample"]["position"]) == (
        sum(n % 3 != n % 4 for n in range(12)),
        {"x": 4, "y": 1},
    )
    assert main(["verify", file, "--formula", "x % 4", "--where", "x < 3"]) == 0


def test_a_dataset_is_a_table_of_its_outcomes_and_grundy_numbers(tmp_path, capsys):
    game = gl.load("title: t\nposition: {x: 0..N}\nmoves: [{take: '1..min(3, x)', from: x}]")
    for kind in ("grundy", "outcome"):
        gl.write_dataset(gl.solve(game, kind, N=20), tmp_path / f"{kind}.parquet")
    gl.solve(game, N=20).to_frame().to_parquet(tmp_path / "frame.parquet")
    for name, target, formula in [
        ("grundy", "grundy", "x % 4"), ("grundy", "p", "x % 4 == 0"), ("outcome", "outcome", "x % 4 == 0"),
        ("frame", "grundy", "x % 4"), ("frame", "grundy == 2", "x % 4 == 2"),
    ]:  # fmt: skip
        file = str(tmp_path / f"{name}.parquet")
        assert main(["discover", file, "--target", target, "--budget", "1"]) == 0
        assert f"  {formula}\n" in capsys.readouterr().out
        assert main(["verify", file, "--target", target, "--formula", formula]) == 0
        capsys.readouterr()


@pytest.mark.parametrize("letters", ["PN", "pn", "Pn"])
def test_outcomes_are_letters_of_either_size(tmp_path, capsys, letters):
    outcomes = [letters[n % 3 > 0] for n in range(12)]
    FRAME[["x"]].assign(outcome=outcomes).to_csv(tmp_path / "a.csv", index=False)
    for target in ("p", "outcome"):
        options = ["--target", target]
        assert main(["discover", str(tmp_path / "a.csv"), "--budget", "1", *options]) == 0
        assert "  x % 3 == 0\n" in capsys.readouterr().out
        assert main(["verify", str(tmp_path / "a.csv"), "--formula", "x % 3 == 0", *options]) == 0
        capsys.readouterr()


def test_numbers_that_numpy_has_without_a_sign_are_read_from_parquet(tmp_path, capsys):
    columns = {"x": np.arange(9, dtype=np.uint64), "v": np.arange(9, dtype=np.uint8) % 3}
    pd.DataFrame(columns).to_parquet(tmp_path / "a.parquet")
    assert main(["discover", str(tmp_path / "a.parquet"), "--budget", "1"]) == 0
    assert "  x % 3\n" in capsys.readouterr().out
