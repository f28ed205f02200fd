"""Short rulesets or options that ask for endless work end soon: with an answer, or a line that names the limit."""

import re

import pytest
from tests.hostile.children import run

PILE = 'title: t\nposition: {x: 0..N}\nmoves: [{take: "1..min(x, %s)", from: x}]\nclaims: [{id: c, target: p, formula: x == 0}]\n'
RECURRENCES = {
    "squares": ("{recurrence: 'f(n-1)*f(n-1) + f(n-2)', initial: {0: 2, 1: 3}}", r"f\(17\) has more than 65,536"),
    "a division": ("{recurrence: 'f(n-1) + 1 // (n - 17)', initial: {0: 2}}", r"division by zero: 1 // 0"),
}  # fmt: skip
ASKED = ["verify game.yaml --claim c --bound N=40", "prove game.yaml --claim c", "study game.yaml --budget 2"]
SECONDS = 20  # of processor time; each took a minute and more, or had no end


def ended(folder, text, commands):
    """Run commands about one ruleset and return how each ended, with its output."""
    (folder / "game.yaml").write_text(text)
    each = run(*((folder, command.split()) for command in commands), seconds=SECONDS)
    for command, found in zip(commands, each, strict=True):
        assert found.seconds < SECONDS, command
        assert "Traceback" not in found.errors
    return each


@pytest.mark.parametrize("recurrence", RECURRENCES)
def test_a_recurrence_without_values_from_somewhere_on(tmp_path, recurrence):
    body, words = RECURRENCES[recurrence]
    text = PILE % "f(x)" + f"functions: {{f(n): {body}}}\n"
    for found in ended(tmp_path, text, ASKED):
        assert found.status == 2
        assert found.errors.count("\n") == 1
        assert re.search(words, found.errors), found.errors


NIM = "title: t\npiles: 3\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
LARGE = {
    "options": ("explain game.yaml --position x=2000000,y=2,z=1", "more than 200,000 options; choose a smaller x"),
    "a pile that is fixed": ("rows game.yaml --fix x=5000", "the row x=5000 needs more than .* moves .*; fix smaller"),
    "a level": ("rows game.yaml --fix x=1 --target grundy==9000", "the row x=1 needs more than .* moves .*; fix smaller"),
}  # fmt: skip


def test_a_position_or_row_that_is_too_large_is_refused(tmp_path):
    commands = [command for command, _ in LARGE.values()]
    for found, (_, words) in zip(ended(tmp_path, NIM, commands), LARGE.values(), strict=True):
        *progress, error = found.errors.splitlines()
        assert (found.status, found.output) == (2, "")
        assert all(re.search(r" s\)$", line) for line in progress), progress
        assert re.search(words, error), found.errors
