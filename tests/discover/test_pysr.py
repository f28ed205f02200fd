"""PySR: the interface agrees with the installed package's source, and its absence gives a note, not an error."""

import ast
import importlib.util
import json
import math
import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.discover.games import piles
from tests.discover.made import made, whole_problem
from tests.solved import tables

from grundylab.discover import EngineQuestion, discover, engine_findings, pysr_worker
from grundylab.discover.base import Unread
from grundylab.discover.engines import pysr as engine
from grundylab.discover.genetic import BUILT_IN, OPERATORS, GeneticProblem
from grundylab.discover.pysr_worker import unavailable, worker
from grundylab.games import parse_target
from grundylab.language.syntax import Binary, Name
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.stages import fit_stage, pysr_stage, verify_stage
from grundylab.solve import solve
from grundylab.solve.dataset import dataset_name, write_dataset

P, GRUNDY = parse_target("p"), parse_target("grundy")
ANSWERING = """
import os
import sys

with open(os.environ["STARTS"], "a") as starts:
    starts.write("started\\n")
assert os.environ["PYTHON_JULIAPKG_OFFLINE"] == "yes"
assert os.environ["PYTHON_JULIACALL_THREADS"] == "auto"
assert sys.stdin.read() == ""
known, fits = set(), []


class PySRRegressor:
    def __init__(self, **settings):
        assert os.path.isdir(settings["output_directory"])
        self.settings = settings
        fits.append((settings["max_evals"], settings["run_id"]))
        assert (len(fits) == 1) == (settings["max_evals"] == 1)
        assert len({run for _, run in fits}) == len(fits)

    def fit(self, X, y, weights, variable_names):
        assert X.shape == (len(y), len(variable_names)) and weights.shape == y.shape
        texts = [text for group in self.settings["operators"].values() for text in group]
        texts += [self.settings["elementwise_loss"], self.settings["early_stop_condition"]]
        for text in set(texts) - {"+", "-", "min", "max"}:
            assert ("(" in text) != (text.split("(")[0] in known), text
            known.add(text.split("(")[0])
        assert set(self.settings["extra_sympy_mappings"]) <= known
        FITTING
        self.equations_ = {
            "complexity": [1, 3, 5, 7],
            "loss": [0.5, 0.25, 0.125, 0.0],
            "equation": ["1.0", "x0 / x1", "max(x0, -1.14694)", "nimsum(x1, x0) - 0.0"],
        }
        print("Julia says this and that")
        os.system("echo so does what it starts")
"""
NIM = made("x ^ y", x=range(5), y=range(5))
BY = "answered by PySR 2.7.2, Julia 1.10.10"


def why() -> str:
    """Return the note that says why PySR is not available; assert that it is one line and nothing is proposed."""
    told = engine.propose(NIM, GRUNDY, 0, 0.5)
    (note,) = told.notes
    assert (told.formulas, "\n" in note) == ((), False)
    assert note.startswith("PySR is not available: ")
    return note.removeprefix("PySR is not available: ")


@pytest.fixture(autouse=True)
def its_own_worker(monkeypatch, tmp_path):
    """Give the test its own worker process and cache, and end the worker afterwards."""
    monkeypatch.setenv("GRUNDYLAB_CACHE", str(tmp_path / "cache"))
    worker.cache_clear()
    yield
    worker(os.getpid()).close()
    worker.cache_clear()


@pytest.fixture
def no_julia(monkeypatch, tmp_path):
    """Hide Julia: it is neither named by a variable nor set up in the environment of this Python."""
    monkeypatch.delenv("PYTHON_JULIAPKG_EXE", raising=False)
    monkeypatch.delenv("PYTHON_JULIAPKG_PROJECT", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))


@pytest.fixture
def fake_julia(monkeypatch, tmp_path):
    """Install a program that prints a Julia version and fails at everything else, with a project folder of its own."""
    program = tmp_path / "julia"
    program.write_text('#!/bin/sh\n[ "$1" = --version ] && echo julia version 1.10.10 || exit 3\n')
    program.chmod(0o755)
    monkeypatch.setenv("PYTHON_JULIAPKG_EXE", str(program))
    monkeypatch.setenv("PYTHON_JULIAPKG_PROJECT", str(tmp_path / "project"))


