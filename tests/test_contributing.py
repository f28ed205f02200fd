"""The steps of CONTRIBUTING.md work word for word, in a copy; and all files agree on the version."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text()


def section(head):
    """Return the code blocks below a heading, by language."""
    text = re.search(rf"(?ms)^## {head}\n(.*?)(?=^## |\Z)", TEXT)[1]
    return dict(re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", text))


@pytest.fixture
def copy(tmp_path):
    """Return a checkout in which files may be changed, and a function that runs a command there."""
    shutil.copytree(
        ROOT / "src", tmp_path / "src", symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")

    def run(line):
        assert line.startswith("grundylab ")
        command = [sys.executable, "-m", *shlex.split(line)]
        # Numba would compile all anew for a package in another place, which takes longer than all else
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "NUMBA_DISABLE_JIT": "1"}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return tmp_path, run


def test_a_first_ruleset(copy):
    folder, run = copy
    blocks = section("A ruleset")
    (folder / "rulesets" / "two-or-three.yaml").write_text(blocks["yaml"])
    checked, studied = map(run, blocks["sh"].splitlines())
    assert "ok: every move" in checked
    assert re.search(r"proved\s+guess: for all sizes", studied)


def test_a_first_engine(copy):
    folder, run = copy
    blocks, engines = section("An engine"), folder / "src" / "grundylab" / "discover" / "engines"
    (engines / "guesses.py").write_text(blocks["python"])
    listed = engines / "__init__.py"
    listed.write_text(
        listed.read_text().replace(
            '    "search": ', '    "guesses": "what everybody tries first",\n    "search": '
        )
    )
    (line,) = blocks["sh"].splitlines()
    assert re.search(r"exact .* x \^ y == 0", run(line))


def test_a_first_built_in(copy):
    folder, run = copy
    blocks, table = section("A built-in function"), folder / "src" / "grundylab" / "language" / "builtins.py"
    before, brace, after = table.read_text().rpartition("}\n")
    table.write_text(before + blocks["python"] + brace + after)
    (line,) = blocks["sh"].splitlines()
    assert "holds: 41 positions" in run(line)


def test_one_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == version
    assert re.search(r"(?m)^## (\S+) ", (ROOT / "CHANGELOG.md").read_text())[1] == version
