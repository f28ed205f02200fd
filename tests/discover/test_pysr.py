"""PySR: its contract held against the installed package's source, its absence a note, its answers read exactly."""

import ast
import importlib.util
import json
import sys
from pathlib import Path

import pytest
from tests.discover.made import made
from tests.discover.test_games import piles, tables

from grundylab.discover import discover
from grundylab.discover.engines import pysr as engine
from grundylab.discover.genetic import BUILT_IN, OPERATORS
from grundylab.games import parse_target
from grundylab.language.syntax import Int, Name
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.stages import discover_stage, verify_stage
from grundylab.solve import solve
from grundylab.solve.dataset import write_dataset

P, GRUNDY = parse_target("p"), parse_target("grundy")
ANSWERING = """
import os


class PySRRegressor:
    def __init__(self, **settings):
        assert os.environ["PYTHON_JULIAPKG_OFFLINE"] == "yes"
        self.settings = settings

    def fit(self, X, y, weights, variable_names):
        assert X.shape == (len(y), len(variable_names)) and weights.shape == y.shape
        names = [o.split("(")[0] for group in self.settings["operators"].values() for o in group if "(" in o]
        assert set(names) == set(self.settings["extra_sympy_mappings"])
        self.equations_ = {"equation": ["1.0", "x0 / x1", "nimsum(x1, x0) - 0.0"]}
        print("Julia says this and that")
"""


NIM = made("x ^ y", x=range(5), y=range(5))


def why() -> str:
    """Why PySR is not available: a note of one line, and nothing is proposed."""
    told = engine.propose(NIM, GRUNDY, 0, 0.5)
    (note,) = told.notes
    assert (told.formulas, "\n" in note) == ((), False)
    assert note.startswith("PySR is not available: ")
    return note.removeprefix("PySR is not available: ")


@pytest.fixture
def no_julia(monkeypatch, tmp_path):
    """Neither named, nor on the path, nor in the environment of this Python."""
    monkeypatch.delenv("PYTHON_JULIAPKG_EXE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))


@pytest.fixture
def fake_julia(monkeypatch, tmp_path):
    """A program of that name that does nothing but fail; whatever is made for it is made in the test's folder."""
    program = tmp_path / "julia"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PYTHON_JULIAPKG_EXE", str(program))
    monkeypatch.setenv("PYTHON_JULIAPKG_PROJECT", str(tmp_path / "project"))


@pytest.fixture
def package(monkeypatch, tmp_path):
    """Put a package pysr with this text in the place of the installed one."""

    def put(text: str) -> None:
        (tmp_path / "packages" / "pysr").mkdir(parents=True)
        (tmp_path / "packages" / "pysr" / "__init__.py").write_text(text)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))

    return put


# -- the contract --------------------------------------------------------------------------------------------


def parameters(function: str) -> set[str]:
    """The parameters of a method of the installed ``PySRRegressor``, read without importing it."""
    spec = importlib.util.find_spec("pysr")
    if spec is None:
        pytest.skip("the package pysr is not installed")
    (folder,) = spec.submodule_search_locations
    module = ast.parse((Path(folder) / "sr.py").read_text())
    (made,) = [n for n in module.body if isinstance(n, ast.ClassDef) and n.name == "PySRRegressor"]
    (method,) = [n for n in made.body if isinstance(n, ast.FunctionDef) and n.name == function]
    return {argument.arg for argument in (*method.args.args, *method.args.kwonlyargs)}


def test_pysr_knows_every_argument_that_it_is_given():
    asked = {*engine.settings(False, 0, 1.0, "folder"), "extra_sympy_mappings"}
    assert asked <= parameters("__init__")
    assert {"X", "y", "weights", "variable_names"} <= parameters("fit")


def test_the_search_is_the_seeds_of_the_same_operators_as_gplearns_and_of_whole_numbers():
    given = engine.settings(True, 7, 2.0, "folder")
    assert {arity: len(texts) for arity, texts in given["operators"].items()} == {2: 9, 3: 1}
    texts = [text for several in given["operators"].values() for text in several]
    assert sorted(text.split("(")[0] for text in texts) == sorted(operator.name for operator in OPERATORS)
    assert {text for text in texts if "(" not in text} == BUILT_IN
    expected = {
        "random_state": 7, "deterministic": True, "parallelism": "serial", "precision": 64, "batching": False,
        "should_optimize_constants": False, "weight_mutate_constant": 0, "timeout_in_seconds": 2.0,
    }  # fmt: skip
    assert expected.items() <= json.loads(json.dumps(given)).items()
    assert given["maxsize"] >= 7


