"""Runs: the maximal intervals along one axis on which a condition holds, and formulas for their ends.

A row is a set of positions that differ along the axis only; its runs are numbered from 0. The formula for an end is a
polynomial in the run's number and the row's coordinates and parameters, or in remainders and functions of these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.polynomials import LARGEST_DEGREE, PolynomialVariable, fit_polynomial
from grundylab.errors import EvaluationError
from grundylab.language import Expr, Function, Functions
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Binary, Call, Int, Name
from grundylab.numeric import Array

FEWEST_ROWS = 2  # least number of rows, and of runs, from which a rule is inferred
PERIODS = (2, 3, 4)  # moduli of residue classes
RunSide = Literal["start", "end"]
SIDES: tuple[RunSide, RunSide] = ("start", "end")


@dataclass(frozen=True)
class RunTable:
    """The runs of all rows; a row is a set of positions that differ along the axis only.

    row: the coordinates and parameters of each run's row, by name: int64 (runs,). number: the run's number in its row,
    (runs,). start, end: its first and last value on the axis, (runs,). ended: whether the run ends before the row does;
    if not, its true end is unknown. parameters: the names in ``row`` that are parameters. functions: the functions that
    the formula for an end may call.
    """

    axis: str
    row: Mapping[str, Array]
    number: Array
    start: Array
    end: Array
    ended: Array
    parameters: Collection[str]
    functions: Functions

    def __len__(self) -> int:
        """Return the number of runs, over all rows."""
        return len(self.number)

    def at(self, chosen: Array) -> RunTable:
        """Return the table of the chosen runs; each keeps its number."""
        row = {name: column[chosen] for name, column in self.row.items()}
        parts = (self.number[chosen], self.start[chosen], self.end[chosen], self.ended[chosen])
        return RunTable(self.axis, row, *parts, self.parameters, self.functions)

    @property
    def coordinates(self) -> list[str]:
        """Names in ``row`` that are coordinates."""
        return [name for name in self.row if name not in self.parameters]

    @property
    def fresh(self) -> list[str]:
        """Names that the game does not use: the first is for the run's number, the next for the variable of a sum."""
        taken = {self.axis, *self.row, *(function.name for function in self.functions)}
        return [name for name in "jirstuvwabcd" if name not in taken]

    @property
    def columns(self) -> dict[str, Array]:
        """The numbers on which an end may depend, by name: the run's number and those of its row."""
        return {self.fresh[0]: self.number, **self.row}

    def known(self, side: RunSide) -> Array:
        """Return the mask of the runs whose end on this side is known."""
        return np.ones(len(self), dtype=bool) if side == "start" else self.ended

    def ends(self, side: RunSide) -> Array:
        """Return the ends of the runs on this side."""
        return self.start if side == "start" else self.end

    def fit(self, side: RunSide) -> Expr | None:
        """Return the plainest polynomial in the ``columns`` that equals every known end on this side, or None."""
        runs = self.at(np.flatnonzero(self.known(side)))
        if not len(runs):
            return None
        plain = runs.evaluated(map(Name, runs.columns))
        if (polynomial := fit_polynomial(plain, runs.ends(side), LARGEST_DEGREE)) is not None:
            return polynomial
        extra = runs.evaluated(runs.calls(map(Name, runs.columns)))
        if extra and (polynomial := fit_polynomial([*plain, *extra], runs.ends(side), 2)) is not None:
            return polynomial
        for period in PERIODS:
            for remainder in runs.evaluated(Binary("%", one.expr, Int(period)) for one in plain):
                variables, degree = [*plain, remainder], max(2, period - 1)
                if (polynomial := fit_polynomial(variables, runs.ends(side), degree)) is not None:
                    return polynomial
        return None

    def calls(self, arguments: Iterable[Expr]) -> Iterator[Expr]:
        """Yield the calls of functions of one argument that are defined by a formula, with each of the arguments."""
        unary = [f.name for f in self.functions if isinstance(f, Function) and len(f.arguments) == 1]
        return (Call(name, (argument,)) for name, argument in product(unary, arguments))

    def evaluated(self, exprs: Iterable[Expr]) -> list[PolynomialVariable]:
        """Return the expressions, with their values, that have a value at every run and more than one value in all."""
        variables: list[PolynomialVariable] = []
        for expr in exprs:
            with suppress(EvaluationError):
                column = evaluate_arrays(expr, self.columns, self.functions)
                if np.any(column != column[:1]):
                    variables.append(PolynomialVariable(expr, column))
        return variables


def find_runs(samples: Samples, axis: str, holds: bool = True) -> RunTable | None:
    """Return the runs along the axis, row by row, of positions at which the condition has the truth value ``holds``.

    None if some row has a gap, where a run could begin or end unseen, or if there are too few rows or runs.
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
    return RunTable(axis, row, number, x[starts], x[ends], ~last[ends], samples.parameters, samples.functions)
