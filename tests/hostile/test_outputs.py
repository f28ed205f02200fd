"""An existing file at the place that ``--out`` names is kept, unless ``--force`` is given."""

import os
from pathlib import Path

import pytest

from grundylab.cli.main import main

NIM = """\
title: Nim
position: {x: 0..N, y: 0..N}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
claims: [{id: equal, target: p, formula: x == y}]
"""
BOUND = ["--bound", "N=4"]
OUTPUTS = {
    "dataset": ["solve", "nim", *BOUND, "--out"],
    "png": ["show", "nim", *BOUND, "--out"],
    "svg": ["show", "nim", *BOUND, "--out"],
    "latex": ["export", "latex", "nim", "--out"],
    "proof": ["export", "proof", "nim", "--formula", "x == y", "--to", "walnut", "--out"],
    "archive": ["export", "proof", "nim", "--formula", "x == y", "--to", "walnut", "--out"],
    "csv": ["export", "csv", "nim", *BOUND, "--out"],
    "oeis": ["export", "oeis", "nim", *BOUND, "--fix", "y=0", "--out"],
    "script": ["prove", "nim", "--formula", "x == y", "--out"],
    "rows": ["rows", "nim", "--fix", "y=1", "--target", "grundy", "--length", "100", "--out"],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rulesets").mkdir()
    Path("rulesets", "nim.yaml").write_text(NIM)
    return tmp_path


def named(output):
    """Return the argument of ``--out``, and the file that is then written."""
    if output == "rows":
        return "there", Path("there", "row-grundy-y=1.json")
    file = {"svg": "there.svg", "png": "there.png", "archive": "there.zip", "script": "there.mona"}.get(
        output, "there"
    )
    return file, Path(file)


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_file_that_is_there_stays_as_it_is(folder, capsys, output):
    """A file that the same command has just written stays, too; with ``--force`` it is written again."""
    name, file = named(output)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(NIM.encode())
    assert main([*OUTPUTS[output], name]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"grundylab: {file}: " in said.err
    assert "--force" in said.err
    assert file.read_text() == NIM
    assert sorted(p.name for p in file.parent.iterdir() if p.name != "rulesets") == [file.name]
    assert main([*OUTPUTS[output], name, "--force"]) in (0, 3)
    if (written := file.read_bytes()) == NIM.encode():
        pytest.skip("nothing is written without MONA")
    assert main([*OUTPUTS[output], name]) == 2
    assert file.read_bytes() == written


def test_the_statement_beside_a_script_is_looked_at_too(folder, capsys):
    Path("there.json").write_text("{}")
    assert main([*OUTPUTS["script"], "there.mona"]) == 2
    assert Path("there.json").read_text() == "{}"


@pytest.mark.parametrize("what", ["folder", "device", "pipe"])
@pytest.mark.parametrize("output", [name for name in OUTPUTS if name != "rows"])
def test_only_plain_files_are_replaced(folder, capsys, output, what):
    name, file = named(output)
    if what == "folder":
        file.mkdir()
    elif what == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    assert main([*OUTPUTS[output], name, "--force"]) == 2
    assert f"{file}: not a regular file" in capsys.readouterr().err
    assert not file.is_file()
