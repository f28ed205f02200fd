"""The engine ``transfer``: the values with a coordinate raised as a function of those with it lowered.

The model is a pass: p is 1 while it is available. Where a coordinate has few values, the Grundy number of a position is
looked for as a function of that of the position with the coordinate one lower, if need be by cases of few simple
conditions on the other coordinates: G(x, 1) = F(G(x, 0)). The formula looks the lower value up; where a small formula
of the lower values is found, it is put in its place, and the whole is proposed, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import complete, search
from grundylab.discover.base import BUDGET_SHARE, Array, Proposal, Proposals, out_of_time
from grundylab.discover.cases import Cases, cases_of, conflict
from grundylab.discover.ranking import exact
from grundylab.discover.rewriting import negate, simplify
from grundylab.discover.work import Work
from grundylab.games.model import GRUNDY, Target
from grundylab.games.statements import THIS
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import replaced, substitute
from grundylab.language.syntax import TRUE, Binary, Call, If, Int, Name, by_cases, compare, conjunction

FEW = 4  # values of a coordinate that is raised and lowered
# A function tells something if there are so many times as many positions as values of it, or if its formula has at most
# this share of nodes for each value.
SEEN, SHARE = 4 / 3, 1 / 2
LARGEST = 40  # nodes of the function
SMALLEST = 1 / 4  # of the work that is left may go to a formula of the lower values


@dataclass(frozen=True)
class _Raised:
    """The samples in which a coordinate is above its least value.

    lower: the values of the positions with the coordinate one lower. call: how they are looked up. where: which
    positions these are. base: the samples in which it has its least value, and above, or none if there is more above.
    """

    name: str
    samples: Samples
    lower: Array
    call: Call
    where: Expr
    base: Samples | None


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Relations between values; for Grundy numbers only. The notes say where there is none."""
    if target != GRUNDY:
        return Proposals(notes=("values are looked up as Grundy numbers, and this target is none",))
    work = Work(budget_seconds)
    found: list[Proposal] = []
    notes: list[str] = []
    flags = list(_few_valued(samples))
    if not flags:
        return Proposals(notes=(f"no coordinate has 2 to {FEW} consecutive values",))
    for name in flags:
        raised = _raised(samples, name)
        if raised is None:
            notes.append(f"some positions have none one lower in {name}")
            continue
        transfer = _Transfer(raised, work)
        found += transfer.proposals()
        notes += transfer.notes
    if work.over:
        notes.append(out_of_time(budget_seconds))
    return Proposals((), tuple(notes), tuple(found))


def _few_valued(samples: Samples) -> Iterator[str]:
    """The coordinates with few values, which follow each other."""
    for name in samples.coordinates:
        low, high = int(samples.columns[name].min()), int(samples.columns[name].max())
        if low < high < low + FEW and len(np.unique(samples.columns[name])) == high - low + 1:
            yield name


def _raised(samples: Samples, name: str) -> _Raised | None:
    """The coordinate raised; None if a position has none one lower."""
    column = samples.columns[name]
    least, most = int(column.min()), int(column.max())
    rest = [samples.columns[other] for other in samples.names if other != name]
    _, which = np.unique(np.stack([*rest, 0 * column], axis=1), axis=0, return_inverse=True)
    places = np.full((int(which.max()) + 1, most - least + 1), -1, dtype=np.int64)
    places[which.reshape(-1), column - least] = np.arange(len(samples))
    above = np.flatnonzero(column > least)
    below = places[which.reshape(-1)[above], column[above] - least - 1]
    if np.any(below < 0):
        return None
    two = most == least + 1
    lowered: Expr = Int(least) if two else Binary("-", Name(name), Int(1))
    call = Call(
        _unused("G", (*samples.names, *(function.name for function in samples.functions))),
        tuple(lowered if other == name else Name(other) for other in samples.coordinates),
    )
    where = compare("==", Name(name), Int(most)) if two else compare(">", Name(name), Int(least))
    base = samples.at(np.flatnonzero(column == least)) if two else None
    return _Raised(name, samples.at(above), samples.values[below], call, where, base)


def _unused(name: str, names: tuple[str, ...]) -> str:
    """The name, or with a number after it if it is taken."""
    return next(text for text in (name, *(f"{name}{n}" for n in range(len(names) + 1))) if text not in names)