@pytest.fixture
def package(monkeypatch, tmp_path):
    """Return a function that replaces the package pysr by this text, and returns the file that records its starts."""

    def put(text: str) -> Path:
        (tmp_path / "packages" / "pysr").mkdir(parents=True, exist_ok=True)
        (tmp_path / "packages" / "pysr" / "__init__.py").write_text(text.replace("FITTING", "pass"))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
        monkeypatch.setenv(
            "PYTHONDONTWRITEBYTECODE", "1"
        )  # a text of the same size and second would not be read
        monkeypatch.setenv("STARTS", str(tmp_path / "starts"))
        return tmp_path / "starts"

    return put


def started(starts: Path) -> int:
    return len(starts.read_text().splitlines()) if starts.exists() else 0


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


def asked(target: str = "x ^ y") -> GeneticProblem:
    return whole_problem(made(target, x=range(5), y=range(5)))


def test_pysr_knows_every_argument_that_it_is_given():
    given = {
        *engine.regressor_settings(asked(), 0, 1),
        "extra_sympy_mappings",
        "output_directory",
        "run_id",
    }
    assert given <= parameters("__init__")
    assert {"X", "y", "weights", "variable_names"} <= parameters("fit")


def test_the_search_is_the_seeds_of_the_same_operators_as_gplearns_and_of_whole_numbers():
    given = engine.regressor_settings(asked(), 7, 40_000)
    assert {arity: len(texts) for arity, texts in given["operators"].items()} == {2: 9, 3: 1}
    texts = [text for several in given["operators"].values() for text in several]
    assert sorted(text.split("(")[0] for text in texts) == sorted(operator.name for operator in OPERATORS)
    assert {text for text in texts if "(" not in text} == BUILT_IN
    expected = {
        "random_state": 7, "deterministic": True, "parallelism": "serial", "precision": 64, "batching": False,
        "should_optimize_constants": False, "weight_mutate_constant": 0,
    }  # fmt: skip
    assert expected.items() <= json.loads(json.dumps(given)).items()
    assert given["maxsize"] >= 7


def test_a_search_of_pysr__is_ended_by_no_clock_and_draws_no_constant():
    given = engine.regressor_settings(asked(), 7, 40_000)
    assert given["max_evals"] == 40_000
    assert "timeout_in_seconds" not in given
    assert given["complexity_of_constants"] > given["maxsize"]


def test_each_loss_has_a_name_of_its_own():
    """If a definition replaced another one of its name, Julia would compile all code that uses it again."""
    value, zero = asked(), asked("x + y < 7")
    solved = asked("x == y")
    digits = replace(solved, bits=True)
    assert (value.zero, zero.zero, solved.solved) == (False, True, "y")
    losses = [engine.julia_loss(each) for each in (value, zero, digits)]
    assert len({text.split("(")[0] for text in losses}) == 3
    assert engine.julia_loss(solved) == losses[0]


@pytest.mark.parametrize(
    ("problem_of", "found", "wanted", "missed"),
    [
        ("x ^ y", 3.0, 3.0, 0), ("x ^ y", 3.0, 2.0, 2.5), ("x + y < 7", 3.0, 1.0, 0), ("x + y < 7", 0.0, 1.0, 2.5),
        ("digits", 5.0, 2.0, 7.5), ("digits", 5.0, 5.0, 0), ("digits", 0.5, 5.0, 160), ("digits", math.nan, 0.0, 160),
    ],
)  # fmt: skip
def test_a_loss_is_the_weight_of_what_is_wrong(problem_of, found, wanted, missed):
    """The line of Julia is read as Python, from which it differs only in ``&&`` and ``?:``."""
    each = replace(asked("x == y"), bits=True) if problem_of == "digits" else asked(problem_of)
    condition, values = engine.julia_loss(each).split(" = ", 1)[1].split(" ? ")
    then, otherwise = values.split(" : ")
    known = {
        "isinteger": lambda a: float(a).is_integer(), "Int64": int, "xor": int.__xor__, "zero": lambda a: 0 * a,
        "count_ones": int.bit_count, "found": found, "wanted": wanted, "weight": 2.5,
    }  # fmt: skip
    python = f"{then} if {condition.replace('&&', 'and')} else {otherwise}"
    assert eval(python, known) == missed  # noqa: S307 - our own text


