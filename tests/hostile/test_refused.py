"""Harmful input is refused in one line, in little time and memory, and nothing is written.

In ``make test`` every input meets one command, and every command some inputs; ``make test-long`` tries all pairs and
prints the time and memory of each.
"""

from pathlib import Path

import pytest
from tests.catalogue.made import catalogue
from tests.hostile.children import MIB, refused, run
from tests.hostile.inputs import CATALOGUES, CERTIFICATES, FORMULAS, NIM, PAPERS, RULESETS

from grundylab.catalogue.catalogue import write_catalogue

INSTANCE = ["--bound", "N=3", "--param", "m=1"]
Case = tuple[str, str, str, str, list[str]]  # the sort of input, its name and file, words, the command

# By the sort of input: the file that it is (None: an option's value), the inputs, and the commands that read it.
_WAYS = {
    "ruleset": (
        "game.yaml",
        RULESETS,
        [
            ["check", "game.yaml"],
            ["solve", "game.yaml", *INSTANCE],
            ["show", "game.yaml", *INSTANCE, "--fix", "p=0"],
            ["explain", "game.yaml", "--position", "x=1,y=1", "--param", "m=1"],
            ["discover", "game.yaml", *INSTANCE],
            ["verify", "game.yaml", "--formula", "x == y", *INSTANCE],
            ["prove", "game.yaml", "--formula", "x == y"],
            ["rows", "game.yaml", "--fix", "x=1", "--param", "m=1"],
            ["certify", "game.yaml", "there.json"],
            ["export", "latex", "game.yaml"],
        ],
    ),
    "formula": (
        None,
        FORMULAS,
        [
            ["verify", "good.yaml", *INSTANCE, "--formula", "{}"],
            ["prove", "good.yaml", "--formula", "{}"],
            ["verify", "good.yaml", *INSTANCE, "--formula", "x == y", "--where", "{}"],
            ["export", "proof", "good.yaml", "--formula", "{}"],
        ],
    ),
    "catalogue": (
        "results/catalogue.json",
        CATALOGUES,
        [["formulas"], ["results"], ["papers"], ["export", "catalogue"]],
    ),
    "paper": ("papers/it.yaml", PAPERS, [["papers"], ["export", "bibtex"]]),
    "certificate": ("it.json", CERTIFICATES, [["certify", "good.yaml", "it.json"]]),
}


def cases() -> list[list[Case]]:
    """Return, for each input, one case for each command."""
    return [
        [(sort, name, file or text, words, command) for command in commands]
        for sort, (file, inputs, commands) in _WAYS.items()
        for name, (text, words) in inputs.items()
    ]


def prepared(folder: Path, case: Case) -> tuple[Path, str, list[str]]:
    """Write the input of a case into a folder; return the folder, the expected words, and the command."""
    sort, name, file, words, command = case
    folder.mkdir()
    (folder / "good.yaml").write_text(NIM)
    text, _ = _WAYS[sort][1][name]
    if _WAYS[sort][0] is not None:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    if sort == "paper":
        write_catalogue(catalogue(), folder / "results")
    return folder, words, [text if part == "{}" else part for part in command]


@pytest.mark.parametrize("sort", _WAYS)
def test_each_input_is_refused(tmp_path, sort):
    each = [of[n % len(of)] for n, of in enumerate(cases()) if of[0][0] == sort]
    refused([prepared(tmp_path / str(number), case) for number, case in enumerate(each)])


@pytest.mark.long
@pytest.mark.parametrize(
    "case", [case for of in cases() for case in of], ids=lambda c: f"{c[0]}-{c[1]}-{c[4][0]}"
)
def test_each_input_is_refused_by_every_command(tmp_path, case):
    (took,) = refused([prepared(tmp_path / "it", case)])
    print(f"{case[0]} {case[1]}: {' '.join(case[4])[:40]}: {took.seconds:.2f} s, {took.mib} MiB")


ENDLESS = {
    "a long range": "x + sum(n for n in range(0, 1000000000)) == 0",
    "ranges within ranges": "x == sum(sum(n for n in range(0, k)) for k in range(0, 1000000))",
    "a long row of shifts": "x == " + " << ".join(["1 << 4000"] * 20),
    "products": "x == " + " * ".join(["(1 << 4000)"] * 60),
}


def test_formulas_that_would_not_end_are_not_evaluated(tmp_path):
    (tmp_path / "game.yaml").write_text(NIM)
    commands = [["verify", "game.yaml", *INSTANCE, "--formula", formula] for formula in ENDLESS.values()]
    for ended in run(*((tmp_path, command) for command in commands), seconds=10):
        assert ended.status in (1, 2, 3), ended
        assert "Traceback" not in ended.errors
        assert ended.seconds < 10
        assert ended.mib < MIB
