"""The engine ``pysr``: the library PySR on the problems and with the operators of ``gplearn``, where it is available.

PySR runs in a process that is kept for later questions (``pysr_worker.py``). Its answers are cached for later runs, and
its failures become notes. Its equations are read as text, translated into formulas over whole numbers, and counted as
such.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from grundylab.check.samples import Samples
from grundylab.discover.base import EngineWork, Proposals
from grundylab.discover.genetic import BUILT_IN, EXACT, OPERATORS, GeneticProblem
from grundylab.discover.pysr_equations import equation_formula, equation_text
from grundylab.discover.pysr_worker import NOT_INSTALLED, Unavailable, julia, unavailable, versions, worker
from grundylab.discover.rounds import ROUNDS, Equation, fit_in_rounds, round_size
from grundylab.errors import GrundylabError
from grundylab.files import cache_folder, read_json, write_json
from grundylab.games.model import Target

__all__ = ["julia", "propose", "unavailable"]

EVALUATIONS_PER_SECOND = 40_000  # for each second of the budget: one evaluation is on SAMPLE rows
PATIENCE = 20  # time for an answer: one minute and so many times the budget, for slow machines
LARGEST = 30  # most nodes of an expression

EquationRow = tuple[int, float, str]  # complexity, loss, equation


def propose(
    samples: Samples, target: Target, seed: int, budget_seconds: float, rounds: int = ROUNDS
) -> Proposals:
    """Return the expressions that PySR keeps in each round, one of each size, as formulas, up to the first exact one.

    If PySR is needed and not available, there is only a note with the reason.
    """
    run = _Rounds(rounds, int(budget_seconds * EVALUATIONS_PER_SECOND) // rounds)
    try:
        fitted = fit_in_rounds(samples, seed, run, round_size(rounds))
    except Unavailable as reason:
        return Proposals(notes=(f"PySR is not available: {reason}",), unavailable=str(reason))
    notes = run.answered_by if fitted.exact else (*run.answered_by, run.used_up)
    return fitted.proposals(notes, run.work)


class _Rounds:
    """The rounds of one run, so many, each with the same number of evaluations."""

    def __init__(self, rounds: int, evaluations: int) -> None:
        self._rounds = rounds
        self.answered_by: tuple[str, ...] = ()  # a note
        self._evaluations = max(evaluations, 1)
        self._asked = 0

    @property
    def work(self) -> EngineWork:
        """The rounds so far, and the most evaluations that they may have had: a round ends early without errors."""
        return EngineWork(self._asked, self._asked * self._evaluations, "evaluations at most")

    @property
    def used_up(self) -> str:
        """The note that the budget ended the rounds."""
        return (
            f"used up {self._asked} of {self._rounds} rounds of {self._evaluations:,} evaluations: "
            "a larger budget has more evaluations"
        )

    def __call__(self, problem: GeneticProblem, seed: int) -> list[Equation] | None:
        """Return PySR's equations for the problem. Raise Unavailable without an answer."""
        if self._asked == self._rounds:
            return None
        self._asked += 1
        answer = _answer(problem, regressor_settings(problem, seed, self._evaluations))
        if answer.versions:
            self.answered_by = (f"answered by {', '.join(map(' '.join, answer.versions.items()))}",)
        return read_equations(answer.rows, problem)


def read_equations(rows: Sequence[EquationRow], problem: GeneticProblem) -> list[Equation]:
    """Return PySR's equations with their formulas."""
    leaves = problem.leaves
    return [
        Equation.read(
            equation_text(text, leaves), complexity, loss, problem, partial(equation_formula, text, leaves)
        )
        for complexity, loss, text in rows
    ]


def regressor_settings(problem: GeneticProblem, seed: int, evaluations: int) -> dict[str, Any]:
    """Return the arguments of ``PySRRegressor``, without the data and the names of folders.

    Floats of 64 bits are exact for the whole numbers here. A constant's complexity is above the limit, so formulas have
    none. The number of evaluations is limited instead of the time, so that the result does not depend on speed.
    """
    return {
        "operators": {
            arity: [o.name if o.name in BUILT_IN else o.julia for o in OPERATORS if o.arity == arity]
            for arity in sorted({operator.arity for operator in OPERATORS})
        },
        "elementwise_loss": julia_loss(problem),
        "early_stop_condition": "all_right(loss, complexity) = loss <= 0",
        "maxsize": LARGEST,
        "complexity_of_constants": LARGEST + 1,
        "niterations": 1_000_000,
        "max_evals": evaluations,
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


def julia_loss(problem: GeneticProblem) -> str:
    """Return the definition in Julia of the loss that the problem needs; each kind of loss has its own name."""
    if problem.bits:
        whole = f"isinteger(found) && abs(found) < {EXACT}"
        digits = "count_ones(xor(Int64(found), Int64(wanted)))"
        return f"missed_digits(found, wanted, weight) = ({whole}) ? weight * {digits} : weight * 64"
    name, right = (
        ("missed_zero", "(found == 0) == (wanted == 0)") if problem.zero else ("missed", "found == wanted")
    )
    return f"{name}(found, wanted, weight) = ({right}) ? zero(weight) : weight"


# -- cached answers -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class KeptAnswer:
    """PySR's equations for a question, and the versions of PySR, Julia and its package that answered it."""

    rows: Sequence[EquationRow]
    versions: Mapping[str, str]


def _answer(problem: GeneticProblem, arguments: dict[str, Any]) -> KeptAnswer:
    """Return PySR's equations for the problem, from the cache or from PySR. Raise Unavailable without an answer.

    An answer that is kept is used whether Julia is there or not.
    """
    question = {
        "settings": arguments,
        "inline": [operator.name for operator in OPERATORS if operator.name not in BUILT_IN],
        "names": [f"x{number}" for number in range(len(problem.leaves))],
        "features": problem.features.tolist(),
        "wanted": problem.wanted.tolist(),
        "weights": problem.weights.tolist(),
    }
    try:
        kept = cache_folder() / "pysr" / f"{cache_key(question)}.json"
    except PackageNotFoundError:
        raise Unavailable(NOT_INSTALLED) from None
    if kept.is_file():
        with suppress(GrundylabError, TypeError, ValueError, KeyError, AttributeError):  # PySR is asked again
            record = read_json(kept, GrundylabError)
            numbers = {str(name): str(number) for name, number in record["versions"].items()}
            rows = [(int(cost), float(loss), str(equation)) for cost, loss, equation in record["equations"]]
            return KeptAnswer(rows, numbers)
    julia()
    seconds = 60 + PATIENCE * arguments["max_evals"] / EVALUATIONS_PER_SECOND
    answer = KeptAnswer(worker(os.getpid()).ask(question, seconds), versions())
    with suppress(GrundylabError):  # if the disk is full, the answer is not cached
        write_json(kept, {"equations": answer.rows, "versions": answer.versions})
    return answer


def cache_key(question: dict[str, Any]) -> str:
    """Return the key of the question's answer in the cache; it depends on PySR's version and the operators, too."""
    meanings = [operator.meaning for operator in OPERATORS]
    text = json.dumps([question, meanings, version("pysr")], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
