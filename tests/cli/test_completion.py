"""The completion scripts: bash offers the right words at each place, and other shells can read their scripts."""

import shutil
import subprocess

import pytest

from grundylab.cli.main import COMMANDS, main

GAME = "title: t\nposition: {x: 0..N}\nmoves:\n  - {take: t, from: x}\nclaims:\n  - {id: one, target: p, formula: x == 0}\n  - id: two-a\n    target: p\n    formula: x == 0\n"  # fmt: skip

ASK = """
source ./script
COMP_WORDS=("$@"); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_shtab_grundylab 2> /dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script_of(shell, capsys):
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ver"], {"verify"}),
        ([""], set(COMMANDS)),
        (["verify", ""], {"nim", "my-game", "file.yaml"}),
        (["verify", "n"], {"nim"}),
        (["verify", "nim", "--cl"], {"--claim"}),
        (["verify", "nim", "--claim", ""], {"one", "two-a"}),
        (["prove", "file.yaml", "--claim", "t"], {"two-a"}),
        (["solve", "nim", "--target", ""], {"grundy", "outcome", "p"}),
    ],
    ids=lambda words: " ".join(sorted(words) if isinstance(words, set) else words),
)  # fmt: skip
def test_bash_is_offered_commands_options_rulesets_and_claims(tmp_path, monkeypatch, capsys, words, offered):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rulesets").mkdir()
    for file in ("rulesets/nim.yaml", "rulesets/my-game.yaml", "file.yaml"):
        (tmp_path / file).write_text(GAME)
    (tmp_path / "script").write_text(script_of("bash", capsys))
    done = subprocess.run(
        ["bash", "-c", ASK, "bash", "grundylab", *words], capture_output=True, text=True, check=True
    )
    assert offered <= {*done.stdout.split()}
    assert {*done.stdout.split()} - offered <= {"script"} if len(words) > 1 else True


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_read_its_script(tmp_path, capsys, shell):
    script = script_of(shell, capsys)
    assert all(command in script for command in COMMANDS)
    assert "_grundylab_claims" in script
    if shutil.which(shell):
        (tmp_path / "script").write_text(script)
        subprocess.run([shell, "-n", tmp_path / "script"], check=True)