# -- nim-sums ------------------------------------------------------------------------------------------------


def test_a_condition_that_is_solved_has_the_nim_sums_of_its_piles_as_features_and_counts_wrong_digits():
    samples = made("x ^ y == z", x=range(4), y=range(4), z=range(4), p=range(2))
    problem = whole_problem(samples)
    (leaf,) = [leaf for leaf in problem.leaves if isinstance(leaf, Binary)]
    assert (problem.solved, str(leaf)) == ("z", "x ^ y")  # of p, which is no pile, there is none
    columns = [problem.features[:, problem.leaves.index(each)] for each in (Name("x"), Name("y"), leaf)]
    assert np.array_equal(columns[0] ^ columns[1], columns[2])
    assert problem.bits
    assert not asked("x + y < 7").bits
    assert not asked("x == y").bits  # one pile alone has no nim-sum


# -- without Julia, and with something that is none ----------------------------------------------------------


def test_pysr_without_julia__is_a_note_and_nothing_is_started_or_made(no_julia, monkeypatch, tmp_path):
    monkeypatch.setattr(pysr_worker, "_Process", lambda *_: pytest.fail("started"))
    assert why().startswith("PYTHON_JULIAPKG_EXE names no Julia, and PySR is not set up")
    monkeypatch.setenv("PYTHON_JULIAPKG_EXE", "/nowhere/julia")
    assert why() == "PYTHON_JULIAPKG_EXE names '/nowhere/julia', which is not a program"
    monkeypatch.setenv("PYTHON_JULIAPKG_EXE", "/bin/false")
    assert why() == "PYTHON_JULIAPKG_EXE names '/bin/false', which is not a Julia executable"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert why() == unavailable() == "the package pysr is not installed"
    assert [path for path in tmp_path.rglob("*") if path != tmp_path / "cache"] == []


def test_a_julia_of_the_installer__is_found_where_it_puts_it(no_julia, fake_julia, monkeypatch, tmp_path):
    """Find Julia in the Python environment, without the variables that name it."""
    julia = os.environ["PYTHON_JULIAPKG_EXE"]
    monkeypatch.delenv("PYTHON_JULIAPKG_EXE")
    monkeypatch.delenv("PYTHON_JULIAPKG_PROJECT")
    assert unavailable() is not None
    folder = tmp_path / "environment" / "julia_env" / "pyjuliapkg"
    folder.mkdir(parents=True)
    (folder / "meta.json").write_text(json.dumps({"executable": julia}))
    assert unavailable() is None
    (folder / "meta.json").write_text(json.dumps({"executable": "/nowhere/julia"}))
    assert unavailable() is not None
    (folder / "meta.json").write_text("[]")
    assert unavailable() is not None


TWO = """\
engines: [pysr]
studies:
  nim: {targets: [p], train: {bounds: {N: 4}}, test: {bounds: {N: 6}}}
  further: {ruleset: nim, targets: [p], ask: all, train: {bounds: {N: 5}}, test: {bounds: {N: 7}}}
"""


