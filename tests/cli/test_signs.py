"""A terminal without UTF-8 shows replacement signs for P and N, and no sign ends in a traceback."""

import io
import sys

import pytest

from grundylab.cli import signs
from grundylab.cli.main import entry

GAME = "title: t ● “misère” ≤\nposition: {x: 0..N}\nmoves: [{take: '1..min(15, x)', from: x}]\n"  # reported: m15.yaml


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "iso8859-7", "utf-8"])
@pytest.mark.parametrize(
    "command",
    ["show m15.yaml --bound N=12", "check m15.yaml", "explain m15.yaml --position x=20", "discover m15.yaml --budget 1", "--help"],
)  # fmt: skip
def test_every_command_prints_in_any_encoding(tmp_path, monkeypatch, encoding, command):
    """The commands run in this process; tests/cli/test_cli.py runs one in a process with an ASCII environment."""
    (tmp_path / "m15.yaml").write_text(GAME, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["grundylab", *command.split()])
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with pytest.raises(SystemExit) as ended:
        entry()
    err.flush()
    assert (ended.value.code, err.buffer.getvalue()) == (0, b"")
    text = out.buffer.getvalue().decode(encoding)
    assert "?" not in text
    if "show" in command:
        _, _, cells, legend = text.splitlines()
        losing, *others = cells.split()
        assert legend == f"{losing} P-position, {others[0]} N-position"
        assert {losing} & {*others} == set()


def test_letters_lose_their_accents_and_the_rest_has_a_sign():
    assert signs.plain("misère → ● · … ≥ Čech x² 数 \ud800") == "misere > # . ... >= Cech x2 ? ?"
