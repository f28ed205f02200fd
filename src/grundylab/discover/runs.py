"""The engine ``runs``: conditions that hold on intervals along one axis, by formulas for the intervals' ends.

Along each axis and in each row the positions where the condition holds (or fails) form runs, numbered from 0. Their
ends are fitted exactly: as polynomials in the run's number and the row, or as sums that follow from linear relations
between the ends of neighbouring rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Proposals, out_of_time
from grundylab.discover.intervals import find_runs
from grundylab.discover.ranking import exact
from grundylab.discover.rewriting import negate, simplify
from grundylab.discover.unions import Union
from grundylab.discover.work import DISPATCH, Work
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Binary, If, Int, Name, compare

PERIODS = (2, 3)  # classes of rows that may follow rules of their own
SHORTEST = 3  # axis along which there are runs to speak of
ENOUGH = 2  # exact formulas of each kind
FIRST = (1, 2)  # first rows that may
NUMBERED, FITTED = (
    60,
    20_000,
)  # what a position counts as work when runs are found, and a run when its ends are fitted
READ = 2  # and a node of a formula at a position


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Formulas whose ends fit all runs, for one axis after the other; if none is exact, also by parts of the rows."""
    if samples.values.dtype != bool:
        return Proposals(notes=("runs are of a condition, and this target is a number",))
    if not samples.values.any() or samples.values.all():
        return Proposals(notes=("the target is the same at all positions",))
    work = Work(BUDGET_SHARE * budget_seconds)
    found, best = _formulas(samples, work, sums=True)
    if best is None:
        found += _by_parts(samples, work)
    notes = []
    if work.over:
        notes.append(out_of_time(budget_seconds))
    elif not found:
        notes.append("along no coordinate do the ends of the runs follow a rule")
    return Proposals(tuple(simplify(formula) for formula in found), tuple(notes))


def _formulas(samples: Samples, work: Work, sums: bool = False) -> tuple[list[Expr], Expr | None]:
    """For the runs along each axis, and, as long as none is exact, for the gaps; the first that is exact.

    sums: also such that follow from relations between the ends.
    """
    found: list[Expr] = []
    axes = [axis for axis in samples.coordinates if np.ptp(samples.columns[axis]) >= SHORTEST]
    for holds, axis in product((True, False), axes):
        runs = find_runs(samples, axis, holds)
        work.spend(NUMBERED * len(samples))
        if runs is None or work.over:
            continue
        work.spend(FITTED * len(runs))
        union = Union(runs, samples.parameters, samples.functions)
        right: list[Expr] = []
        for kind in (union.polynomials(), union.sums() if holds and sums else iter(())):
            enough = len(right) + ENOUGH
            for formula in kind:
                found.append(formula if holds else negate(formula))
                work.spend(READ * formula.size * (len(samples) + DISPATCH))
                right += [found[-1]] * exact(found[-1], samples)
                if len(right) == enough:
                    break
        if right:
            return found, right[0]
    return found, None


def _by_parts(samples: Samples, work: Work) -> Iterator[Expr]:
    """One formula for some rows and one for the others: the first rows, or a residue class."""
    for test in _parts(samples):
        inside = evaluate_arrays(test, samples.columns)
        chosen = []
        for part in (inside, ~inside):
            _, formula = _formulas(samples.at(np.flatnonzero(part)), work)
            if formula is None:
                break
            chosen.append(formula)
        if len(chosen) == 2:
            yield If(test, chosen[0], chosen[1])


def _parts(samples: Samples) -> Iterator[Expr]:
    for name in samples.coordinates:
        column = samples.columns[name]
        for count in FIRST:
            if (least := int(column.min()) + count) <= column.max():
                yield compare("<", Name(name), Int(least))
        for period in PERIODS:
            if np.ptp(column) >= 2 * period:
                yield compare("==", Binary("%", Name(name), Int(period)), Int(0))
