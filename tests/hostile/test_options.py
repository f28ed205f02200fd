"""Options with numbers of very many digits are refused in a sentence, and the trial of a ruleset ends."""

import pytest

from grundylab.cli.commands import check
from grundylab.cli.main import main

MANY = "9" * 5_000
NIM = "title: Nim\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
OPTIONS = {
    "--seed": (["discover", "nim.yaml", "--bound", "N=3", "--seed", MANY], "is not a whole number from 0 to"),
    "--length": (["rows", "nim.yaml", "--length", MANY], "is not a whole number from 1 to"),
    "--piles": (["new", "x", "--piles", MANY], "is not a whole number from 1 to"),
    "--width": (["show", "nim.yaml", "--bound", "N=3", "--width", MANY], "is not a whole number from 20 to"),
    "--timeout": (["prove", "nim.yaml", "--formula", "x == 0", "--timeout", MANY], "is not a number greater"),
    "--memory": (
        ["solve", "nim.yaml", "--bound", "N=3", "--memory", f"{MANY}GiB"],
        "is not an amount of memory",
    ),
    "--bound": (["solve", "nim.yaml", "--bound", f"N={MANY}"], "is too large to be stored"),
    "--target": (["rows", "nim.yaml", "--target", f"grundy == {MANY}"], "unknown target"),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_digits_of_an_option(tmp_path, monkeypatch, capsys, option):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nim.yaml").write_text(NIM)
    arguments, words = OPTIONS[option]
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert words in said.err or "…" in said.err
    assert "invalid" not in said.err


def test_a_trial_that_takes_too_many_steps_is_none(tmp_path, monkeypatch):
    from grundylab.games import load_ruleset

    (tmp_path / "game.yaml").write_text(NIM + "where: all(i + x >= x for i in range(0, 1000))\n")
    monkeypatch.setattr(check, "_TRIAL_STEPS", 1_000)
    assert check.try_moves(load_ruleset(str(tmp_path / "game.yaml"))) == check.Trial()