# -- equations -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("equation", "formula"),
    [
        ("x0", "x"),
        ("nimsum(x0, x1) + 1.0", "(x ^ y) + 1"),
        ("x0 - (x1 - x0)", "x - (y - x)"),
        ("(x0 - x1) - x0", "x - y - x"),
        ("-x1 + 2.0", "-y + 2"),
        ("x0 * 3.0", "x * 3"),
        ("choose(below(x0, x1), x2, max(x0, -1.0))", "1 if x < y else max(x, -1)"),
        ("choose(x0 - x1, x2, x1)", "1 if x - y > 0 else y"),
        ("quotient(x0, 2.0)", "x // 2"),
        ("remainder(x0, x1)", "x % y if y != 0 else x"),
        ("times(x0, min(x1, 1e3))", "x * min(y, 1000)"),
        ("x0 + 0.5", None),
        ("x0 / x1", None),
        ("x0 ^ 2.0", None),
        ("greater(x0, x1)", None),
        ("nimsum(x0)", None),
        ("x3", None),
        ("y", None),
        ("x0 +", None),
        ("NaN", None),
        ("1e999", None),
    ],
)  # fmt: skip
def test_an_equation_is_read_as_the_formula_that_it_is_or_not_at_all(equation, formula):
    found = engine.translated(equation, (Name("x"), Name("y"), Int(1)))
    assert (None if found is None else str(found)) == formula


# -- without Julia, and with something that is none ----------------------------------------------------------


def test_where_it_cannot_be_started_there_is_a_note_and_nothing_is_started(no_julia, monkeypatch):
    monkeypatch.setattr(engine, "_run", lambda *_: pytest.fail("started"))
    assert why().startswith("no Julia is named by PYTHON_JULIAPKG_EXE or found on the PATH")
    monkeypatch.setenv("PYTHON_JULIAPKG_EXE", "/nowhere/julia")
    assert why() == "PYTHON_JULIAPKG_EXE names '/nowhere/julia', which is no program"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert why() == "the package pysr is not installed"


def test_without_julia_the_stage_completes_and_says_why(no_julia, tmp_path):
    (tmp_path / "nim.yaml").write_text(piles(2))
    config = (
        "engines: [pysr]\nstudies: {nim: {targets: [p], train: {bounds: {N: 4}}, test: {bounds: {N: 6}}}}\n"
    )
    (tmp_path / "config.yaml").write_text(config)
    study = read_studies(tmp_path / "config.yaml", str(tmp_path))["nim"]
    data, found, judged = (str(tmp_path / name) for name in ("data.parquet", "found.json", "verdicts.json"))
    (instance,) = study.datasets
    write_dataset(solve(instance, study.values), Path(data))
    discover_stage(study, found)
    verify_stage(study, [found], [data], judged, str(tmp_path / "timings.json"))
    (proposed,) = json.loads(Path(found).read_text())["engines"]
    assert proposed["candidates"] == []
    (record,) = json.loads(Path(judged).read_text())["engines"]
    assert (record["target"], record["engine"], record["exact"], record["partial"]) == ("p", "pysr", 0, 0)
    assert record["notes"][0].startswith("PySR is not available: no Julia")


def test_what_is_no_julia_is_a_note_of_one_line(fake_julia):
    assert "is not a Julia executable" in why()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise RuntimeError('two\\nlines')", "RuntimeError: two"),
        ("raise KeyError", "KeyError"),
        ("import os; os.abort()", "it was ended by signal 6"),
        ("import sys; sys.exit(0)", "it ended without an answer"),
        ("import sys; sys.exit(9)", "it ended with status 9"),
        ("", "ImportError: cannot import name 'PySRRegressor' from 'pysr'"),
    ],
)
def test_whatever_fails_in_pysr_is_a_note(fake_julia, package, text, reason):
    package(text)
    assert why().startswith(reason)


def test_a_search_that_never_ends_is_ended(fake_julia, package, monkeypatch):
    package("import time\ntime.sleep(3600)")
    monkeypatch.setattr(engine, "STARTING", 1)
    assert why() == "no answer after 1.5 seconds"


def test_what_pysr_answers_is_ranked_like_any_other_proposal(fake_julia, package):
    package(ANSWERING)
    found = discover(tables(piles(2), "grundy", 5, ()), GRUNDY, "pysr", budget=1.0)
    assert [(str(candidate.formula), candidate.exact) for candidate in found] == [
        ("x ^ y", True),
        ("1", False),
    ]


def test_what_is_not_exact_is_said_to_be_the_budgets(fake_julia, package):
    package(ANSWERING.replace("nimsum", "max"))
    assert engine.propose(NIM, GRUNDY, 0, 1.0).notes == (
        "stopped by the budget of 1 seconds: with a larger one there may be more",
    )


def available() -> str:
    """Why PySR cannot be run here; empty if it can."""
    try:
        engine.julia()
    except engine.Unavailable as reason:
        return str(reason)
    return ""


@pytest.mark.skipif(bool(available()), reason=available())
@pytest.mark.parametrize(("target", "formula"), [("grundy", "x ^ y"), ("p", "x == y")])
def test_pysr_finds_two_pile_nim(target, formula):
    wanted = parse_target(target)
    best = discover(tables(piles(2), target, 5, ()), wanted, "pysr", budget=60.0)[0]
    assert (str(best.formula), best.exact) == (formula, True)
