"""Results belong to the rulesets' files they were made from: any file that has changed since is named."""

from pathlib import Path

import pytest
from tests.findings import made

from grundylab.findings.provenance import changed_file
from grundylab.games import load_ruleset
from grundylab.games.lookups import ruleset_files
from grundylab.solve.origin import file_digests, result_header, ruleset_names

# nim-2 comes with grundylab, and extends the nim that does
OWN = """\
title: Nim of our own
extends: nim-2
claims:
  - {id: a, target: p, formula: "G(x, y) == 0", values: {G: other}}
"""
OTHER = "title: Other\nextends: nim-2\n"


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Return the catalogue of a study of a game that extends another one."""
    monkeypatch.chdir(tmp_path)
    Path("rulesets").mkdir()
    Path("rulesets/nim.yaml").write_text(OWN)
    Path("rulesets/other.yaml").write_text(OTHER)
    header = result_header(file_digests(ruleset_files(load_ruleset("nim"))), 0)
    study = made.study(rulesets=header["rulesets"], seed=header["seed"])
    return made.catalogue([study], claims=[made.claim()])


def test_nothing_has_changed_where_nothing_has(results):
    assert changed_file(results, results.claims, load_ruleset("nim")) is None


@pytest.mark.parametrize("name", ["nim", "other"])
def test_each_file_is_told_by_its_contents(results, name):
    path = Path(f"rulesets/{name}.yaml")
    text = path.read_text()
    path.write_text(text + "description: Edited.\n")
    assert changed_file(results, results.claims, load_ruleset("nim")) == str(path)
    path.write_text(text)
    assert changed_file(results, results.claims, load_ruleset("nim")) is None


def test_a_file_that_hides_one_that_was_looked_at_is_told(results):
    Path("rulesets/nim-2.yaml").write_text(
        "title: Hides\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
    )
    assert changed_file(results, results.claims, load_ruleset("nim")) == "rulesets/nim-2.yaml"


def test_a_result_of_no_study_of_the_catalogue_is_about_no_ruleset_that_is_known(results):
    strange = [made.claim(study="gone")]
    assert changed_file(results, strange, load_ruleset("nim")) == "rulesets/nim.yaml"


def test_each_file_has_a_name_of_its_own():
    files = ["rulesets/nim.yaml", "/there/games/nim.yaml", "rulesets/nim-2.yaml"]
    assert list(ruleset_names(files).values()) == ["nim", "games/nim", "nim-2"]
