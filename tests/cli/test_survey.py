"""``grundylab survey``: it announces the work, reports the results, and replaces no file of anybody else's."""

import os
import subprocess

import pytest

SMALL = """\
title: One pile and a pass
slots: {GUARD: [x >= m, x % 2 == 0]}
parameters: {m: m >= 1}
position: {x: 0..N}
moves:
  - {take: t, from: x}
pass: {when: GUARD}
small: {bounds: {N: 8}, parameters: {m: [1, 2, 3]}}
claims:
  - {id: guess, target: p, formula: x == (1 if p == 1 and GUARD else 0)}
"""


@pytest.fixture
def small(folder):
    (folder / "surveys").mkdir()
    (folder / "surveys" / "small.yaml").write_text(SMALL)
    return folder


def test_what_a_killed_survey_has_left_goes_and_nothing_else_does(grundylab, small):
    ended = subprocess.Popen(["true"])
    ended.wait()
    proofs = small / "there" / "proofs" / "0"
    proofs.mkdir(parents=True)
    left = [
        proofs / f".guess.json.{ended.pid}.abc_1234.tmp",
        small / "there" / f".page.{ended.pid}.abc_1234.old",
    ]
    kept = [
        proofs / f".guess.json.{os.getppid()}.abc_1234.tmp",
        proofs / ".mine.tmp",
        small / f".page.{ended.pid}.a.tmp",
    ]
    for path in (left[0], *kept):
        path.write_text("")
    left[1].mkdir()
    assert grundylab("survey small --out there")[0] == 0
    assert [path for path in (*left, *kept) if path.exists()] == kept


def test_a_dry_run_says_what_there_is_to_do_and_does_nothing(grundylab, small):
    status, record, _ = grundylab("survey small --dry-run --json")
    assert (status, record["games"], record["jobs"]) == (0, 2, 3)
    assert record["core_seconds"] > 0
    assert not (small / "results").exists()


def test_a_game_of_a_survey_is_a_rulesets_file_of_which_its_proof_is_one(grundylab, small):
    assert grundylab("survey small --out there")[0] == 0
    status, text, _ = grundylab("survey small --game 0")
    assert status == 0
    assert text.startswith("# Game 0 of the survey small: GUARD: x >= m\ntitle: One pile and a pass\n")
    (small / "game.yaml").write_text(text)
    (proof,) = (small / "there" / "proofs").rglob("0/0/guess-*.mona")
    status, said, _ = grundylab(f"certify game.yaml {proof}")
    assert status == 0
    assert said.startswith("proved: ")
    status, other, _ = grundylab("survey small --game 1")
    (small / "other.yaml").write_text(other)
    status, _, error = grundylab(f"certify other.yaml {proof}")
    assert status == 2
    assert "another game" in error
    status, _, error = grundylab("survey small --game 2")
    assert status == 2
    assert "0 to 1" in error


def test_what_is_there_is_not_replaced(grundylab, small):
    (small / "mine" / "page").mkdir(parents=True)
    (small / "mine" / "page" / "thesis.txt").write_text("years of work")
    status, _, error = grundylab("survey small --out mine")
    assert status == 2
    assert error.startswith("grundylab: mine/page: ")
    assert (small / "mine" / "page" / "thesis.txt").is_file()


def test_a_survey_is_done_again_by_force(grundylab, small):
    assert grundylab("survey small --out there")[0] == 0
    first = (small / "there" / "survey.parquet").read_bytes()
    assert grundylab("survey small --out there")[0] == 2
    assert grundylab("survey small --out there --force")[0] == 0
    assert (small / "there" / "survey.parquet").read_bytes() == first
