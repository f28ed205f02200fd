"""A claim that looks values up in another ruleset looks them up in the file as it is now."""

import pytest

from grundylab.check.judging import judge
from grundylab.errors import RulesetError
from grundylab.games import load_ruleset, make_instance
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


def status(folder):
    ruleset = load_ruleset("asking", folder)
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
    with pytest.raises(RulesetError, match="there is no ruleset 'other'"):
        status(folder)


def test_a_ruleset_that_has_not_changed_is_read_once(folder, monkeypatch):
    write(folder, 2)
    assert status(folder) == "holds"
    monkeypatch.setattr("grundylab.check.judging.load_ruleset", None)
    assert status(folder) == "holds"
