"""The promises of ``import grundylab``: public names, and rulesets wherever it is installed."""

import doctest
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

import grundylab
from grundylab.logic.mona import find_mona

ROOT = Path(__file__).parents[1]


def test_every_public_name_is_an_object_and_no_module():
    for name in grundylab.__all__:
        assert not isinstance(getattr(grundylab, name), ModuleType), name


def test_the_public_functions_are_not_hidden_by_modules_that_were_imported():
    code = """
import importlib, pkgutil, grundylab
for module in pkgutil.walk_packages(grundylab.__path__, "grundylab."):
    importlib.import_module(module.name)
from grundylab import discover, prove, solve, verify
assert all(map(callable, (discover, prove, solve, verify)))
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(find_mona() is None, reason="the example ends with a proof, which needs MONA")
def test_the_example_in_the_packages_docstring_is_true(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert doctest.testmod(grundylab).failed == 0


@pytest.mark.parametrize(
    "code", ["grundylab.parse('x == y')._repr_latex_()", "grundylab.load('nim')._repr_html_()"]
)
def test_what_a_public_name_gives_shows_itself_in_a_notebook_whatever_was_used_before(code):
    subprocess.run([sys.executable, "-c", f"import grundylab; {code}"], check=True, cwd=ROOT)


OWN = """
title: Nim with two piles
extends: nim
piles: 2
claims:
  - {id: equal, target: p, formula: x == y}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder of a grundylab that was built as a wheel from the sources, and installed."""
    tmp_path = tmp_path_factory.mktemp("wheel")
    source, target = tmp_path / "source", tmp_path / "installed"
    for folder in ("src", "coq", "rulesets", "surveys", "papers", "workflow"):
        unwanted = shutil.ignore_patterns("*.egg-info", "__pycache__")
        shutil.copytree(ROOT / folder, source / folder, symlinks=True, ignore=unwanted)
    for file in ("pyproject.toml", "config.yaml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, source], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--no-compile", "--target", target, wheel], check=True)
    return target


def environment_of(installed):
    """Return the environment of a program that uses this installation.

    Nothing is compiled, since Numba would compile again for a package in another place.
    """
    return {**os.environ, "PYTHONPATH": str(installed), "NUMBA_DISABLE_JIT": "1"}


def test_a_wheel_has_the_rulesets_and_papers_and_works_in_an_empty_folder(installed, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()

    def said(*arguments):
        environment = environment_of(installed)
        done = subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    for part in ("rulesets", "surveys", "papers"):
        names = {file.name for file in (ROOT / part).glob("*.yaml")}
        assert {file.name for file in (installed / "grundylab" / part).iterdir()} == names
    code = "import grundylab; print(grundylab.__file__, grundylab.load('nim').files[0])"
    assert said("-c", code).split() == [
        f"{installed}/grundylab/__init__.py",
        f"{installed}/grundylab/rulesets/nim.yaml",
    ]
    assert "● P-position" in said("-m", "grundylab", "show", "nim", "--bound", "N=8", "--fix", "z=1")
    (folder / "own.yaml").write_text(OWN)
    commands = "discover own.yaml --bound N=12 --engine search; prove own.yaml --claim equal; export bibtex"
    text = said(
        "-c", f"from grundylab.cli.main import main\nfor c in '{commands}'.split('; '): main(c.split())"
    )
    assert all(part in text for part in ("x == y", "proved for all sizes", "@article"))


def test_a_project_of_ones_own_makes_its_page_and_goes_on_after_a_kill(installed, tmp_path):
    folder, environment = tmp_path / "games", environment_of(installed)
    init = [sys.executable, "-m", "grundylab", "init", "games"]
    subprocess.run(init, cwd=tmp_path, env=environment, check=True, capture_output=True)
    again = subprocess.run(init, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert again.stderr.startswith("grundylab: games/README.md: ")
    page = "results/my-game/report/index.html"
    command = [sys.executable, "-m", "snakemake", "--cores", "2", page]
    command += ["--config", "budget=1", "engines=[search, tree]"]
    run = subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for file in (folder / "config.yaml", folder / "rulesets" / "my-game.yaml"):
        schema = file.read_text().splitlines()[0].partition("$schema=")[2]
        assert (file.parent / schema).is_file()
    verdicts = folder / "results" / "my-game" / "verdicts.json"
    while not verdicts.exists():
        assert run.poll() is None
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert not (folder / page).exists()
    unlock = [sys.executable, "-m", "snakemake", "--unlock"]  # as the message says
    subprocess.run(unlock, cwd=folder, env=environment, capture_output=True, check=True)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "for all sizes" in (folder / page).with_name("rulesets").joinpath("my-game.html").read_text()
