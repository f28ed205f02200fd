"""The engine ``runs``: conditions that hold on intervals along one axis, with formulas for the ends of the intervals.

A row is a set of positions that differ along one axis only. Its maximal intervals on which the condition holds (or
fails) are called runs and numbered from 0. Formulas for their ends must fit exactly: polynomials in the run's number
and the row's coordinates, or sums that follow from linear relations between the ends of runs in neighbouring rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Proposals, out_of_time, span
from grundylab.discover.plainness import plainness
from grundylab.discover.polynomials import polynomial_formula, sum_of
from grundylab.discover.ranking import counted_errors
from grundylab.discover.rewriting import simplify
from grundylab.discover.run_intervals import SIDES, RunTable, find_runs
from grundylab.discover.run_relations import find_relations, followed_down, recurrences
from grundylab.discover.search_budget import SearchBudget
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.linear import atom_polynomial
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Compare,
    If,
    Int,
    Name,
    compare,
    conjunction,
    disjunction,
    negate,
)

PERIODS = (2, 3)  # moduli of the residue classes of rows that may follow rules of their own
SHORTEST = 3  # least span of an axis with runs
ENOUGH = 2  # exact formulas of each kind after which no more are tried
FIRST = (1, 2)  # numbers of first rows that may follow rules of their own
PEELED = 2  # most first runs of a row that may follow another rule than the rest
SINGLE = 3  # most runs of a row if each may have a rule of its own
CLOSED = 12  # most formulas made of sums
NUMBERED = 60  # work of a position when runs are found
FITTED = 20_000  # work of a run when its ends are fitted


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return formulas that give the ends of all runs, axis by axis; if none is exact, also formulas by two cases.

    The target must be a condition that is neither always true nor always false; else there is only a note.
    """
    if samples.values.dtype != bool:
        return Proposals(notes=("runs describe a condition, but the target is a number",))
    if not samples.values.any() or samples.values.all():
        return Proposals(notes=("the target is the same at all positions",))
    work = SearchBudget(BUDGET_SHARE * budget_seconds)
    formulas, best = _formulas(samples, work, sums=True)
    if best is None:
        formulas += _by_parts(samples, work)
    notes = []
    if work.over:
        notes.append(out_of_time(budget_seconds))
    elif not formulas:
        notes.append("the ends of the runs follow no rule along any coordinate")
    return Proposals(tuple(simplify(formula) for formula in formulas), tuple(notes))


def _formulas(samples: Samples, work: SearchBudget, sums: bool = False) -> tuple[list[Expr], Expr | None]:
    """Return (all formulas found, the first exact one or None); the search ends at the axis that gives an exact one.

    Runs where the condition holds are read first, along each axis, then runs where it fails. sums: also try formulas
    that follow from relations between the ends.
    """
    formulas: list[Expr] = []
    axes = [axis for axis in samples.coordinates if span(samples.columns[axis]) >= SHORTEST]
    for holds, axis in product((True, False), axes):
        runs = find_runs(samples, axis, holds)
        work.spend(NUMBERED * len(samples))
        if runs is None or work.over:
            continue
        work.spend(FITTED * len(runs))
        right: list[Expr] = []
        for kind in (_polynomials(runs), _sums(runs) if holds and sums else iter(())):
            enough = len(right) + ENOUGH
            for formula in kind:
                formulas.append(formula if holds else negate(formula))
                wrong = counted_errors(formulas[-1], samples, work)
                right += [formulas[-1]] * (wrong is not None and not wrong.any())
                if len(right) == enough:
                    break
        if right:
            return formulas, right[0]
    return formulas, None


def _by_parts(samples: Samples, work: SearchBudget) -> Iterator[Expr]:
    """Yield formulas by two cases, each case exact: the first rows, or those of a residue class, and all other rows."""
    tests = list[Expr]()
    for name in samples.coordinates:
        column = samples.columns[name]
        firsts = [int(column.min()) + count for count in FIRST]
        tests += [compare("<", Name(name), Int(least)) for least in firsts if least <= column.max()]
        periods = [period for period in PERIODS if span(column) >= 2 * period]
        tests += [compare("==", Binary("%", Name(name), Int(period)), Int(0)) for period in periods]
    for test in tests:
        inside = evaluate_arrays(test, samples.columns)
        chosen = []
        for part in (inside, ~inside):
            _, formula = _formulas(samples.at(np.flatnonzero(part)), work)
            if formula is None:
                break
            chosen.append(formula)
        if len(chosen) == 2:
            yield If(test, chosen[0], chosen[1])


