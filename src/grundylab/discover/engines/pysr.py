"""The engine ``pysr``: the library PySR on the problems and with the operators of ``gplearn``, where it is available.

PySR searches in Julia, and starts it when it is imported; so it is imported in a process of its own, and only if there
is a Julia already: nothing is downloaded here. Whatever goes wrong there is a note. What it answers is read as text,
as a formula over whole numbers, and counted as such.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Proposals, out_of_time
from grundylab.discover.genetic import (
    BUILT_IN,
    BY_NAME,
    OPERATORS,
    SAMPLE,
    Problem,
    TooLarge,
    answers,
    problem,
)
from grundylab.discover.ranking import exact
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import Int, negative

EVALUATIONS_PER_SECOND = 10_000  # of budget
STARTING = 300  # seconds that Julia may take beside the budget: it may have to compile PySR first
LARGEST = 30  # nodes of an expression
RUN = Path(__file__).parents[1] / "pysr_run.py"
# Julia and its packages are there or not; nothing is fetched. One thread, so that the result is the seed's.
ENVIRONMENT = {
    "PYTHON_JULIAPKG_OFFLINE": "yes",
    "JULIA_PKG_OFFLINE": "true",
    "PYTHON_JULIACALL_THREADS": "1",
    "PYTHON_JULIACALL_HANDLE_SIGNALS": "yes",
}


class Unavailable(Exception):
    """PySR cannot be used, and why."""


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """The expressions that PySR keeps, one of each size, as formulas; or why it is not available."""
    asked = problem(samples, SAMPLE, np.random.default_rng(seed))
    try:
        equations = _equations(asked, seed, budget_seconds)
    except Unavailable as reason:
        return Proposals(unavailable=str(reason))
    terms = (translated(equation, asked.leaves) for equation in equations)
    found = tuple(answers((asked.formula(term) for term in terms if term is not None), samples))
    done = any(exact(formula, samples) for formula in found)
    return Proposals(found, () if done else (out_of_time(budget_seconds),))


# -- asking --------------------------------------------------------------------------------------------------


def julia() -> str:
    """The Julia that PySR would start. Raises Unavailable if there is none."""
    if named := os.environ.get("PYTHON_JULIAPKG_EXE"):
        if found := shutil.which(named):
            return found
        raise Unavailable(f"PYTHON_JULIAPKG_EXE names '{named}', which is no program")
    # Where PySR's own installer puts it in a virtual environment.
    own = str(Path(sys.prefix) / "julia_env" / "pyjuliapkg" / "install" / "bin" / "julia")
    if found := next(filter(None, map(shutil.which, (own, "julia", "juliaup"))), None):
        return found
    raise Unavailable(
        "no Julia is named by PYTHON_JULIAPKG_EXE or found on the PATH; with one, and its packages there "
        "('import pysr' fetches them once), this engine is on by itself"
    )


def unavailable() -> str | None:
    """Return why PySR cannot be asked; None if nothing speaks against it before Julia is started."""
    if importlib.util.find_spec("pysr") is None:
        return "the package pysr is not installed"
    try:
        julia()
    except Unavailable as reason:
        return str(reason)
    return None


def settings(zero: bool, seed: int, budget_seconds: float, folder: str) -> dict[str, Any]:
    """The arguments of ``PySRRegressor``, but for ``extra_sympy_mappings``, which is no data.

    zero: the loss only asks whether a value is 0, as ``Problem`` does. Floats of 64 bits are exact for the whole
    numbers here, and no constant is anything but a whole number.
    """
    right = "(found == 0) == (wanted == 0)" if zero else "found == wanted"
    return {
        "operators": {
            arity: [o.name if o.name in BUILT_IN else o.julia for o in OPERATORS if o.arity == arity]
            for arity in sorted({operator.arity for operator in OPERATORS})
        },
        "elementwise_loss": f"missed(found, wanted, weight) = {right} ? zero(weight) : weight",
        "early_stop_condition": "all_right(loss, complexity) = loss <= 0",
        "maxsize": LARGEST,
        "niterations": 1_000_000,
        "max_evals": int(budget_seconds * EVALUATIONS_PER_SECOND),
        "timeout_in_seconds": budget_seconds,
        "precision": 64,
        "batching": False,
        "should_optimize_constants": False,
        "weight_mutate_constant": 0.0,
        "weight_optimize": 0.0,
        "parallelism": "serial",
        "deterministic": True,
        "random_state": seed,
        "print_precision": 17,
        "progress": False,
        "verbosity": 0,
        "input_stream": "devnull",
        "output_directory": folder,
        "run_id": "run",
    }


def _equations(asked: Problem, seed: int, budget_seconds: float) -> list[str]:
    """PySR's equations for the problem. Raises Unavailable if it cannot be started, or fails."""
    if importlib.util.find_spec("pysr") is None:
        raise Unavailable("the package pysr is not installed")
    julia()
    with tempfile.TemporaryDirectory() as folder:
        request, answer = Path(folder) / "request.json", Path(folder) / "answer.json"
        request.write_text(
            json.dumps(
                {
                    "settings": settings(asked.zero, seed, budget_seconds, folder),
                    "inline": [operator.name for operator in OPERATORS if operator.name not in BUILT_IN],
                    "names": [f"x{number}" for number in range(len(asked.leaves))],
                    "features": asked.features.tolist(),
                    "wanted": asked.wanted.tolist(),
                    "weights": asked.weights.tolist(),
                }
            )
        )
        # -P: without this folder on the path, where there is a module 'pysr'
        _run([sys.executable, "-P", str(RUN), str(request), str(answer)], budget_seconds + STARTING)
        if not answer.is_file():
            raise Unavailable("it ended without an answer")
        equations: list[str] = json.loads(answer.read_text())
    return equations


def _run(command: Sequence[str], seconds: float) -> None:
    """Run the command. Raises Unavailable with the last line that it wrote if it fails."""
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"no answer after {seconds:g} seconds") from None
    except OSError as error:
        raise Unavailable(str(error)) from None
    if done.returncode < 0:
        raise Unavailable(f"it was ended by signal {-done.returncode}")
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"]
        raise Unavailable(lines[-1].strip())


# -- reading the answer --------------------------------------------------------------------------------------

_INFIX: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "times"}


def translated(equation: str, leaves: Sequence[Expr]) -> Expr | None:
    """An equation as PySR prints it, over ``x0``, ``x1``, …; None for what is no formula over whole numbers."""
    try:
        return _read(ast.parse(equation, mode="eval").body, leaves)
    except (SyntaxError, ValueError, TooLarge):
        return None


def _read(node: ast.expr, leaves: Sequence[Expr]) -> Expr:
    match node:
        case ast.Name(id=name) if name[:1] == "x" and name[1:].isdecimal() and int(name[1:]) < len(leaves):
            return leaves[int(name[1:])]
        case ast.Constant(value=int() | float() as value) if float(value).is_integer():
            return Int(int(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return negative(_read(operand, leaves))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _INFIX:
            return BY_NAME[_INFIX[type(sign)]].applied([_read(left, leaves), _read(right, leaves)])
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            operator = BY_NAME.get(name)
            if operator is not None and operator.arity == len(arguments):
                return operator.applied([_read(argument, leaves) for argument in arguments])
    raise ValueError(f"no formula: {ast.unparse(node)}")
