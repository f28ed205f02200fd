"""Runs: where a condition holds, as intervals along one axis, and what their ends are as formulas.

In each row of positions the runs are numbered from 0. An end is a polynomial in the run's number and in what tells the
rows apart, or in remainders and functions of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array
from grundylab.discover.polynomials import LARGEST_DEGREE, Variable, fit
from grundylab.errors import EvaluationError
from grundylab.language import Expr, Function, Functions
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Binary, Call, Int, Name

FEWEST_ROWS = 2  # with fewer there is nothing to find a rule from
PERIODS = (2, 3, 4)  # of residue classes
Side = Literal["start", "end"]
SIDES: tuple[Side, Side] = ("start", "end")


@dataclass(frozen=True)
class Runs:
    """The runs of all rows; one row is the positions that differ in the axis only.

    rows: what tells the rows apart, coordinates and then parameters. row: for each of these its value at each run, an
    int64 array (runs,). number, start, end: (runs,). ended: whether the run ends before the row does; where not, its
    true end is unknown.
    """

    axis: str
    rows: tuple[str, ...]
    row: Mapping[str, Array]
    number: Array
    start: Array
    end: Array
    ended: Array

    def __len__(self) -> int:
        """The number of runs, over all rows."""
        return len(self.number)

    def at(self, chosen: Array) -> Runs:
        """Only these runs, with their numbers."""
        row = {name: column[chosen] for name, column in self.row.items()}
        parts = (self.number[chosen], self.start[chosen], self.end[chosen], self.ended[chosen])
        return Runs(self.axis, self.rows, row, *parts)

    def known(self, side: Side) -> Array:
        """Of which runs this end is known, as a mask."""
        return np.ones(len(self), dtype=bool) if side == "start" else self.ended

    def ends(self, side: Side) -> Array:
        """The ends of the runs on this side."""
        return self.start if side == "start" else self.end

    def columns(self, number: str) -> dict[str, Array]:
        """By name what an end may depend on: the run's number, under the name given, and the row."""
        return {number: self.number, **self.row}


def find_runs(samples: Samples, axis: str, holds: bool = True) -> Runs | None:
    """The runs of positions where the condition holds (or: does not) along the axis, row by row.

    None if some row has a hole, where a run could begin or end unseen, or if there are too few rows or runs.
    """
    rows = tuple(name for name in samples.names if name != axis)
    order = np.lexsort((samples.columns[axis], *(samples.columns[name] for name in reversed(rows))))
    x = samples.columns[axis][order]
    others = {name: samples.columns[name][order] for name in rows}
    inside = samples.values[order] == holds
    fresh = np.ones(len(x), dtype=bool)  # the first position of a row
    if len(x) > 1:
        fresh[1:] = np.any(
            [column[1:] != column[:-1] for column in others.values()] or [x[1:] < x[:-1]], axis=0
        )
    if np.any(np.diff(x)[~fresh[1:]] != 1) or np.count_nonzero(fresh) < (FEWEST_ROWS if rows else 1):
        return None
    before = np.concatenate([[False], inside[:-1]]) & ~fresh
    last = np.concatenate([fresh[1:], [True]])
    after = np.concatenate([inside[1:], [False]]) & ~last
    starts, ends = np.flatnonzero(inside & ~before), np.flatnonzero(inside & ~after)
    if len(starts) < FEWEST_ROWS:
        return None
    row_number = np.cumsum(fresh)[starts]
    first_of_row = np.searchsorted(row_number, row_number)
    number = np.arange(len(starts)) - first_of_row
    row = {name: column[starts] for name, column in others.items()}
    return Runs(axis, rows, row, number, x[starts], x[ends], ~last[ends])


def fit_end(runs: Runs, side: Side, number: str, functions: Functions) -> Expr | None:
    """The end by the run's number and the row, or None if that is no polynomial; the plainest that fits all runs."""
    runs = runs.at(np.flatnonzero(runs.known(side)))
    if not len(runs):
        return None
    for variables, degree in _bases(runs.columns(number), functions):
        if (polynomial := fit(variables, runs.ends(side), degree)) is not None:
            return polynomial
    return None


def _bases(available: Mapping[str, Array], functions: Functions) -> Iterator[tuple[list[Variable], int]]:
    """What polynomials are tried in, and up to which degree: names, then functions of them, then remainders."""
    plain = evaluated([Name(name) for name in available], available, functions)
    yield plain, LARGEST_DEGREE
    if extra := evaluated(calls(functions, map(Name, available)), available, functions):
        yield [*plain, *extra], 2
    for period in PERIODS:
        remainders = [Binary("%", variable.expr, Int(period)) for variable in plain]
        for remainder in evaluated(remainders, available, functions):
            yield [*plain, remainder], max(2, period - 1)


def calls(functions: Functions, arguments: Iterable[Expr]) -> list[Expr]:
    """The functions of one argument that can be evaluated, each of these arguments."""
    several = list(arguments)
    unary = [f.name for f in functions if isinstance(f, Function) and len(f.arguments) == 1]
    return [Call(name, (argument,)) for name in unary for argument in several]


def evaluated(exprs: Sequence[Expr], available: Mapping[str, Array], functions: Functions) -> list[Variable]:
    """Those of the expressions that have a value everywhere, and not always the same, with their values."""
    found: list[Variable] = []
    for expr in exprs:
        try:
            column = evaluate_arrays(expr, available, functions)
        except EvaluationError:
            continue
        if np.any(column != column[:1]):
            found.append(Variable(expr, column))
    return found
