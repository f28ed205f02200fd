"""From the runs of all rows to formulas: unions of intervals whose ends are fitted exactly."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from grundylab.discover.ends import Side, fit_end
from grundylab.discover.intervals import Runs
from grundylab.discover.polynomials import Polynomial, product_of, sum_of
from grundylab.discover.relations import SIDES, find_relations, followed_down, recurrences
from grundylab.discover.rewriting import plainness
from grundylab.language import Expr, Functions
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Compare,
    Int,
    Name,
    compare,
    conjunction,
    disjunction,
)

PEELED = 2  # first runs that may follow another rule than the rest
SINGLE = 3  # runs in a row of which each may have a rule of its own
CLOSED = 12  # formulas made of sums


@dataclass(frozen=True)
class Union:
    """Runs to be described. parameters: which names of the rows do not change within a game."""

    runs: Runs
    parameters: Collection[str]
    functions: Functions

    def polynomials(self) -> Iterator[Expr]:
        """Conditions that agree with the runs' known ends, where these are polynomials; the plainest kind first."""
        most = int(self.runs.number.max())
        if most < SINGLE and (each := self._singles(most + 1)) is not None:
            yield each
        for peeled in range(min(PEELED, most - 1) + 1):
            if family := self._polynomials(peeled):
                yield from family
                break

    # -- polynomials ------------------------------------------------------------------------------------------

    def _singles(self, count: int) -> Expr | None:
        """The runs 0, …, count - 1, each by its row."""
        parts = []
        for number in range(count):
            runs = self.runs.at(np.flatnonzero(self.runs.number == number))
            start, end = self._fit(runs, "start"), self._fit(runs, "end")
            if start is None or (end is None and runs.ended.any()):
                return None
            parts.append(self._between(start.expr(), end.expr() if end else None))
        return disjunction(*parts)

    def _polynomials(self, first: int) -> list[Expr]:
        """The first runs each by itself and the others together, if polynomials fit."""
        rest = self.runs.at(np.flatnonzero(self.runs.number >= first))
        start = self._fit(rest, "start")
        end = self._fit(rest, "end") if start is not None else None
        before = self._singles(first) if end is not None else None
        if start is None or end is None or before is None:
            return []
        families = [*self._periodic(start, end, first), self._any(start.expr(), end.expr(), first)]
        return [disjunction(before, family) for family in families]

    def _periodic(self, start: Polynomial, end: Polynomial, first: int) -> tuple[Expr, ...]:
        """Without quantifier, where run follows run at the same distance: by a remainder."""
        number, x = self._number, Name(self.runs.axis)
        low, high = start.linear_in(number), end.linear_in(number)
        if low is None or high is None or low[0].minus(high[0]).coefficients:
            return ()
        (step, zero), (_, last) = low, high
        width = last.minus(zero).expr()
        remainder = Binary("%", sum_of([(1, x), (-1, zero.expr())]), step.expr())
        inside = compare("==" if width == Int(0) else "<=", remainder, width)
        least = sum_of([(1, zero.expr()), (1, product_of(first, [step.expr()]))])
        return inside, conjunction(compare(">=", x, least), inside)

    # -- sums -------------------------------------------------------------------------------------------------

    def sums(self) -> Iterator[Expr]:
        """The same where the ends follow from relations between neighbouring rows, perhaps of all but the first."""
        coordinates = [name for name in self.runs.rows if name not in self.parameters]
        found = self._followed(self.runs, coordinates)
        for name in coordinates:
            column = self.runs.row[name]
            later = self.runs.at(np.flatnonzero(column > column.min()))
            found = found or self._followed(later, coordinates)
        yield from sorted(found, key=plainness)[:CLOSED]

    def _followed(self, runs: Runs, coordinates: list[str]) -> set[Expr]:
        """Formulas from the relations that are true of all these runs."""
        if not len(runs):
            return set()
        first = runs.at(np.flatnonzero(runs.number == 0))
        bases = {side: base.expr() for side in SIDES if (base := self._fit(first, side)) is not None}
        if len(bases) < len(SIDES):
            return set()  # nothing to follow the relations down to
        relations = find_relations(runs, coordinates, self._number, self.functions)
        found = set[Expr]()
        for pair in recurrences(relations):
            start, end = (followed_down(pair[side], bases[side], self._index) for side in SIDES)
            found.add(self._any(start, end, 0))
        return found

    # -- parts ------------------------------------------------------------------------------------------------

    def _fit(self, runs: Runs, side: Side) -> Polynomial | None:
        return fit_end(runs, side, self._number, self.functions)

    def _between(self, start: Expr, end: Expr | None) -> Expr:
        x = Name(self.runs.axis)
        if start == end:
            return compare("==", x, start)
        if end is None:
            return compare("<=", start, x)
        # a run from the first position on has no beginning to speak of
        return compare("<=", x, end) if start == Int(0) else Compare(("<=", "<="), (start, x, end))

    def _any(self, start: Expr, end: Expr, first: int) -> Expr:
        """That x is in one of the runs from the first on; there are at least as many positions before a run as runs."""
        x = Name(self.runs.axis)
        inside = compare("==", x, start) if start == end else Compare(("<=", "<="), (start, x, end))
        return Bounded("any", self._number, Int(first), Binary("+", x, Int(1)), inside)

    @property
    def _number(self) -> str:
        return self._fresh()[0]

    @property
    def _index(self) -> str:
        return self._fresh()[1]

    def _fresh(self) -> list[str]:
        taken = {self.runs.axis, *self.runs.rows, *(function.name for function in self.functions)}
        return [name for name in "jirstuvwabcd" if name not in taken]
