"""A claim that looks values up in another ruleset uses its current file, and so does a parent's name."""

import os

import pytest

from grundylab.check.judging import judge
from grundylab.errors import RulesetError
from grundylab.games import load_ruleset, make_instance, parent_of, parse_ruleset
from grundylab.games.lookups import ruleset_files
from grundylab.solve import solve

OTHER = "title: other\nposition: {x: 0..N}\nmoves: [{take: LIMIT, from: x}]\n"
ASKING = """\
title: asking
position: {x: 0..N}
moves: [{take: 1..2, from: x, when: t <= x}]
claims: [{id: same, target: grundy, formula: G(x), values: {G: other}}]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "asking.yaml").write_text(ASKING)
    return tmp_path


def status(folder, ruleset=None):
    ruleset = ruleset or load_ruleset("asking", folder)
    return judge(ruleset.claims[0], [solve(make_instance(ruleset, {}, {"N": 6}), "grundy")]).status


def write(folder, limit, name="other"):
    (folder / f"{name}.yaml").write_text(OTHER.replace("LIMIT", f'"1..min(x, {limit})"'))


def test_a_ruleset_that_was_edited_is_looked_up_anew(folder):
    write(folder, 2)
    assert status(folder) == "holds"
    write(folder, 3)  # as many bytes, and perhaps in the same tick of the clock
    assert status(folder) == "refuted"
    write(folder, 2)
    assert status(folder) == "holds"


@pytest.mark.parametrize(("times", "found"), [(1, "holds"), (4, "holds"), (7, "undecided")])
def test_a_table_that_is_looked_up_is_up_to_four_times_as_large(folder, times, found):
    write(folder, 2)
    (folder / "asking.yaml").write_text(ASKING.replace("G(x)", f"G({times} * x)"))
    assert status(folder) == found


def test_a_ruleset_that_extends_an_edited_one_is_looked_up_anew(folder):
    write(folder, 3, "below")
    (folder / "other.yaml").write_text("extends: below\ntitle: other\n")
    assert status(folder) == "refuted"
    write(folder, 2, "below")
    assert status(folder) == "holds"


def test_a_ruleset_that_is_no_more_is_not_looked_up(folder):
    write(folder, 2)
    assert status(folder) == "holds"
    (folder / "other.yaml").unlink()
    with pytest.raises(RulesetError, match=r"asking.yaml: .* 'other'"):
        status(folder)


def test_a_ruleset_that_has_not_changed_is_read_once(folder, monkeypatch):
    write(folder, 2)
    assert status(folder) == "holds"
    monkeypatch.setattr("grundylab.games.load.load_ruleset", None)
    assert status(folder) == "holds"


def test_a_ruleset_of_ones_own_is_looked_up_before_the_one_that_comes_with_grundylab(folder):
    (folder / "asking.yaml").write_text(ASKING.replace("other", "subtraction-1-3-4"))
    assert status(folder) == "refuted"
    write(folder, 2, "subtraction-1-3-4")
    assert status(folder) == "holds"


def test_what_a_looked_up_one_extends_is_hidden_by_one_of_ones_own(folder):
    (folder / "other.yaml").write_text("extends: subtraction-1-3-4\ntitle: other\n")
    assert status(folder) == "refuted"
    write(folder, 2, "subtraction-1-3-4")
    assert status(folder) == "holds"


def test_a_text_looks_up_in_the_folder_that_is_given_with_it(folder):
    write(folder, 2)
    assert status(folder, parse_ruleset(ASKING, folder=folder)) == "holds"
    write(folder, 3)
    assert status(folder, parse_ruleset(ASKING, folder=folder)) == "refuted"


def test_a_parent_is_read_anew_though_its_file_has_the_time_and_the_length_that_it_had(folder):
    write(folder, 2)
    os.utime(folder / "other.yaml", (1e9, 1e9))
    (folder / "child.yaml").write_text("extends: other\ntitle: child\n")
    child = load_ruleset("child", folder)
    assert parent_of(child).hash == load_ruleset("other", folder).hash
    write(folder, 3)
    os.utime(folder / "other.yaml", (1e9, 1e9))
    assert parent_of(child).hash == load_ruleset("other", folder).hash


def test_verdicts_rest_on_what_a_looked_up_ruleset_extends_too(folder):
    write(folder, 2, "below")
    (folder / "other.yaml").write_text("extends: below\ntitle: other\n")
    found = ruleset_files(load_ruleset("asking", folder))
    assert found == tuple(str(folder / f"{name}.yaml") for name in ("asking", "other", "below"))
