"""``grundylab papers`` after an edit: no value is computed with rules other than those that the verdict is about."""

from pathlib import Path

import pytest
from tests.findings import made

from grundylab.check.verification import Counterexample
from grundylab.findings.catalogue import write_catalogue

TAKE = """\
title: Take one or two
source: {paper: little, at: Section 2}
position: {x: 0..N}
moves: [{take: "1..min(LIMIT, x)", from: x}]
claims:
  - {id: theorem-3, at: Theorem 3, target: p, formula: x % 4 == 0}
"""
PAPER = """\
title: A little paper
authors: [A. Nonymous]
key: Nonymous
statements:
  - {at: Section 2, about: a game}
  - {at: Theorem 3, about: its P-positions}
"""
WRONG = {
    "claim": "theorem-3", "at": "Theorem 3", "paper": "little", "formula": "x % 4 == 0",
    "counterexample": Counterexample({"x": 3}, {}, 3, 0, 0),
}  # fmt: skip
WORKED = "because every option"  # of what is worked out by hand


@pytest.fixture
def project(folder):
    """Write two games of one paper, each with a refuted claim, and the catalogue of their verdicts."""
    (folder / "papers").mkdir()
    (folder / "papers" / "little.yaml").write_text(PAPER)
    for name in ("one", "two"):
        Path(f"rulesets/{name}.yaml").write_text(TAKE.replace("LIMIT", "2"))
    write(folder, {name: (f"rulesets/{name}.yaml",) for name in ("one", "two")})
    return folder


def write(folder, files):
    """Write a catalogue with a study of each game. files: for each game, the files that the study was made from."""
    studies = [made.study(name, ruleset=name, **made.made_now(*of)) for name, of in files.items()]
    claims = [made.claim(study=name, ruleset=name, note=f"of {name}", **WRONG) for name in files]
    write_catalogue(made.catalogue(studies, claims=claims), folder / "results")


def refuted(text):
    """Return the section of the document on refuted claims."""
    return text.split("## Refuted as printed")[1].split("\n## ")[0]


def test_what_was_not_edited_is_worked_out(grundylab, project):
    status, text, _ = grundylab("papers")
    assert status == 0
    assert "Edited" not in text
    assert WORKED in refuted(text)


@pytest.mark.parametrize("edit", [("min(2, x)", "min(3, x)"), ("title: Take one", "title: Take 1")])
def test_an_edited_game_is_named_and_not_worked_out(grundylab, project, edit):
    path = Path("rulesets/one.yaml")
    path.write_text(path.read_text().replace(*edit))
    status, text, _ = grundylab("papers")
    assert status == 0
    assert "`one`" in next(line for line in text.splitlines() if "Edited" in line)
    assert WORKED not in refuted(text)
    assert grundylab("papers --json")[1]["edited"] == ["one"]


def test_so_is_one_that_extends_an_edited_one_and_no_other(grundylab, project):
    Path("rulesets/below.yaml").write_text(TAKE.replace("LIMIT", "2"))
    Path("rulesets/one.yaml").write_text("extends: below\nclaims: [inherited]\n")
    files = {"one": ("rulesets/one.yaml", "rulesets/below.yaml"), "two": ("rulesets/two.yaml",)}
    write(project, files)
    assert grundylab("papers --json")[1]["edited"] == []
    Path("rulesets/below.yaml").write_text(TAKE.replace("LIMIT", "3"))
    assert grundylab("papers --json")[1]["edited"] == ["one"]
