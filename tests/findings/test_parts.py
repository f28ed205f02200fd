"""Parts of a large instance, verified by separate commands, together give the same verdict as the solved table."""

import json
from dataclasses import replace

import pytest

from grundylab.check.linewise import check_lines
from grundylab.check.slabs import Slab
from grundylab.check.verification import check_table
from grundylab.cli.main import main
from grundylab.errors import ConfigError
from grundylab.findings.catalogue import record_from_json
from grundylab.findings.slab_records import SlabRecord, combined_verdict, slab_record
from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.solve import solve

# At N = 9 all of these hold; at N = 30 `late` is wrong.
NIM = """\
title: Nim with a pass from m on
parameters: {m: m >= 1}
piles: 2
position: {x: 0..N}
moves:
  - {take: t, from: x}
pass: {when: x + ... >= m}
claims:
  - {id: right, target: p, where: m % 4 == 0, formula: x ^ y == (p if x + y >= m else 0)}
  - {id: late, target: p, where: p == 0, formula: x == y and x < 20}
  - {id: grundy, target: grundy, where: p == 0, formula: x ^ y}
  - {id: lookup, target: p, formula: "G(x, y, p) == 0", values: {G: this}}
"""
GAME = parse_ruleset(NIM, "nim")
SMALL = make_instance(GAME, {"m": 4}, {"N": 9})
LARGE = [make_instance(GAME, {"m": m}, {"N": 30}) for m in (4, 8)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "nim.yaml").write_text(NIM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def look(claim, instances, slab):
    checks = [check_lines(claim.formula, claim.target, i, claim.where, slab=slab) for i in instances]
    return slab_record(claim, checks, slab)


def test_only_all_slabs_of_one_statement_and_these_instances_make_a_whole():
    claim, other = GAME.claim("late"), GAME.claim("right")
    made = [look(claim, LARGE, Slab(number, 3)) for number in (3, 1, 2)]
    assert combined_verdict(LARGE, made).wrong == 22
    for wrong in (made[:2], [*made, made[0]], [*made[:2], made[1]], []):
        with pytest.raises(ConfigError, match="not all slabs"):
            combined_verdict(LARGE, wrong)
    with pytest.raises(ConfigError, match="several formulas"):
        combined_verdict(LARGE, [*made[:2], look(other, LARGE, Slab(2, 3))])
    with pytest.raises(ConfigError, match=r"not of nim \(m=4,N=9\)"):
        combined_verdict([SMALL], made)


def test_slabs_of_another_game_with_an_instance_of_the_same_name_are_not_of_the_whole(tmp_path):
    (tmp_path / "nim.yaml").write_text(NIM.replace("x + ... >= m", "x + ... > m"))
    other = make_instance(load_ruleset(str(tmp_path / "nim.yaml")), {"m": 4}, {"N": 9})
    claim = GAME.claim("late")
    made = [look(claim, [i], Slab(number, 2)) for number, i in enumerate((SMALL, other), 1)]
    with pytest.raises(ConfigError, match="the same rules"):
        combined_verdict([SMALL], made)
    older = [made[0], replace(made[0], slab="2/2", version="0.0.1")]
    with pytest.raises(ConfigError, match="this version"):
        combined_verdict([SMALL], older)


def test_verify_looks_at_one_slab_and_its_records_make_the_whole(folder, capsys):
    asked = ("verify", "nim", "--claim", "late", "--bound", "N=24", "--param", "m=4", "--json", "--slab")
    records = []
    for number, status in ((1, 0), (2, 0), (3, 1)):
        assert main([*asked, f"{number}/3"]) == status
        out, err = capsys.readouterr()
        records.append(record_from_json(SlabRecord, json.loads(out), "--json"))
        assert f"{number} of 3: {'refuted' if status else 'holds'}: " in err
    claim, instance = GAME.claim("late"), make_instance(GAME, {"m": 4}, {"N": 24})
    table = solve(instance, "outcome")
    assert combined_verdict([instance], records).checks == (
        check_table(claim.formula, claim.target, table, claim.where),
    )