def test_without_julia_the_stage_completes_and_says_why(no_julia, tmp_path):
    """Each of several studies is run by itself, and does not read another one's datasets."""
    (tmp_path / "nim.yaml").write_text(piles(2))
    (tmp_path / "config.yaml").write_text(TWO)
    studies = [
        study.model_copy(update={"validation": ()})
        for study in read_studies(tmp_path / "config.yaml", str(tmp_path)).values()
    ]
    splits = {}
    for study in studies:
        splits[study.name] = {split: [str(tmp_path / study.name / split)] for split in ("train", "test")}
        for split, (folder,) in splits[study.name].items():
            for instance in study.datasets(split):
                write_dataset(solve(instance, study.values), Path(folder) / dataset_name(instance))
    fits, judged, timings = (str(tmp_path / name) for name in ("fits.json", "verdicts.json", "timings.json"))
    found = [str(tmp_path / f"{study.name}.json") for study in studies]
    first, train = splits["nim"], [splits[study.name]["train"][0] for study in studies]
    fit_stage(studies[0], first["train"], [], fits, str(tmp_path / "trees"), timings)
    pysr_stage(studies, [fits], train, [], found)
    for study, file in zip(studies, found, strict=True):
        record = json.loads(Path(file).read_text())
        assert (record["study"], len(record["runs"]), "findings" in record) == (study.name, 1, False)
    verify_stage(studies[0], [fits, found[0]], first["train"], [], first["test"], judged, timings)
    (record,) = json.loads(Path(judged).read_text())["runs"]
    assert (record["target"], record["engine"]) == ("p", "pysr")
    assert record["notes"][0].startswith("PySR is not available: PYTHON_JULIAPKG_EXE names no Julia")


def test_a_run_without_julia_after_one_with_it_has_the_same_formulas(
    fake_julia, package, monkeypatch, tmp_path
):
    """Without Julia the stage read no table and asked for nothing, so that the formulas were lost."""
    package(ANSWERING.replace("nimsum(x1, x0) - 0.0", "x0"))
    (tmp_path / "nim.yaml").write_text(piles(2))
    (tmp_path / "config.yaml").write_text(TWO)
    study = read_studies(tmp_path / "config.yaml", str(tmp_path))["further"]
    study = study.model_copy(update={"validation": ()})
    for instance in study.datasets("train"):
        write_dataset(solve(instance, study.values), tmp_path / "train" / dataset_name(instance))
    files = [str(tmp_path / name) for name in ("with.json", "without.json")]
    for file in files:
        pysr_stage([study], [], [str(tmp_path / "train")], [], [file])
        monkeypatch.setenv("PYTHON_JULIAPKG_EXE", "/nowhere/julia")
        monkeypatch.setattr(pysr_worker, "_Process", lambda *_: pytest.fail("started"))
    first, second = (json.loads(Path(file).read_text()) for file in files)
    assert first == second
    (finding, *_), (run, *_) = first["findings"], first["runs"]
    assert finding["formula"] == "x == y"
    assert [row["formula"] for row in run["hall"] if row.get("chosen")] == ["x == y"]
    assert run["work"]["rounds"] == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise RuntimeError('two\\nlines')", "RuntimeError: two"),
        ("raise KeyError", "KeyError"),
        ("import os; os.abort()", "it was ended by signal 6"),
        ("import sys; sys.exit(0)", "it ended without an answer"),
        ("import sys; sys.exit(9)", "it ended with status 9"),
        ("", "ImportError: cannot import name 'PySRRegressor' from 'pysr'"),
        (
            "import sys\nprint('ERROR: no such package\\nERROR: so', file=sys.stderr)\nraise Exception('not properly')",
            "no such package",
        ),
        (
            "raise ValueError('ParseError:\\n# Error @ none:1:7\\nf(x) = )\\n#      └ ── unexpected `)`\\nStacktrace:\\n [1]')",
            "ValueError: ParseError: Error @ none:1:7 f(x) = ) unexpected `)`",
        ),
    ],
)
def test_a_failure_of_pysr__is_a_note(fake_julia, package, text, reason):
    package(text)
    assert why().startswith(reason)


def test_a_search_that_never_ends_is_ended(fake_julia, package, monkeypatch):
    starts = package(ANSWERING.replace("FITTING", "import time; time.sleep(3600 * (len(fits) > 1))"))
    monkeypatch.setattr(engine, "PATIENCE", -590)  # of 60 seconds and a round's
    assert why() == "no answer after 1 seconds"
    assert started(starts) == 1
    assert why() == "no answer after 1 seconds"
    assert started(starts) == 1


def test_a_start_that_never_ends_is_ended(fake_julia, package, monkeypatch):
    package("import time\ntime.sleep(3600)")
    monkeypatch.setattr(pysr_worker, "STARTING", 1)
    assert why() == "no answer after 1 seconds"


