"""``grundylab prove`` on all claims of a ruleset gives the same results as on each claim by itself."""

from pathlib import Path

import pytest

from grundylab.cli.common import EVERY

GAME = """\
title: Take one or two
position: {x: 0..N}
moves: [{take: "1..min(2, x)", from: x}]
claims:
  - {id: threes, target: p, formula: x % 3 == 0}
  - {id: value, target: grundy, formula: x % 3}
  - {id: wrong, target: p, formula: x % 2 == 0}
  - {id: squares, target: p, formula: x % 3 == 0, where: "any(x == k * k for k in range(0, x + 1))"}
"""


@pytest.fixture
def game(folder):
    Path("game.yaml").write_text(GAME)
    return "game.yaml"


def test_all_claims_in_one_go_are_what_each_is_alone(grundylab, game):
    status, said, _ = grundylab(f"prove {game} --claim {EVERY} --json")
    alone = [grundylab(f"prove {game} --claim {claim['claim']} --json")[1] for claim in said["claims"]]
    assert [claim["claim"] for claim in said["claims"]] == ["threes", "value", "wrong", "squares"]
    compared = ("status", "where", "proof", "counterexample", "key")
    for one, other in zip(said["claims"], alone, strict=True):
        assert [one[key] for key in compared] == [other[key] for key in compared]
    assert (status, said["status"]) == (1, "refuted")  # the worst of them
