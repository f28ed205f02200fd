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
    assert "v: x % 3\nholds: 12 positions (12 rows of the frame)" in capsys.readouterr().out
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


def csv(text):
    return lambda path: path.write_text(text)


@pytest.mark.parametrize(
    ("name", "write", "options", "words"),
    [
        ("a.csv", csv("x,x,v\n1,2,3\n"), [], "2 columns are called 'x'"),
        ("a.csv", csv("1,2\n3,4\n"), [], "cannot mention a column '1'"),
        ("a.csv", csv("x,v\n1,\n"), [], "column 'v' has no value at row 1"),
        ("a.csv", csv("not,v\n0,0\n1,1\n"), [], "column 'not'"),  # reported: keyword.csv
        ("a.csv", csv("x,v\n1,0\n1,1\n"), [], "rows 1 and 2 contradict each other"),  # reported: contradict.csv
        ("a.csv", csv(f"x,v\n{2**63},0\n{2**63 + 1},1\n"), [], "too large to be stored"),  # reported: big.csv
        ("a.csv", csv(f"x,v\n{2**64},0\n{2**64 + 1},1\n"), [], "too large to be stored"),
        ("a.csv", csv("x,outcome\n1,lose\n2,win\n"), [], "column 'outcome' holds 'lose' at row 1, not P or N"),
        ("a.csv", csv("x,outcome\n1,P\n2,Q\n"), [], "column 'outcome' holds 'Q' at row 2, not P or N"),
        ("a.tsv", csv("x\tx\tv\n1\t2\t3\n"), [], "2 columns are called 'x'"),
        ("a.tsv", csv(""), [], "it is no TSV table"),
        ("a.csv", csv(""), [], "it is no CSV table"),
        ("a.csv.gz", csv("x,v\n1,2\n"), [], "it is no table that pandas reads"),
        ("a.csv.xz", csv("x,v\n1,2\n"), [], "it is no CSV table"),
        ("a.parquet", csv("x,v\n1,2\n"), [], "it is no Parquet table"),
        ("a.parquet", csv(""), [], "it is no Parquet table"),
        ("a.parquet", lambda path: None, [], "cannot read it: No such file or directory"),
        ("a.csv", lambda path: None, [], "cannot read it: No such file or directory"),
        ("a.csv", csv("x,v\n1,2\n"), ["--param", "m=2"], "--param is for games"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_table_is_one_line_with_its_name(tmp_path, capsys, name, write, options, words):
    write(tmp_path / name)
    formula = ["--formula", "x"] if "contradict" not in words else ["--formula", "x", "--target", "w"]
    for command, more in (("discover", []), ("verify", formula)):
        assert main([command, str(tmp_path / name), *more, *options]) == 2
        answer = capsys.readouterr().err
        assert answer.startswith(f"grundylab: {tmp_path / name}: ")
        assert answer.count("\n") == 1
        if command == "discover" or "contradict" not in words:
            assert words in answer


def test_a_folder_without_tables_is_called_a_folder(tmp_path, capsys):
    assert main(["discover", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"grundylab: {tmp_path}: it is a folder; name a file in it\n"


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


def test_what_is_about_games_is_refused_of_a_table(tmp_path, capsys):
    FRAME.to_csv(tmp_path / "a.csv", index=False)
    for options in (
        ["--claim", "a"],
        ["--formula", "x", "--every", "f: 0..1 -> 0..1"],
        ["--formula", "x", "--slab", "1/2"],
    ):
        assert main(["verify", str(tmp_path / "a.csv"), *options]) == 2
        assert "is for games, not for tables" in capsys.readouterr().err


def test_numbers_that_numpy_has_without_a_sign_are_read_from_parquet(tmp_path, capsys):
    columns = {"x": np.arange(9, dtype=np.uint64), "v": np.arange(9, dtype=np.uint8) % 3}
    pd.DataFrame(columns).to_parquet(tmp_path / "a.parquet")
    assert main(["discover", str(tmp_path / "a.parquet"), "--budget", "1"]) == 0
    assert "  x % 3\n" in capsys.readouterr().out
