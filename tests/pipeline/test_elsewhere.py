"""A study of a ruleset outside the folder `rulesets`: its page uses that file and no other."""

import pytest
from tests.pipeline.project import make, snakemake

CONFIG = """\
engines: [search]
budget: 2
studies:
  mine:
    ruleset: games/mine.yaml
    targets: [p]
    train: {bounds: {N: 9}}
    test: {bounds: {N: 20}}
"""
MINE = """\
title: Take up to TWO
position: {x: 0..N}
moves: [{take: "1..min(TWO, x)", from: x}]
claims:
  - {id: multiples, target: p, formula: x % (TWO + 1) == 0}
"""


@pytest.mark.parametrize("hidden", [pytest.param(False, marks=pytest.mark.long), True])
def test_its_page_is_of_that_file(tmp_path, hidden):
    folder = make(tmp_path / "one")
    (folder / "config.yaml").write_text(CONFIG)
    (folder / "games").mkdir()
    (folder / "games" / "mine.yaml").write_text(MINE.replace("TWO", "2"))
    if hidden:  # another of that name, which nobody studies
        (folder / "rulesets" / "mine.yaml").write_text(MINE.replace("TWO", "3"))
    done = snakemake(folder, "results/mine/report/index.html")
    assert done.returncode == 0, done.stderr
    page = (folder / "results" / "mine" / "report" / "rulesets" / "mine.html").read_text()
    assert "Take up to 2" in page
    assert "Take up to 3" not in page