# -- questions -----------------------------------------------------------------------------------------------


def test_one_process_answers_every_question(fake_julia, package):
    starts = package(ANSWERING)
    for seed in range(3):
        assert "x ^ y" in map(str, engine.propose(NIM, GRUNDY, seed, 1.0).formulas)
    assert "x == y" in map(str, engine.propose(made("x == y", x=range(5), y=range(5)), P, 0, 1.0).formulas)
    assert started(starts) == 1


def test_a_process_that_ends_is_started_again_once(fake_julia, package):
    dying = ANSWERING.replace("FITTING", "sys.exit('enough') if len(fits) == 3 else None")
    starts = package(dying)
    for seed in range(2):
        assert engine.propose(NIM, GRUNDY, seed, 1.0).notes == (BY,)
    assert started(starts) == 2
    package(dying.replace("== 3", "== 2"))
    worker(os.getpid()).close()
    assert why() == "enough"
    assert started(starts) == 4
    package(ANSWERING)
    assert why() == "enough"  # whatever is asked: each further start would take a minute
    assert started(starts) == 4


def test_a_question_is_asked_once_and_its_answer_kept(fake_julia, package, tmp_path):
    starts = package(ANSWERING)
    first = engine.propose(NIM, GRUNDY, 0, 1.0)
    worker(os.getpid()).close()
    worker.cache_clear()
    assert engine.propose(NIM, GRUNDY, 0, 1.0) == first
    assert (worker(os.getpid()).starts, started(starts)) == (0, 1)
    (kept,) = (tmp_path / "cache" / "pysr").iterdir()
    assert kept.suffix == ".json"
    for other in ("", "{}", '{"equations": [[1, 2]]}', '{"equations": [["a", 1.0, "x0"]]}'):
        before = started(starts)
        worker(os.getpid()).close()
        kept.write_text(other)
        assert engine.propose(NIM, GRUNDY, 0, 1.0) == first
        assert started(starts) == before + 1


def test_without_julia_what_was_found_with_it_is_found_again(fake_julia, package, monkeypatch, tmp_path):
    """Julia was asked for first, so that a later run without it lost its formulas."""
    project = Path(os.environ["PYTHON_JULIAPKG_PROJECT"])
    project.mkdir()
    (project / "Manifest.toml").write_text('[[deps.SymbolicRegression]]\nversion = "2.0.0-alpha.10"\n')
    starts = package(ANSWERING)
    first = engine.propose(NIM, GRUNDY, 0, 1.0)
    assert first.notes == (f"{BY}, SymbolicRegression.jl 2.0.0-alpha.10",)
    monkeypatch.setenv("PYTHON_JULIAPKG_EXE", "/nowhere/julia")
    assert engine.propose(NIM, GRUNDY, 0, 1.0) == first
    assert engine.propose(NIM, GRUNDY, 1, 1.0).unavailable.startswith("PYTHON_JULIAPKG_EXE names")
    assert started(starts) == 1


def test_an_answer_with_one_seed_counts_where_another_cannot_be_asked(fake_julia, package, monkeypatch):
    package(ANSWERING)
    learnt = tables(piles(2), "grundy", N=4)
    question = EngineQuestion(GRUNDY, budget=1.0, seeds=3)
    engine_findings(learnt, replace(question, seed=1, seeds=1), ["pysr"])
    monkeypatch.setenv("PYTHON_JULIAPKG_EXE", "/nowhere/julia")
    (found,) = engine_findings(learnt, question, ["pysr"], every=True)
    assert (found.seed, found.exact, found.unavailable) == (1, True, "")
    (found,) = engine_findings(learnt, replace(question, seed=5), ["pysr"], every=True)  # reported once
    assert (found.seed, found.candidates) == (5, ())


@pytest.mark.parametrize("number", ["1.10.2", "1.9.4", "1.6.7"])
def test_a_julia_that_is_too_old_is_said_to_be(number, fake_julia):
    program = Path(os.environ["PYTHON_JULIAPKG_EXE"]).with_name("old")
    program.write_text(f"#!/bin/sh\necho julia version {number}\n")
    program.chmod(0o755)
    os.environ["PYTHON_JULIAPKG_EXE"] = str(program)
    assert why() == (
        f"PYTHON_JULIAPKG_EXE names Julia {number}, which is too old for PySR: it needs 1.10.3 or newer"
    )


