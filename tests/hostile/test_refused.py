"""Input that is meant to do harm is refused in one line, with little memory, and nothing is written."""

import os
import re
import subprocess
import sys

import pytest

from grundylab.sealing import OPEN_SEAL, seal

NIM = "title: Nim\nparameters: {m: m >= 1}\nposition: {x: 0..N, y: 0..N}\nmoves:\n  - {take: t, from: x}\n"
DOUBLING = "functions:\n  f0(n): n + n\n" + "".join(
    f"  f{i}(n): f{i - 1}(n) + f{i - 1}(n)\n" for i in range(1, 45)
)
MIB = 200

RULESETS = {
    "deep": ("a: " + "[" * 400_000, "nested more than 40 deep"),
    "aliases": ("a: &a [x, x]\nb: [*a, *a]\n", "anchors and aliases"),
    "tags": ("title: !!python/object/apply:os.system [x]\n", "YAML tags .* are not supported"),
    "values": ("a: [" + "1," * 400_000 + "]", "more than 20,000 keys and values"),
    "bytes": ("#" * 1_000_001, "at most 1,000,000 are read"),
    "escapes": (NIM + 'description: "\\e[2J"\n', r"the character U\+001B cannot be seen"),
    "direction": (NIM + "description: \u202e\n", r"the character U\+202E cannot be seen"),
    "half a pair": (NIM + 'description: "\\ud800"\n', r"not YAML|U\+D800"),
    "code point": (NIM + 'description: "\\U99999999"\n', "not YAML"),
    "moves": (NIM + "  - {take: t, from: y}\n" * 300, "moves: at most 200 are possible here, not 301"),
    "coordinates": (NIM.replace("y: 0..N", ", ".join(f"a{i}: 0..1" for i in range(99))), "position: at most 16"),
    "title": (NIM.replace("Nim", "N" * 90_000), "title: at most 300 characters are possible here, not 90,000"),
    "lines": (NIM.replace("Nim", '"Nim\\nok"'), "title: one line of text"),
    "name": (NIM.replace("m: m >= 1", "m" * 200 + ": 1 >= 0"), "the name of a parameter has at most 60 characters"),
    "digits": (NIM + "where: x < " + "9" * 19_000 + "\n", "a number has at most 40 digits"),
    "initial": (NIM + "functions: {F(n): {recurrence: F(n-1), initial: {0: " + "9" * 4000 + "}}}\n", "at most 40 digits"),
    "piles": (NIM + "piles: 1000000000\n", "piles: at most 6"),
    "path": (NIM + "source: {paper: ../../etc/passwd, at: x}\n", "source.paper: .* cannot name a file"),
    "extends": ("extends: ../x\n" + NIM, "takes the name of a ruleset in the same folder"),
    "doubling": (NIM + DOUBLING, "written out it has more than 50,000 operators"),
    "fractions": (NIM + "where: x < floor(" + "(x/" * 60 + "(x+1)" + ")" * 60 + ")\n", "more than 50,000 operators"),
    "cases": (
        NIM + "functions:\n  f(n):\n    cases:\n" + "      - {when: n > 0, value: 1}\n" * 900,
        "cases: at most 100",
    ),
    "span": (
        NIM + f"claims: [{{id: a, target: p, table: {{rows: {{x: 0..{'9' * 30}}}, columns: {{y: 0..3}}, entries: P}}}}]\n",
        "is not a range of numbers",
    ),
    "sparse table": (
        NIM + "claims: [{id: a, target: grundy, table: {columns: [x, y], entries: \"0 0 0\\n20000 20000 0\"}}]\n",
        "at most 1,000,000 are possible",
    ),
    "large entry": (
        NIM + f"claims: [{{id: a, target: grundy, table: {{columns: [x, y], entries: 0 0 {'9' * 5000}}}}}]\n",
        "write a number less than",
    ),
}  # fmt: skip

FORMULAS = {
    "deep": ("(" * 9_000 + "x" + ")" * 9_000, "too many nested parentheses"),
    "digits": ("x < " + "9" * 9_000, "a number has at most 40 digits"),
    "power": ("x ** 999999999 == 0", "powers are not in the language"),
    "escapes": ("x \x1b[31m == 0", r"\\x1b\[31m"),
}

CATALOGUES = {
    "deep": ("[" * 100_000, "nested too deeply"),
    "digits": ("[" + "9" * 5_000 + "]", "not JSON"),
    "escapes": ('[{"target": "\\u001b[31m"}]', "control character"),
}


# The command, and at its end its peak memory. (What wait4 says counts the process that it was forked from.)
ALONE = """
import atexit, sys
from pathlib import Path

peak = Path(sys.argv.pop(1))
status = Path("/proc/self/status")
atexit.register(lambda: peak.write_text(status.read_text() if status.exists() else ""))
from grundylab.cli import entry

entry()
"""


def refused(folder, words, *arguments):
    """Run the command in its own process, as a user does."""
    peak = folder.with_name(folder.name + "-peak")
    before = sorted(path for path in folder.rglob("*"))
    command = [sys.executable, "-c", ALONE, str(peak), *arguments]
    source = os.path.abspath("src")
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": source},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    output, errors = process.communicate()
    errors = errors.decode()
    assert process.returncode == 2, errors
    assert errors.count("\n") == 1
    assert errors.startswith("grundylab: ")
    assert "Traceback" not in errors
    assert errors[:-1].isprintable()
    assert re.search(words, errors), errors
    assert output == b""
    if used := re.search(r"VmHWM:\s+(\d+) kB", peak.read_text()):  # where the system tells
        assert int(used[1]) < MIB * 1024
    assert sorted(path for path in folder.rglob("*")) == before


@pytest.mark.parametrize("name", RULESETS)
def test_rulesets(tmp_path, name):
    text, words = RULESETS[name]
    (tmp_path / "game.yaml").write_text(text)
    refused(tmp_path, words, "check", "game.yaml")


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas(tmp_path, name):
    text, words = FORMULAS[name]
    (tmp_path / "game.yaml").write_text(NIM)
    refused(tmp_path, words, "verify", "game.yaml", "--formula", text, "--bound", "N=3", "--param", "m=1")


@pytest.mark.parametrize("name", CATALOGUES)
def test_catalogues(tmp_path, name):
    text, words = CATALOGUES[name]
    (tmp_path / "results").mkdir()
    path = tmp_path / "results" / "catalogue.json"
    path.write_text(f'{{"formulas": {text}, "seal": "{OPEN_SEAL}"}}')  # whoever is hostile can seal, too
    seal(path)
    refused(tmp_path, words, "formulas")
