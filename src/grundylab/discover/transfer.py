"""The engine ``transfer``: the values with a coordinate raised as a function of those with it lowered.

The model is a pass: p is 1 while it is available. Where a coordinate has few values, the Grundy number of a position is
looked for as a function of that of the position with the coordinate one lower, if need be by cases of few simple
conditions on the other coordinates: G(x, 1) = F(G(x, 0)). The formula looks the lower value up; where a small formula
of the lower values is found, it is put in its place, and the whole is proposed, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from math import inf

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling, search
from grundylab.discover.base import Array, Proposal, Proposals, out_of_time
from grundylab.discover.cases import Cases, cases_of, conflict
from grundylab.discover.ranking import errors
from grundylab.discover.rewriting import negate, simplify
from grundylab.discover.terms import enumerate_terms
from grundylab.discover.work import Work
from grundylab.games.model import GRUNDY, Target
from grundylab.games.statements import THIS
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import replaced, substitute
from grundylab.language.syntax import TRUE, Binary, Call, If, Int, Name, compare, conjunction

FEW = 4  # values of a coordinate that is raised and lowered
# A function tells something if there are so many times as many positions as values of it, or if its formula has at most
# this share of nodes for each value.
SEEN, SHARE = 4 / 3, 1 / 2
LARGEST = 40  # nodes of the function
TERMS, WORK, LOOKED_AT = 4_000, 100_000, 1_000  # in looking for a formula of the lower values


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
    end = time.monotonic() + budget_seconds
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
        transfer = _Transfer(raised, seed, end)
        found += transfer.proposals()
        notes += transfer.notes
    if time.monotonic() > end:
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
    seed: int
    end: float
    notes: list[str] = field(default_factory=list)
    _known: dict[bytes, Expr | None] = field(default_factory=dict)

    def proposals(self) -> list[Proposal]:
        """The relations found, those of most positions first."""
        raised = self.raised
        self._tell_conflict()
        ways = [(cases, self._functions(cases)) for cases in cases_of(raised.samples, raised.lower)]
        if not ways:
            self.notes.append(f"nor are they by cases of two conditions on {self._others}")
            return []
        exact = [(cases, parts) for cases, parts in ways if None not in parts]
        if not exact:
            self.notes.append("of the function no formula was found, or too few positions tell of it")
            return []
        made = [(_together(cases, parts), cases, parts) for cases, parts in exact]
        whole, cases, parts = min(made, key=lambda way: (way[0].size, str(way[0])))
        return [*self._closed(whole), self._proposal(whole, TRUE), *self._part(cases, parts)]

    @property
    def _others(self) -> str:
        return ", ".join(name for name in self.raised.samples.coordinates if name != self.raised.name)

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

    def _functions(self, cases: Cases) -> list[Expr | None]:
        """The function of each case, as a formula of the looked-up value; None where none is found."""
        raised = self.raised
        known = sum(len(np.unique(raised.lower[case.mask])) for case in cases.parts)
        parts = [self._function(raised.lower[c.mask], raised.samples.values[c.mask]) for c in cases.parts]
        nodes = sum(part.size for part in parts if part is not None)
        if len(raised.samples) < SEEN * known and nodes > SHARE * known:
            return [None] * len(cases.parts)
        name = self._name
        return [part and substitute(part, {name: raised.call}) for part in parts]

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
        if np.all(values == values[0]):
            return Int(int(values[0]))
        name = self._name
        table = Samples((name,), {name: numbers.astype(np.int64)}, values.astype(np.int64))
        left = max(self.end - time.monotonic(), 0.0) / 2
        for formula in search.propose(table, GRUNDY, self.seed, left).formulas:
            wrong = errors(formula, table)
            if wrong is not None and not wrong.any() and formula.size <= LARGEST:
                return formula
        return None

    def _proposal(self, formula: Expr, where: Expr) -> Proposal:
        values = ((self.raised.call.name, THIS),)
        return Proposal(formula, conjunction(self.raised.where, where), values)

    def _part(self, cases: Cases, parts: list[Expr | None]) -> list[Proposal]:
        """The relation of the largest case alone, if most positions are of that case."""
        sizes = [int(np.count_nonzero(case.mask)) for case in cases.parts]
        largest = int(np.argmax(sizes))
        formula = parts[largest]
        if len(parts) == 1 or 2 * sizes[largest] <= sum(sizes) or formula is None:
            return []
        case = cases.parts[largest]
        asked = [negate(c.condition) for c in cases.parts[:largest] if c.condition is not None]
        asked += [case.condition] if case.condition is not None else []
        for condition in list(asked):  # what the others imply
            fewer = [other for other in asked if other != condition]
            there = evaluate_arrays(conjunction(*fewer), self.raised.samples.columns)
            if fewer and np.array_equal(there, case.mask):
                asked = fewer
        return [self._proposal(formula, conjunction(*asked))]

    def _closed(self, whole: Expr) -> list[Proposal]:
        """The formula with one of the lower values in place of the lookup, if a small one is found."""
        base, raised = self.raised.base, self.raised
        lower = _term(base) if base is not None else None
        if base is None or lower is None:
            return []
        formula = If(raised.where, replaced(whole, raised.call, lower), lower)
        return [Proposal(simplify(formula))]


def _together(cases: Cases, parts: list[Expr | None]) -> Expr:
    """The cases as one formula."""
    last = parts[-1]
    assert last is not None
    pairs = [(case.condition, part) for case, part in zip(cases.parts, parts, strict=True)][:-1]
    return reduce(_asked_before, reversed(pairs), last)


def _asked_before(rest: Expr, pair: tuple[Expr | None, Expr | None]) -> Expr:
    condition, part = pair
    assert condition is not None
    assert part is not None
    return If(condition, part, rest)


def _term(samples: Samples) -> Expr | None:
    """The smallest of the first terms that is the target throughout."""
    sample = samples.at(sampling.draw(samples, LOOKED_AT))
    terms = enumerate_terms(sample, TERMS, WORK, Work(inf))
    for index in np.flatnonzero((terms.values == sample.values).all(axis=1)):
        term = terms.expr(int(index))
        wrong = errors(term, samples)
        if wrong is not None and not wrong.any():
            return term
    return None