def test_the_versions_of_julia_are_those_that_pysr_requires():
    (folder,) = importlib.util.find_spec("pysr").submodule_search_locations
    required = json.loads((Path(folder) / "juliapkg.json").read_text())["julia"]
    numbers = [".".join(map(str, each)) for each in (pysr_worker.JULIA_TOO, pysr_worker.OLDEST_JULIA)]
    assert required == f"={numbers[0]}, {numbers[1]}"


def test_a_julia_without_pysrs_packages_is_said_to_lack_them(fake_julia, package):
    package("raise RuntimeError('what Julia says')")
    project = os.environ["PYTHON_JULIAPKG_PROJECT"]
    missing = "in Python fetches what is missing"
    assert why().startswith("RuntimeError: what Julia says (")
    assert why().endswith(f"julia_env has no SymbolicRegression.jl; 'import pysr' {missing})")
    Path(project).mkdir()
    (Path(project) / "Manifest.toml").write_text('[[deps.SymbolicRegression]]\nversion = "2.7.2"\n')
    worker.cache_clear()
    assert why() == "RuntimeError: what Julia says"


def test_another_question_is_not_answered_by_what_is_kept(fake_julia, package, monkeypatch, tmp_path):
    package(ANSWERING)
    operators = (replace(OPERATORS[0], meaning="a - b"), *OPERATORS[1:])
    for samples, seed, budget, other in (
        (NIM, 0, 1.0, {}),
        (NIM, 1, 1.0, {}),
        (NIM, 0, 2.0, {}),
        (made("x ^ y", x=range(5), y=range(6)), 0, 1.0, {}),
        (NIM, 0, 1.0, {"version": lambda name: "3.0"}),
        (NIM, 0, 1.0, {"OPERATORS": operators}),
    ):
        before = len(list((tmp_path / "cache").glob("pysr/*")))
        with monkeypatch.context() as patch:
            for name, value in other.items():
                patch.setattr(engine, name, value)
            engine.propose(samples, GRUNDY, seed, budget)
        assert len(list((tmp_path / "cache").glob("pysr/*"))) == before + 1


def test_an_answer_of_pysr__is_ranked_like_any_other_and_told_in_its_own_words(fake_julia, package):
    package(ANSWERING)
    found = discover(tables(piles(2), "grundy", N=5), GRUNDY, "pysr", budget=1.0)
    assert [(str(candidate.formula), candidate.exact, candidate.origin.equation) for candidate in found] == [
        ("x ^ y", True, "nimsum(y, x) - 0.0")
    ]
    assert engine.propose(NIM, GRUNDY, 0, 1.0).unread == (
        Unread("x / y", 3, 0.25, "it has a part that is not always a whole number (x / y)"),
        Unread("max(x, -1.14694)", 5, 0.125, "it has a constant that is not a whole number (-1.1469)"),
    )


def test_an_answer_that_is_not_exact__has_a_note_about_the_budget(fake_julia, package):
    package(ANSWERING.replace("nimsum", "max"))
    assert engine.propose(NIM, GRUNDY, 0, 1.0).notes == (
        BY,
        "used up 5 of 5 rounds of 8,000 evaluations: a larger budget has more evaluations",
    )


@pytest.mark.skipif(
    not os.environ.get("PYTHON_JULIAPKG_EXE") or unavailable() is not None,
    reason=unavailable() or "PYTHON_JULIAPKG_EXE names no Julia to run PySR with",
)
@pytest.mark.parametrize(("target", "formula"), [("grundy", "x ^ y"), ("p", "x == y")])
def test_pysr_finds_two_pile_nim(target, formula):
    wanted = parse_target(target)
    best = discover(tables(piles(2), target, N=5), wanted, "pysr", budget=60.0)[0]
    assert (str(best.formula), best.exact) == (formula, True)
