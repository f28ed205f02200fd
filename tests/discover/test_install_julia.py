"""The download of Julia for a run: announced, limited in time, done once, and only if wanted. Without a network."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COUNT = """
import os, socket, sys
with open(os.environ["FETCHES"], "a") as fetches:
    fetches.write("once\\n")
assert 0 < socket.getdefaulttimeout() <= 20
"""
FETCHED = """
from pathlib import Path
folder = Path(os.environ["PYTHON_JULIAPKG_PROJECT"]) / "pyjuliapkg"
folder.mkdir(parents=True)
(folder / "meta.json").write_text('{"executable": "/bin/sh"}')
print("[juliapkg] much")
"""
FETCHING, OFF = "fetching Julia", "the engine pysr"  # how the lines begin


@pytest.fixture
def install(tmp_path):
    """Return a function that runs the script with a fake package pysr of this text.

    It returns how the lines of its output begin, and the number of downloads.
    """

    def run(text: str, seconds: float = 60, **environment: str) -> tuple[list[str], int]:
        package, fetches = tmp_path / "packages" / "pysr", tmp_path / "fetches"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text(COUNT + text)
        variables = {k: v for k, v in os.environ.items() if k not in ("JULIA", "PYTHON_JULIAPKG_EXE")}
        path = os.pathsep.join([str(package.parent), str(ROOT / "src")])
        own = {"PYTHON_JULIAPKG_PROJECT": str(tmp_path / "julia_env"), "FETCHES": str(fetches)}
        done = subprocess.run(
            [
                sys.executable,
                "-P",
                str(ROOT / "workflow/install_julia.py"),
                str(tmp_path / "stamp"),
                str(seconds),
            ],
            env={**variables, "PYTHONPATH": path, **own, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == ""
        said = [
            next(how for how in (FETCHING, OFF) if line.startswith(how)) for line in done.stderr.splitlines()
        ]
        return said, len(fetches.read_text().split()) if fetches.exists() else 0

    return run


def test_a_download_of_julia__is_said_before_made_once_and_then_silent(install):
    assert install(FETCHED) == ([FETCHING], 1)
    assert install(FETCHED) == ([], 1)


def test_a_julia_that_is_there_already__is_not_fetched(install, tmp_path):
    folder = tmp_path / "julia_env" / "pyjuliapkg"
    folder.mkdir(parents=True)
    (folder / "meta.json").write_text(json.dumps({"executable": sys.executable}))
    assert install(FETCHED) == ([], 0)


@pytest.mark.parametrize("variables", [{"JULIA": "no"}, {"PYTHON_JULIAPKG_EXE": "/opt/julia/bin/julia"}])
def test_julia__is_not_fetched_where_it_is_not_wanted(install, tmp_path, variables):
    assert install(FETCHED, **variables) == ([], 0)
    assert not (tmp_path / "stamp").exists()


def test_a_failure_is_one_line_and_is_not_repeated_before_it_is_asked_for(install):
    failing = "print('much'); raise OSError('unreachable')"
    assert install(failing) == ([FETCHING, OFF], 1)
    assert install(failing) == ([], 1)  # the end of the run says why the engine is off
    assert install(failing, JULIA="yes") == ([FETCHING, OFF], 2)
    assert install(FETCHED, JULIA="yes") == ([FETCHING], 3)
    assert install(FETCHED) == ([], 3)


def test_a_download_that_takes_too_long__is_ended(install):
    started = time.monotonic()
    told, _ = install("import subprocess; subprocess.run(['sleep', '600'])", seconds=1.5)
    assert told == [FETCHING, OFF]
    assert time.monotonic() - started < 120


def test_an_interrupt_is_one_line_and_ends_the_download_and_the_next_run_tries_again(tmp_path):
    """Python would print a traceback at Ctrl-C."""
    package, child = tmp_path / "packages" / "pysr", tmp_path / "child"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        f"import os, time\nopen({str(child)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    )
    variables = {k: v for k, v in os.environ.items() if k not in ("JULIA", "PYTHON_JULIAPKG_EXE")}
    path = os.pathsep.join([str(package.parent), str(ROOT / "src")])
    script = subprocess.Popen(
        [sys.executable, "-P", str(ROOT / "workflow/install_julia.py"), str(tmp_path / "stamp")],
        env={**variables, "PYTHONPATH": path, "PYTHON_JULIAPKG_PROJECT": str(tmp_path / "julia_env")},
        stderr=subprocess.PIPE,
        text=True,
        # what runs in the background ignores Ctrl-C, and so would what it starts
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not (child.exists() and child.read_text()):
        time.sleep(0.05)
    script.send_signal(signal.SIGINT)
    _, told = script.communicate(timeout=60)
    assert [line.startswith(FETCHING) for line in told.splitlines()] == [True, True]
    assert script.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(child.read_text()), 0)
    assert not (tmp_path / "stamp").exists()


def planned(target: str) -> str:
    """Return the commands that make would run for a target in a checkout without an environment."""
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_runs_alone_fetch_julia():
    assert {name: "install_julia" in planned(name) for name in ("run", "surveys", "test", "lint", "setup")} == {
        "run": True, "surveys": True, "test": False, "lint": False, "setup": False,
    }  # fmt: skip
