"""The command line keeps its contract: names, options, JSON, exit statuses, and one clear line for bad input."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.findings import made

from grundylab.findings.catalogue import write_catalogue
from grundylab.findings.columns import row

SCRIPT = Path(sys.executable).with_name("grundylab")


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_solve_writes_a_dataset_under_its_instances_name(grundylab, folder):
    status, said, _ = grundylab("solve nim --bound N=5 --param m=2,3 --json")
    assert (status, said["status"], said["checked"]) == (0, "done", 144)
    assert said["files"] == ["data/nim/m=2-N=5.parquet", "data/nim/m=3-N=5.parquet"]
    assert files(folder) == [*said["files"], "rulesets/nim.yaml"]


def test_discover_lists_candidates_best_first(grundylab):
    status, said, _ = grundylab("discover nim --bound N=8 --param m=1000 --json --engine search --budget 1")
    assert (status, said["status"]) == (0, "exact")
    assert said["formula"] == said["candidates"][0]["formula"] == "x == y"
    assert said["latex"] == "x = y"
    assert (said["checked"], said["tried"]) == (2 * 129 * 129, ["m=1000,N=128"])
    wanted = {"engine", "seed", "size", "share", "target"}
    assert all(wanted <= set(candidate) for candidate in said["candidates"])


@pytest.mark.parametrize("game", ["nim-2", "kayles"])
def test_discover_finds_the_winning_moves(game, grundylab):
    """Kayles needs Grundy numbers, because its moves lead to sums."""
    status, said, _ = grundylab(
        f"discover {game} --bound N=12 --target win --json --engine search --budget 2"
    )
    assert (status, said["status"], said["target"]) == (0, "exact", "win")
    assert said["winning"]["test"]["right"] == said["winning"]["test"]["checked"] > 0


def test_discover_with_an_engine_that_is_not_there_is_one_line(grundylab, monkeypatch, tmp_path):
    """Without Julia it said that no formula was found, and ended with status 0."""
    monkeypatch.setenv("PYTHON_JULIAPKG_EXE", "/nowhere/julia")
    monkeypatch.setenv("GRUNDYLAB_CACHE", str(tmp_path / "cache"))
    status, said, told = grundylab("discover nim --bound N=3 --param m=9 --engine pysr --budget 1")
    assert (status, said) == (2, "")
    assert "'/nowhere/julia'" in told.splitlines()[-1]


WRONG = {
    "position": {"x": 1, "y": 1, "p": 1}, "parameters": {"m": 1}, "measure": 3, "truth": 0, "found": 1, "functions": {},
    "smallest": True,
}  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "status", "known"),
    [
        ("--claim equal --param m=1,2", 0, {"status": "holds", "checked": 200, "counterexample": None,
         "formula": "x == y", "latex": "x = y", "where": "p == 0"}),
        ("--claim wrong --param m=1,2", 1, {"status": "refuted", "counterexample": WRONG}),
        ("--formula 'x == y' --where 'x > 99' --param m=1", 3,
         {"status": "undecided", "checked": 0}),
        ("--formula 'x ^ ...' --target grundy --param m=99", 0, {"formula": "x ^ y"}),
        ("--formula 'G(x, y, p)' --lookup G=this --target grundy --param m=1", 0, {"status": "holds", "checked": 200}),
    ],
)  # fmt: skip
def test_verify_says_what_is_known_and_ends_with_its_exit_status(grundylab, asked, status, known):
    found = grundylab(f"verify nim --bound N=9 --json {asked}")
    assert found[0] == status
    assert {key: found[1][key] for key in known} == known


def test_verify_refutes_with_the_smallest_counterexample(grundylab):
    asked = "verify nim --formula 'G(x, y, 0)' --lookup G=this --target grundy --where 'p == 1' --json"
    status, said, _ = grundylab(asked, "--bound", "N=5", "--param", "m=1")
    assert (status, said["counterexample"]["position"]) == (1, {"x": 0, "y": 1, "p": 1})


def test_show_draws_a_picture(grundylab, folder):
    assert grundylab("show nim --bound N=2 --param m=1 --fix p=0 --out grid.png")[0] == 0
    assert (folder / "grid.png").read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def catalogue(folder):
    """Write a catalogue with two formulas of one game, one of another, and claims; return the formulas as JSON."""
    at = {"N=4": 5}
    records = [
        made.formula(formula="x < y", engine="tree", **made.PARTIAL),
        made.formula(instances=at),
        made.formula(ruleset="kayles", target="grundy", formula="x", counterexample=made.WRONG, instances={}),
    ]
    claims = [made.claim(paper="a-paper"), made.claim(ruleset="kayles", paper=None)]
    known = made.catalogue(formulas=records, claims=claims)
    write_catalogue(known, folder / "results")
    own = {"studies": ["s"], "same": []}
    return [{**row(each), **own, "engines": [each.origin.engine]} for each in known.formulas]


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        (["--ruleset", "nim"], [1, 0]),
        (["--status", "refuted"], [2]),
        (["--engine", "tree"], [0]),
        (["--paper", "a-paper"], [1, 0]),
        (["--target", "grundy"], [2]),
        (["--target", "grundy", "--engine", "tree"], []),
        (["--sort", "verdict"], [1, 2, 0]),
        (["--sort", "size"], [2, 1, 0]),
    ],
)
def test_formulas_are_filtered_and_sorted(grundylab, catalogue, options, chosen):
    assert grundylab("formulas", "--json", *options)[1]["formulas"] == [catalogue[place] for place in chosen]


@pytest.mark.parametrize(("newest", "of_s"), [("results", "x == y"), ("results/s", "x == z")])
def test_formulas_of_studies_that_were_run_alone_are_listed_and_the_newer_results_count(
    grundylab, folder, newest, of_s
):
    def write(place, *formulas):
        studies = dict.fromkeys(study for study, _ in formulas)
        records = [made.formula(study=study, ruleset=study, formula=formula) for study, formula in formulas]
        write_catalogue(made.catalogue(list(map(made.study, studies)), records), folder / place)
        os.utime(folder / place / "catalogue.json", (1, 2 if place == newest else 1))

    write("results", ("s", "x == y"), ("t", "y == z"))
    write("results/s", ("s", "x == z"))
    write("results/alone", ("alone", "x == 0"))
    write("results/papers", ("other-one", "x == 1"), ("other-two", "x == 2"))  # of another configuration
    listed = grundylab("formulas", "--json")[1]["formulas"]
    assert {(each["ruleset"], each["formula"]) for each in listed} == {
        ("s", of_s), ("t", "y == z"), ("alone", "x == 0"),
    }  # fmt: skip


def test_bad_input__has_its_line_as_the_reason_in_json(grundylab):
    status, said, error = grundylab("solve nim --json")
    assert (status, said["status"]) == (2, "error")
    assert said["reason"] == error.removeprefix("grundylab: ").rstrip()


def test_an_interrupt_ends_with_130_and_leaves_nothing(grundylab, folder, monkeypatch):
    from grundylab.solve import dataset

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(dataset, "_rows", interrupted)
    status, _, err = grundylab("solve nim --bound N=5 --param m=1")
    assert (status, err.count("\n")) == (130, 1)
    assert files(folder) == ["rulesets/nim.yaml"]


def test_help_needs_no_heavy_import():
    """Import heavy packages only in the commands that need them."""
    code = "from grundylab.cli.main import main; main(['--version']); import sys; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    heavy = (
        "numba",
        "numpy",
        "pandas",
        "pyarrow",
        "sklearn",
        "matplotlib",
        "pydantic",
        "yaml",
        "rich",
        "shtab",
    )
    assert not [name for name in heavy if f"'{name}'" in loaded]


def test_the_console_script_survives_a_closed_pipe(folder):
    done = subprocess.run(
        f"{SCRIPT} check nim | head -1", shell=True, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("nim: ")
    assert done.stderr == ""


def test_a_full_standard_output_is_one_line_and_exit_status_2(folder):
    done = subprocess.run(
        f"{SCRIPT} check nim > /dev/full", shell=True, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert os.strerror(errno.ENOSPC) in done.stderr


def test_a_terminal_without_utf_8_gets_no_traceback(folder):
    command = [SCRIPT, "show", "nim", "--bound", "N=2", "--param", "m=1", "--fix", "p=0"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PYTHONIOENCODING": "ascii"}
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_bounds_and_parameters_need_not_be_given(grundylab):
    status, out, _ = grundylab("show subtraction-1-to-m")
    assert (status, out.splitlines()[0]) == (0, "subtraction-1-to-m (m=1,N=20): x →")
    status, found, _ = grundylab("discover nim-4 --json")
    assert (status, found["formula"], found["training"]) == (0, "x ^ y ^ z == w", ["N=12"])
    status, out, _ = grundylab("show nim-4")
    assert (status, out.splitlines()[0]) == (0, "nim-4 (N=12), z=0, w=0: x ↓ y →")
