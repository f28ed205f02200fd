"""What is at the place that ``--out`` names stays there, unless grundylab wrote it as the same sort, or by ``--force``."""

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
    "png": ["show", "nim", *BOUND, "--png"],
    "svg": ["show", "nim", *BOUND, "--out"],
    "latex": ["export", "latex", "nim", "--out"],
    "proof": ["export", "proof", "nim", "--formula", "x == y", "--to", "walnut", "--out"],
    "archive": ["export", "proof", "nim", "--formula", "x == y", "--to", "walnut", "--out"],
    "csv": ["export", "csv", "nim", *BOUND, "--out"],
    "oeis": ["export", "oeis", "nim", *BOUND, "--fix", "y=0", "--out"],
    "script": ["prove", "nim", "--formula", "x == y", "--out"],
    "rows": ["rows", "nim", "--fix", "y=1", "--target", "grundy", "--length", "100", "--out"],
}
AGAIN = (
    "dataset",
    "png",
    "svg",
    "latex",
    "proof",
    "archive",
    "script",
    "rows",
)  # these say by whom they were written
OTHERS = {
    "a ruleset": NIM.encode(),
    "nothing": b"",
    "a program's text": b"# New grundylab\nimport grundylab\n",
    "another Parquet file's ends": b"PAR1 grundylab PAR1",
    "an archive of somebody else": b"PK\x03\x04 written by grundylab for Walnut, and by others",
    "a picture of somebody else": b"\x89PNG\r\n\x1a\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rulesets").mkdir()
    Path("rulesets", "nim.yaml").write_text(NIM)
    return tmp_path


def named(output):
    """What ``--out`` is given, and the file that is then written."""
    if output == "rows":
        return "there", Path("there", "row-grundy-y=1.json")
    file = {"svg": "there.svg", "archive": "there.zip", "script": "there.mona"}.get(output, "there")
    return file, Path(file)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("output", OUTPUTS)
def test_another_file_stays_as_it_is(folder, capsys, output, other):
    name, file = named(output)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(OTHERS[other])
    assert main([*OUTPUTS[output], name]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"{file}: is there already, and is no " in said.err
    assert file.read_bytes() == OTHERS[other]
    assert sorted(p.name for p in file.parent.iterdir() if p.name != "rulesets") == [file.name]


@pytest.mark.parametrize("output", OUTPUTS)
def test_it_writes_again_over_what_it_wrote(folder, capsys, output):
    name, file = named(output)
    first = main([*OUTPUTS[output], name])
    assert first in (0, 3)
    if not file.exists():
        pytest.skip("nothing is written without MONA")
    before = file.read_bytes()
    capsys.readouterr()
    assert main([*OUTPUTS[output], name]) == (first if output in AGAIN else 2)
    assert ("no text that is known to be by grundylab" in capsys.readouterr().err) is (output not in AGAIN)
    assert main([*OUTPUTS[output], name, "--force"]) == first
    assert file.read_bytes() == before


def test_the_statement_beside_a_script_is_looked_at_too(folder, capsys):
    Path("there.json").write_text("{}")
    assert main([*OUTPUTS["script"], "there.mona"]) == 2
    assert Path("there.json").read_text() == "{}"


@pytest.mark.parametrize("before", ["\\documentclass{article}\n\\begin{document}\nOf Nim.\n", "Of Nim.\n"])
def test_an_article_into_which_the_text_was_copied_stays_as_it_is(folder, capsys, before):
    assert main(["export", "latex", "nim", "--fragment", "--out", "there"]) == 0
    assert main(["export", "latex", "nim", "--fragment", "--out", "there"]) == 0
    article = Path("article.tex")
    article.write_text(before + Path("there").read_text())
    assert main(["export", "latex", "nim", "--out", "article.tex"]) == 2
    assert article.read_text().startswith(before)


def test_a_dataset_is_no_place_for_a_picture(folder, capsys):
    assert main([*OUTPUTS["dataset"], "there.svg"]) == 0
    assert main([*OUTPUTS["svg"], "there.svg"]) == 2


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
    assert f"{file}: is no plain file" in capsys.readouterr().err
    assert not file.is_file()
