"""Ends of runs as formulas: polynomials in the run's number and what tells the rows apart, or close to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from grundylab.discover.base import Array
from grundylab.discover.intervals import Runs
from grundylab.discover.polynomials import LARGEST_DEGREE, Polynomial, Variable, fit
from grundylab.errors import EvaluationError
from grundylab.language import Expr, Function, Functions
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Binary, Call, Int, Name

PERIODS = (2, 3, 4)  # of residue classes
Side = Literal["start", "end"]


def known(runs: Runs, side: Side) -> Runs:
    """The runs of which this end is known."""
    return runs if side == "start" else runs.at(np.flatnonzero(runs.ended))


def values(runs: Runs, side: Side) -> Array:
    """The ends of the runs on this side."""
    return runs.start if side == "start" else runs.end


def columns(runs: Runs, number: str) -> dict[str, Array]:
    """By name what an end may depend on: the run's number, under the name given, and the row."""
    return {number: runs.number, **runs.row}


def unary(functions: Functions) -> list[str]:
    """The names of the functions of one argument that can be evaluated."""
    return [f.name for f in functions if isinstance(f, Function) and len(f.arguments) == 1]


def fit_end(runs: Runs, side: Side, number: str, functions: Functions) -> Polynomial | None:
    """The end by the run's number and the row, or None if that is no polynomial; the plainest that fits all runs."""
    runs = known(runs, side)
    if not len(runs):
        return None
    wanted = values(runs, side)
    for variables, degree in _bases(columns(runs, number), functions):
        if (polynomial := fit(variables, wanted, degree)) is not None:
            return polynomial
    return None


def _bases(available: Mapping[str, Array], functions: Functions) -> Iterator[tuple[list[Variable], int]]:
    """What polynomials are tried in, and up to which degree: names, then functions of them, then remainders."""
    plain = [Variable(Name(name), column) for name, column in available.items() if _varies(column)]
    yield plain, LARGEST_DEGREE
    calls = [Call(f, (Name(name),)) for f in unary(functions) for name in available]
    if extra := evaluated(calls, available, functions):
        yield [*plain, *extra], 2
    for period in PERIODS:
        for variable in plain:
            remainder = Binary("%", variable.expr, Int(period))
            column = variable.values % period
            if _varies(column):
                yield [*plain, Variable(remainder, column)], max(2, period - 1)


def evaluated(exprs: Sequence[Expr], available: Mapping[str, Array], functions: Functions) -> list[Variable]:
    """Those of the expressions that have a value everywhere, and not always the same, with their values."""
    found: list[Variable] = []
    for expr in exprs:
        try:
            column = evaluate_arrays(expr, available, functions)
        except EvaluationError:
            continue
        if _varies(column):
            found.append(Variable(expr, column))
    return found


def _varies(column: Array) -> bool:
    return bool(len(column)) and bool(np.any(column != column[0]))
