"""What ``import grundylab`` promises: the public names are what they say, whatever was imported before."""

import doctest
import subprocess
import sys
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
