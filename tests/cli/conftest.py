"""A folder with one ruleset, and the command line run in it."""

import json
import shlex

import pytest

from grundylab.cli.main import main

NIM = """\
title: Nim with a pass from m on
parameters: {m: m >= 1}
piles: 2
position: {x: 0..N}
moves:
  - {take: t, from: x}
pass: {when: x + ... >= m}
claims:
  - {id: equal, target: p, where: p == 0, formula: x == y}
  - {id: wrong, target: p, formula: x == y}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with one ruleset, as the working directory."""
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "nim.yaml").write_text(NIM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def grundylab(folder, capsys):
    """Run a command line: (exit status, the JSON object on standard output or the text there, standard error)."""

    def run(line, *more):
        arguments = [*shlex.split(line), *more]
        status = main(arguments)
        out, err = capsys.readouterr()
        return status, json.loads(out) if "--json" in arguments else out, err

    return run
