"""The engine ``pysr``: the library PySR on the problems and with the operators of ``gplearn``, where it is available.

PySR runs in a process that is kept for later questions (``pysr_worker.py``). Its answers are cached for later runs, and
its failures become notes. Its equations are read as text, translated into formulas over whole numbers, and counted as
such.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Proposals, Unread, out_of_time
from grundylab.discover.genetic import (
    BUILT_IN,
    EXACT,
    OPERATORS,
    SAMPLE,
    GeneticProblem,
    NoFormula,
    genetic_problem,
    shorten_formulas,
    with_nimsums,
)
from grundylab.discover.pysr_equations import equation_formula, equation_text
from grundylab.discover.pysr_worker import Unavailable, julia, unavailable, worker
from grundylab.discover.ranking import is_exact
from grundylab.errors import GrundylabError
from grundylab.files import cache_folder, read_json, write_json
from grundylab.games.model import Target
from grundylab.language import Expr

__all__ = ["julia", "propose", "unavailable"]

EVALUATIONS_PER_SECOND = 20_000  # for each second of the budget
PATIENCE = 20  # time for an answer: one minute and so many times the budget, for slow machines
LARGEST = 30  # most nodes of an expression

EquationRow = tuple[int, float, str]  # complexity, loss, equation


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the expressions that PySR keeps, one of each size, as formulas; or a note why PySR is not available.

    If the problem is to find the value of a coordinate, half of the budget is for a second run with nim-sums as
    features.
    """
    task = genetic_problem(samples, SAMPLE, np.random.default_rng(seed))
    problems = [task, *filter(None, [with_nimsums(task, samples)])]
    found: dict[Expr, str] = {}
    unread: list[Unread] = []
    for each in problems:
        try:
            rows = _answer(each, regressor_settings(each, seed, budget_seconds / len(problems)))
        except Unavailable as reason:
            return Proposals(notes=(f"PySR is not available: {reason}",), unavailable=str(reason))
        formulas, others = equation_formulas(rows, each)
        found = shorten_formulas(formulas, samples) | found
        unread += others
        if any(is_exact(formula, samples) for formula in found):
            return Proposals(tuple(found), equations=found, unread=tuple(unread))
    return Proposals(tuple(found), (out_of_time(budget_seconds),), equations=found, unread=tuple(unread))


def equation_formulas(
    rows: Sequence[EquationRow], task: GeneticProblem
) -> tuple[dict[Expr, str], tuple[Unread, ...]]:
    """Return the formulas of the equations, each with its equation, and the equations that cannot be translated."""
    formulas: dict[Expr, str] = {}
    unread = []
    for complexity, loss, equation in rows:
        text = equation_text(equation, task.leaves)
        try:
            formulas.setdefault(task.formula(equation_formula(equation, task.leaves)), text)
        except NoFormula as reason:
            unread.append(Unread(text, complexity, loss, equation_text(str(reason), task.leaves)))
    return formulas, tuple(unread)


def regressor_settings(task: GeneticProblem, seed: int, budget_seconds: float) -> dict[str, Any]:
    """Return the arguments of ``PySRRegressor``, without the data and the names of folders.

    Floats of 64 bits are exact for the whole numbers here. A constant's complexity is above the limit, so formulas have
    none. The number of evaluations is limited instead of the time, so that the result does not depend on speed.
    """
    return {
        "operators": {
            arity: [o.name if o.name in BUILT_IN else o.julia for o in OPERATORS if o.arity == arity]
            for arity in sorted({operator.arity for operator in OPERATORS})
        },
        "elementwise_loss": julia_loss(task),
        "early_stop_condition": "all_right(loss, complexity) = loss <= 0",
        "maxsize": LARGEST,
        "complexity_of_constants": LARGEST + 1,
        "niterations": 1_000_000,
        "max_evals": int(budget_seconds * EVALUATIONS_PER_SECOND),
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
    }


def julia_loss(task: GeneticProblem) -> str:
    """Return the definition in Julia of the loss that the problem needs; each kind of loss has its own name."""
    if task.bits:
        whole = f"isinteger(found) && abs(found) < {EXACT}"
        digits = "count_ones(xor(Int64(found), Int64(wanted)))"
        return f"missed_digits(found, wanted, weight) = ({whole}) ? weight * {digits} : weight * 64"
    name, right = (
        ("missed_zero", "(found == 0) == (wanted == 0)") if task.zero else ("missed", "found == wanted")
    )
    return f"{name}(found, wanted, weight) = ({right}) ? zero(weight) : weight"


# -- cached answers -----------------------------------------------------------------------------------


def _answer(task: GeneticProblem, arguments: dict[str, Any]) -> Sequence[EquationRow]:
    """Return PySR's equations for the problem, from the cache or from PySR. Raise Unavailable without an answer."""
    question = {
        "settings": arguments,
        "inline": [operator.name for operator in OPERATORS if operator.name not in BUILT_IN],
        "names": [f"x{number}" for number in range(len(task.leaves))],
        "features": task.features.tolist(),
        "wanted": task.wanted.tolist(),
        "weights": task.weights.tolist(),
    }
    julia()
    kept = cache_folder() / "pysr" / f"{cache_key(question)}.json"
    if (rows := _cached_rows(kept)) is None:
        seconds = 60 + PATIENCE * arguments["max_evals"] / EVALUATIONS_PER_SECOND
        rows = worker(os.getpid()).ask(question, seconds)
        with suppress(GrundylabError):  # if the disk is full, the answer is not cached
            write_json(kept, {"equations": rows})
    return rows


def cache_key(question: dict[str, Any]) -> str:
    """Return the key of the question's answer in the cache; it depends on PySR's version and the operators, too."""
    meanings = [operator.meaning for operator in OPERATORS]
    text = json.dumps([question, meanings, version("pysr")], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _cached_rows(path: Path) -> Sequence[EquationRow] | None:
    """Return the equations in a file of the cache; None if there is no such file or it cannot be read."""
    if not path.is_file():
        return None
    try:
        rows = list(_rows(read_json(path, GrundylabError)))
    except (GrundylabError, TypeError, ValueError, KeyError):
        return None
    return rows


def _rows(record: Any) -> Iterator[EquationRow]:  # noqa: ANN401 - whatever JSON holds
    for complexity, missed, equation in record["equations"]:
        yield int(complexity), float(missed), str(equation)
