"""``grundylab new`` writes a ruleset that works unchanged, and prints commands and a study that work."""

import shlex
from functools import reduce
from itertools import product
from operator import xor

import pytest
import yaml

from grundylab.api import solve
from grundylab.cli.main import main
from grundylab.games import load_ruleset
from grundylab.pipeline.config import read_studies


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("options", [[], ["--piles", "1"], ["--piles", "3", "--pass"]], ids=" ".join)
def test_what_it_says_to_go_on_with_works(folder, capsys, options):
    assert main(["new", "my-game", *options]) == 0
    said = capsys.readouterr().out
    commands = [line.strip() for line in said.splitlines() if line.startswith("    grundylab ")]
    assert [command.split()[1] for command in commands] == ["check", "show", "discover", "verify", "prove"]
    for command in commands:
        if "discover" not in command:  # that one takes seconds
            assert main(shlex.split(command)[1:]) == 0, command
    ruleset = load_ruleset("my-game")
    assert bool(options[2:]) == ("p" in ruleset.coordinate_names)
    start, end = said.index("\n  my-game:"), said.index("\nand run ")
    study = said[start + 1 : end]
    (folder / "config.yaml").write_text(f"engines: [search]\nstudies:\n{study}")
    assert list(read_studies(folder / "config.yaml")) == ["my-game"]
    assert "make run" not in said  # a project has no Makefile
    assert "snakemake --cores 2 results/my-game/report/index.html" in said


def test_each_comment_that_is_a_key_works_when_its_sign_is_taken_away(folder, capsys):
    assert main(["new", "a"]) == 0
    file = folder / "rulesets" / "a.yaml"
    text = file.read_text()
    for line in ("# parameters: ", "# pass: ", "# play: "):
        assert line in text
        file.write_text(text.replace(line, line[2:]))
        assert load_ruleset("a").name == "a", line
    general = text.replace("\n#  ", "\n  ")
    file.write_text(general)
    whole = [move for move in yaml.safe_load(general)["moves"] if not isinstance(move.get("to"), list)]
    assert len(load_ruleset("a").moves) == 2 * len(whole) + 2  # a split is of the pile that it names


@pytest.mark.parametrize("piles", [1, 2, 3])
def test_the_piles_of_its_splits_are_in_one_part_alone(folder, piles):
    assert main(["new", "a", "--piles", str(piles)]) == 0
    file = folder / "rulesets" / "a.yaml"
    file.write_text(file.read_text().replace("\n#  - {name: split", "\n  - {name: split"))
    table = solve(load_ruleset("a"), N=5)
    heap = [0]  # take one to three, or split: by hand
    for size in range(1, 6):
        options = {heap[size - taken] for taken in range(1, min(size, 3) + 1)}
        options |= {heap[a] ^ heap[size - a] for a in range(1, size)}
        heap.append(min(set(range(9)) - options))
    for position in product(range(6), repeat=piles):
        assert table[position] == reduce(xor, (heap[size] for size in position)), position