# -- unions of intervals -------------------------------------------------------------------------------------


def _polynomials(runs: RunTable) -> Iterator[Expr]:
    """Yield conditions that agree with all known ends of the runs, if these are polynomials; the plainest first.

    First runs of a row may have formulas of their own; all later ones share one formula for each end.
    """
    most = int(runs.number.max())
    if most < SINGLE and (single := _singles(runs, most + 1)) is not None:
        yield single
    for peeled in range(min(PEELED, most - 1) + 1):
        rest = runs.at(np.flatnonzero(runs.number >= peeled))
        start = rest.fit("start")
        end = rest.fit("end") if start is not None else None
        before = _singles(runs, peeled) if end is not None else None
        if start is None or end is None or before is None:
            continue
        low, high = (atom_polynomial(side).split(runs.fresh[0]) for side in (start, end))
        if low is not None and high is not None and low[0] == high[0]:
            # the runs of a row have equal distances: a remainder takes the place of a quantifier
            x, names = Name(runs.axis), [Name(name) for name in runs.columns]
            step, zero, width = (polynomial_formula(part, names) for part in (*low, high[1] - low[1]))
            remainder = Binary("%", sum_of([(1, x), (-1, zero)]), step)
            inside = compare("==" if width == Int(0) else "<=", remainder, width)
            yield disjunction(before, inside)
            least = sum_of([(1, zero), (peeled, step)])
            yield disjunction(before, conjunction(compare(">=", x, least), inside))
        yield disjunction(before, _any(runs, start, end, peeled))
        return


def _singles(runs: RunTable, count: int) -> Expr | None:
    """Return the condition that x is in one of the runs 0, …, count - 1, where each number has formulas of its own.

    None if no polynomial fits the ends of some run.
    """
    parts = []
    for number in range(count):
        these = runs.at(np.flatnonzero(runs.number == number))
        start, end = these.fit("start"), these.fit("end")
        if start is None or (end is None and these.ended.any()):
            return None
        parts.append(_between(start, Name(runs.axis), end))
    return disjunction(*parts)


def _between(start: Expr, x: Name, end: Expr | None) -> Expr:
    if start == end:
        return compare("==", x, start)
    if end is None:
        return compare("<=", start, x)
    # a run from the first position on needs no start
    return compare("<=", x, end) if start == Int(0) else Compare(("<=", "<="), (start, x, end))


def _any(runs: RunTable, start: Expr, end: Expr, first: int) -> Expr:
    """Return the condition that x is in run ``first`` or a later one, with a quantifier over the run's number.

    The number is at most x, since there are at most x runs before the run of x.
    """
    x = Name(runs.axis)
    return Bounded("any", runs.fresh[0], Int(first), Binary("+", x, Int(1)), _between(start, x, end))


def _sums(runs: RunTable) -> Iterator[Expr]:
    """Yield conditions whose ends follow from relations between neighbouring rows, plainest first.

    If none holds for all rows, those with the least value of a coordinate are left out.
    """
    columns = [runs.row[name] for name in runs.coordinates]
    for table in (runs, *(runs.at(np.flatnonzero(column > column.min())) for column in columns)):
        first = table.at(np.flatnonzero(table.number == 0))
        bases = {side: base for side in SIDES if (base := first.fit(side)) is not None}
        if len(bases) < len(SIDES):
            continue  # no base for the recurrences
        formulas = set[Expr]()
        for pair in recurrences(find_relations(table)):
            start, end = (followed_down(pair[side], bases[side], table.fresh[1]) for side in SIDES)
            formulas.add(_any(table, start, end, 0))
        if formulas:
            yield from sorted(formulas, key=plainness)[:CLOSED]
            return
