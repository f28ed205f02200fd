"""A claim that looks values up in a file that does not exist: one line names the file, before any work begins."""

import pytest

ASKING = """\
title: Take one or two
position: {x: 0..N}
moves: [{take: "1..min(2, x)", from: x}]
claims:
  - {id: mine, target: p, formula: x % 3 == 0}
  - {id: same, target: grundy, formula: G(x), values: {G: missing}}
"""
CHILD = "title: The same\nextends: asking\nclaims: [inherited]\n"


@pytest.fixture
def asking(folder):
    (folder / "rulesets" / "asking.yaml").write_text(ASKING)
    (folder / "rulesets" / "child.yaml").write_text(CHILD)
    return folder


@pytest.mark.parametrize("game", ["asking", "child"])
@pytest.mark.parametrize(
    "line", ["check {}", "verify {} --claim same --bound N=9", "prove {} --claim same", "study {} --budget 1"]
)
def test_a_ruleset_that_is_not_there_is_named(grundylab, asking, game, line):
    status, out, error = grundylab(line.format(game))
    assert (status, out) == (2, "")
    assert error.startswith(f"grundylab: rulesets/{game}.yaml: ")
    assert "'missing'" in error
    assert error.count("\n") == 1
    assert not (asking / "results").exists()


def test_so_is_one_that_an_option_names(grundylab):
    asked = "verify nim --bound N=5 --param m=3 --target grundy --formula G(x,y,p) --lookup G=missing"
    status, out, error = grundylab(asked)
    assert (status, out) == (2, "")
    assert error.startswith("grundylab: --lookup G=missing: ")


def test_a_claim_that_looks_nothing_up_is_judged_all_the_same(grundylab, asking):
    assert grundylab("verify asking --claim mine --bound N=9")[0] == 0