@dataclass
class _Transfer:
    """One coordinate's relations."""

    raised: _Raised
    work: Work
    notes: list[str] = field(default_factory=list)
    _known: dict[bytes, Expr | None] = field(default_factory=dict)

    def proposals(self) -> list[Proposal]:
        """The relations found, those of most positions first."""
        raised = self.raised
        self._tell_conflict()
        ways = [(cases, self._functions(cases)) for cases in cases_of(raised.samples, raised.lower)]
        if not ways:
            others = ", ".join(name for name in raised.samples.coordinates if name != raised.name)
            self.notes.append(f"nor are they by cases of two conditions on {others}")
            return []
        made = [(_together(cases, parts), cases, parts) for cases, parts in ways if parts]
        if not made:
            self.notes.append("of the function no formula was found, or too few positions tell of it")
            return []
        whole, cases, parts = min(made, key=lambda way: (way[0].size, str(way[0])))
        return [*self._closed(whole), self._proposal(whole, TRUE), *self._part(cases, parts)]

    def _tell_conflict(self) -> None:
        """Note the smallest two positions that show that there is no function of the lower value alone."""
        raised = self.raised
        names = raised.samples.names
        columns = [raised.samples.columns[name] for name in names]
        measure = np.sum([raised.samples.columns[name] for name in raised.samples.coordinates], axis=0)
        order = np.lexsort([*reversed(columns), measure])
        pair = conflict(raised.lower[order], raised.samples.values[order])
        if pair is None:
            return
        rows = [int(order[row]) for row in pair]
        at = [
            "(" + ", ".join(f"{n}={int(c[row])}" for n, c in zip(names, columns, strict=True)) + ")"
            for row in rows
        ]
        values = [int(raised.samples.values[row]) for row in rows]
        self.notes.append(
            f"where {raised.where} the Grundy numbers are no function of {raised.call} alone: that is "
            f"{int(raised.lower[rows[0]])} for {at[0]} and {at[1]}, which have {values[0]} and {values[1]}"
        )

    def _functions(self, cases: Cases) -> list[Expr]:
        """The function of each case, as a formula of the looked-up value; none if one of them is not found."""
        raised = self.raised
        known = sum(len(np.unique(raised.lower[case.mask])) for case in cases)
        found = [self._function(raised.lower[c.mask], raised.samples.values[c.mask]) for c in cases]
        parts = [part for part in found if part is not None]
        if len(raised.samples) < SEEN * known and sum(part.size for part in parts) > SHARE * known:
            return []
        put = {self._name: raised.call}
        return [substitute(part, put) for part in parts] if len(parts) == len(cases) else []

    @property
    def _name(self) -> str:
        """What stands for the looked-up value in a function's formula."""
        return _unused("g", self.raised.samples.names)

    def _function(self, g: Array, values: Array) -> Expr | None:
        numbers, first = np.unique(g, return_index=True)
        found = values[first]
        key = numbers.tobytes() + found.tobytes()
        if key not in self._known:
            self._known[key] = self._formula(numbers, found)
        return self._known[key]

    def _formula(self, numbers: Array, values: Array) -> Expr | None:
        name = self._name
        table = Samples((name,), {name: numbers.astype(np.int64)}, values.astype(np.int64))
        for formula in search.found(table, self.work.part(BUDGET_SHARE / 2))[0]:
            if exact(formula, table) and formula.size <= LARGEST:
                return formula
        return None

    def _proposal(self, formula: Expr, where: Expr) -> Proposal:
        values = ((self.raised.call.name, THIS),)
        return Proposal(formula, conjunction(self.raised.where, where), values)

    def _part(self, cases: Cases, parts: list[Expr]) -> list[Proposal]:
        """The relation of the largest case alone, if most positions are of that case."""
        sizes = [int(np.count_nonzero(case.mask)) for case in cases]
        largest = int(np.argmax(sizes))
        if len(parts) == 1 or 2 * sizes[largest] <= sum(sizes):
            return []
        case = cases[largest]
        asked = [negate(c.condition) for c in cases[:largest]]
        asked += [case.condition] if case.condition != TRUE else []
        for condition in list(asked):  # what the others imply
            fewer = [other for other in asked if other != condition]
            there = evaluate_arrays(conjunction(*fewer), self.raised.samples.columns)
            if fewer and np.array_equal(there, case.mask):
                asked = fewer
        return [self._proposal(parts[largest], conjunction(*asked))]

    def _closed(self, whole: Expr) -> list[Proposal]:
        """The formula with one of the lower values in place of the lookup, if a small one is found."""
        base, raised = self.raised.base, self.raised
        if base is None:
            return []
        lowest = complete.smallest(base, self.work.part(SMALLEST)).formulas
        if not lowest:
            return []
        lower = lowest[0]
        formula = If(raised.where, replaced(whole, raised.call, lower), lower)
        return [Proposal(simplify(formula))]


def _together(cases: Cases, parts: list[Expr]) -> Expr:
    """The cases as one formula."""
    asked = [(case.condition, part) for case, part in zip(cases, parts, strict=True)]
    return by_cases(asked[:-1], parts[-1])
