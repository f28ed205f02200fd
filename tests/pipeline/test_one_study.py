"""``my-game: {}`` in config.yaml finds what ``grundylab study my-game`` finds, and all that ``discover`` finds.

Processor time stands still, so that no search is cut short at another place; budgets are counted in work.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.pipeline.project import HOOK, bare, shared, snakemake

BUDGET = 6  # of a study; a sixth of it is that of one engine
PATHS = os.pathsep.join([str(HOOK), *filter(None, [os.environ.get("PYTHONPATH")])])
STILL = {"PYTHONPATH": PATHS, "FAULT_STILL": "yes"}
SCRIPT = Path(sys.executable).with_name("grundylab")
GAMES = {
    # its claim has a false case
    "mark": """
title: Mark - take one stone, or replace the pile by half of it, rounded down
position: {x: 0..N}
moves:
  - {take: 1, from: x}
  - {name: halve, when: x >= 2, to: {x: floor(x/2)}}
claims:
  - {id: dopey, target: p, where: x >= 1, formula: valuation2(x) % 2 == 0}
""",
    # no formula is found that fits all k
    "bounded-wythoff-pass": """
title: Bounded Wythoff with a pass while k stones are left
parameters: {k: k >= 1}
piles: 2
position: {x: 0..N}
moves:
  - {take: "1..min(k, x)", from: x}
  - {name: one from both, when: x >= 1 and y >= 1, to: {x: x - 1, y: y - 1}}
pass: {when: x + ... >= k}
claims:
  - {id: guess, target: p, where: p == 0, formula: x % (k + 1) == y % (k + 1)}
""",
    # one formula for all k, with a quotient by it
    "bounded": """
title: Take 1 to k
parameters: {k: k >= 1}
position: {x: 0..N}
moves: [{take: "1..min(k, x)", from: x}]
""",
    # a game of one heap: its sequence has a period
    "take-1-3-4": """
title: Take one, three or four
position: {n: 0..N}
moves: [{take: [1, 3, 4], from: n}]
""",
    # no formula is found, but rows have periods
    "nim-pass": """
title: Nim with a pass
piles: 3
position: {x: 0..N}
moves: [{take: t, from: x}]
pass: {}
""",
    # it ends at a parameter
    "race": """
title: Add one to three up to k
parameters: {k: k >= 0}
position: {n: 0..k}
measure: k - n
moves: [{for: {d: 1..3}, when: n + d <= k, to: {n: n + d}}]
""",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return the folder of a project after a run of its studies."""

    def make(folder):
        lines = [f"budget: {BUDGET / 6}", "studies:", *(f"  {name}: {{}}" for name in GAMES)]
        bare(folder, "\n".join(lines) + "\n")
        (folder / "rulesets").mkdir()
        for name, rules in GAMES.items():
            (folder / "rulesets" / f"{name}.yaml").write_text(rules)
        with pytest.MonkeyPatch.context() as patch:
            for name, value in STILL.items():
                patch.setenv(name, value)
            done = snakemake(folder, "results/catalogue.json")
        assert done.returncode == 0, done.stderr

    return shared(tmp_path_factory, "one-study", make)


def grundylab(folder, *arguments, **environment):
    """Return the record that the command writes in the folder."""
    command = [SCRIPT, *arguments, "--json"]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def statements(record, game):
    """Return the formulas and claims of the game with their verdicts and the conditions under which they are proved."""
    return {
        (one["target"], one["formula"], one.get("where", "True")): (
            one["status"],
            {proof.get("where", "True") for proof in one.get("proofs", ()) if proof["status"] == "proved"},
        )
        for one in record["findings"]
        if one["ruleset"] == game
    }


@pytest.mark.parametrize("game", GAMES)
def test_both_ways_find_the_same_statements_with_the_same_verdicts_and_all_that_discover_finds(project, game):
    by_name = statements(json.loads((project / "results" / "catalogue.json").read_text()), game)
    alone = statements(grundylab(project, "study", game, "--budget", str(BUDGET), **STILL), game)
    assert by_name == alone
    assert {status for status, _ in alone.values()} & {"proved", "holds"}
    found = grundylab(project, "discover", game, "--budget", str(BUDGET / 2))
    assert {("p", one["formula"], one["where"]) for one in found["candidates"] if one["exact"]} <= {*alone}
