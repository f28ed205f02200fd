"""MONA's answers are read correctly, and every way in which MONA can fail has its own status."""

from __future__ import annotations

import os
import time
from pathlib import Path
from select import select

import pytest

from grundylab.language import parse
from grundylab.language.syntax import free_names
from grundylab.logic import mona
from grundylab.logic.lowering import Lowering
from grundylab.logic.mona import MISSING, MonaAnswer, find_mona, run_mona
from grundylab.logic.ws1s import LIBRARY
from grundylab.logic.ws1s import ws1s_formula as written_as

needs_mona = pytest.mark.skipif(find_mona() is None, reason=MISSING)


def ask(text: str) -> MonaAnswer:
    expr, names = parse(text), ", ".join(f"v_{name}" for name in sorted(free_names(parse(text))))
    formula = written_as(Lowering().condition(expr), {})
    return run_mona(f"ws1s;\n{LIBRARY}\nvar2 {names};\n{formula};\n", timeout=20)


@needs_mona
@pytest.mark.parametrize(
    ("text", "status"),
    [("x + y >= x - z", "valid"), ("x + 1 == x ^ 1 and x % 2 == 1", "unsatisfiable"), ("x < y", "mixed")],
)
def test_the_status_says_whether_it_is_true_always_never_or_sometimes(text: str, status: str) -> None:
    answer = ask(text)
    assert answer.status == status


# Subsets of positions that a long word's middle digits depend on: 2^n states.
HARD = (
    "ws1s;\nvar2 X, Y;\n"
    + "ex1 p: p in X & p + {n} in Y & ex1 q: q in Y & q + {n} in X & p < q & (all1 r: p < r & r < q => (r in X <=> r + {n} in Y));\n"
)


@needs_mona
def test_time_is_limited() -> None:
    started = time.perf_counter()
    answer = run_mona(HARD.replace("{n}", "25"), timeout=0.5)
    assert answer.status == "timeout"
    assert answer.message == "MONA did not finish in 0.5 seconds"
    assert time.perf_counter() - started > 0.4


@needs_mona
def test_memory_is_limited() -> None:
    answer = run_mona(HARD.replace("{n}", "25"), timeout=60, memory=64 * 2**20)
    assert answer.status == "memory"
    assert "64 MiB" in answer.message


@needs_mona
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ws1s;\nvar2 X;\nX = = X;\n", "MONA failed: Error in file 'formula.mona' near line 3: syntax error"),
        ("ws1s;\nvar2 X;\nX = Z;\n", "MONA failed: Error in file 'formula.mona' line 3 column 5 X = Z; 'Z' not declared"),
    ],
)  # fmt: skip
def test_mistakes_in_the_text_are_told(text: str, message: str) -> None:
    answer = run_mona(text, timeout=20)
    assert answer.status == "error"
    assert answer.message == message


def test_without_mona_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mona, "find_mona", lambda: None)
    answer = run_mona("ws1s;\ntrue;\n", timeout=20)
    assert answer == MonaAnswer("missing", MISSING)
    assert "apt-get install mona" in answer.message


def test_another_mona_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "other"
    program.write_text("#!/bin/sh\necho Formula is valid\n")
    program.chmod(0o755)
    monkeypatch.setenv("GRUNDYLAB_MONA", str(program))
    assert find_mona() == str(program)
    assert run_mona("", timeout=20).status == "valid"
    monkeypatch.setenv("GRUNDYLAB_MONA", str(tmp_path / "nothing"))
    assert find_mona() is None


def test_what_mona_started_ends_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A pipe that all of them write to is at its end when the last of them has ended."""
    program, pipe = tmp_path / "other", tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    program.write_text(f"#!/bin/sh\nexec 3>{pipe}\nsleep 600 &\necho >&3\nsleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("GRUNDYLAB_MONA", str(program))
    for seconds in (0.3, 3.0, 30.0):  # a busy machine may not have come to the pipe
        assert run_mona("", timeout=seconds).status == "timeout"
        if select([reader], [], [], 1)[0] and os.read(reader, 1):
            break
    assert select([reader], [], [], 60)[0]
    assert os.read(reader, 1) == b""
    os.close(reader)


@needs_mona
def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    run_mona("ws1s;\nvar2 X;\nX = empty;\n", timeout=20)
    assert list(tmp_path.iterdir()) == []
