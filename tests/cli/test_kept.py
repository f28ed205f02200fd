"""Proofs that are kept: a proof about other rules never replaces an existing one."""

from pathlib import Path

import pytest

TAKE = """\
title: Take up to LIMIT
position: {x: 0..N}
moves: [{take: "1..min(LIMIT, x)", from: x}]
claims:
  - {id: zero, target: p, where: x <= 0, formula: "True"}
  - {id: multiples, target: p, formula: x % (LIMIT + 1) == 0}
"""
ASKING = """\
title: Asks for another
position: {x: 0..N}
moves: [{take: "1..min(2, x)", from: x}]
claims: [{id: same, target: grundy, formula: G(x), values: {G: other}}]
"""


def write(path, limit):
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text(TAKE.replace("LIMIT", str(limit)))


def kept(grundylab, line):
    """Run a command and return the file of the proof that it says it keeps."""
    status, said, _ = grundylab(f"{line} --json")
    assert status == 0, said
    return said["rows"][0]["proof"] if "rows" in said else said["proof"]


PROOFS = [
    "prove {} --claim zero",
    'prove {} --formula "x * 0 == 0" --where "x <= 0"',
    "rows {} --target grundy",
]


@pytest.mark.parametrize("line", PROOFS)
def test_a_ruleset_of_the_same_name_elsewhere_has_a_proof_of_its_own(grundylab, folder, line):
    games = ["rulesets/take.yaml", "mine/take.yaml"]
    for game, limit in zip(games, (2, 3), strict=True):
        write(game, limit)
    files = [kept(grundylab, line.format(game)) for game in games]
    for game, file in zip(games, files, strict=True):
        assert grundylab(f"certify {game} {file}")[0] == 0


@pytest.mark.parametrize("line", PROOFS)
def test_a_proof_about_the_rules_before_an_edit_stays(grundylab, folder, line):
    write("rulesets/take.yaml", 2)
    before = kept(grundylab, line.format("take"))
    text = Path(before).read_bytes()
    write("rulesets/take.yaml", 3)
    after = kept(grundylab, line.format("take"))
    assert grundylab(f"certify take {after}")[0] == 0
    write("rulesets/take.yaml", 2)
    assert Path(before).read_bytes() == text
    assert grundylab(f"certify take {before}")[0] == 0


def test_so_does_one_about_what_is_looked_up(grundylab, folder):
    Path("rulesets/asking.yaml").write_text(ASKING)
    write("rulesets/other.yaml", 2)
    before = kept(grundylab, "prove asking --claim same")
    text = Path("rulesets/other.yaml").read_text()
    Path("rulesets/other.yaml").write_text(
        text.replace("from: x}]", "from: x, when: t <= x}]")
    )  # the same moves
    after = kept(grundylab, "prove asking --claim same")
    assert before != after
    assert grundylab(f"certify asking {after}")[0] == 0
