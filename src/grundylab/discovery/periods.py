"""The engine ``periods``: sequences and rows that become arithmetic-periodic.

Along one coordinate, with few values of the others, the target is a sequence; along two, a set of positions with one
for each number of the first is the sequence of the second. Where these sequences have a period (and, for numbers, a
saltus), and what repeats and the exceptions are few beside what was seen, the formula says them by remainders.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import combinations

import numpy as np

from grundylab.discovery.base import Array, Proposals, Samples, out_of_time
from grundylab.discovery.patterns import number_formula, set_formula
from grundylab.discovery.rewriting import simplify
from grundylab.discovery.rows import OUTSIDE, condition, pattern_of
from grundylab.formula import Expr
from grundylab.formula.syntax import FALSE, If, Int, Name, compare, conjunction
from grundylab.periodicity import Period, find_period
from grundylab.rulesets.model import Target

MOST_CASES = 8  # combinations of the other coordinates
SHARE = 1 / 2  # of what was seen is at most to be remembered: exceptions, and one period
LARGEST = 400  # nodes of a formula that is proposed
LEAST = 8  # terms of a sequence that may tell something

Reader = Callable[[Samples], Expr | None]


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Formulas that are exact on the samples as far as the sequences go; none where parameters vary."""
    end = time.monotonic() + budget_seconds
    names = samples.variables
    if varying := [name for name in names if name in samples.parameters]:
        return Proposals(notes=(f"sequences are of one game, and {', '.join(varying)} varies",))
    found: list[Expr] = []
    notes: list[str] = []
    for reader, rest in _readings(samples, names):
        if time.monotonic() > end:
            notes.append(out_of_time(budget_seconds))
            break
        formula = _by_cases(samples, rest, reader)
        if formula is not None and formula.size <= LARGEST:
            found.append(simplify(formula))
        elif formula is not None:
            notes.append(f"a formula of {formula.size:,} nodes is left out: no more than {LARGEST} are shown")
    if not found and not notes:
        notes.append("no period as far as seen: what repeats and the exceptions are more than half of it")
    ordered = sorted(dict.fromkeys(found), key=lambda formula: (formula.size, str(formula)))
    return Proposals(tuple(ordered), tuple(notes))


def _readings(samples: Samples, names: tuple[str, ...]) -> Iterator[tuple[Reader, tuple[str, ...]]]:
    """Ways of reading the samples as sequences, with the names that are fixed in each."""
    for axis in names:
        yield lambda part, axis=axis: _along(part, axis), _without(names, axis)  # type: ignore[misc]
    if samples.values.dtype == bool:
        for first, second in combinations(names, 2):
            yield (
                lambda part, first=first, second=second: _row(part, first, second),  # type: ignore[misc]
                _without(names, first, second),
            )


def _without(names: tuple[str, ...], *axes: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in axes)


def _by_cases(samples: Samples, rest: tuple[str, ...], read: Reader) -> Expr | None:
    """The formula for each combination of the other coordinates' values, put together."""
    keys = np.stack([samples.columns[name] for name in rest], axis=1) if rest else np.zeros((len(samples), 1))
    cases, which = np.unique(keys, axis=0, return_inverse=True)
    if len(cases) > MOST_CASES:
        return None
    formulas: dict[Expr, list[Expr]] = {}
    for number, case in enumerate(cases.tolist()):
        formula = read(samples.at(np.flatnonzero(which.reshape(-1) == number)))
        if formula is None:
            return None
        here = conjunction(*(compare("==", Name(n), Int(v)) for n, v in zip(rest, case, strict=False)))
        formulas.setdefault(formula, []).append(here)
    parts = sorted(formulas.items(), key=lambda part: (len(part[1]), part[0].size))
    branches = [(condition, formula) for formula, where in parts[:-1] for condition in where]
    return reduce(lambda other, branch: If(branch[0], branch[1], other), reversed(branches), parts[-1][0])


def _along(samples: Samples, axis: str) -> Expr | None:
    """The target along one axis."""
    order = np.argsort(samples.columns[axis])
    places, values = samples.columns[axis][order], samples.values[order]
    start = int(places[0])
    if len(places) < LEAST or np.any(places != np.arange(start, start + len(places))):
        return None
    return _sequence(axis, start, values)


def _sequence(axis: str, start: int, values: Array) -> Expr | None:
    period = find_period(values)
    if period is None or not _convincing(values.astype(np.int64), period):
        return None
    if values.dtype == bool:
        return set_formula(axis, start, values.tolist(), period)
    return number_formula(axis, start, values.tolist(), period)


def _convincing(values: Array, period: Period) -> bool:
    """Whether the exceptions and one period are few beside the terms."""
    first, p = period.preperiod, period.period
    before = np.arange(first)
    turns = -(-(first - before) // p)
    expected = values[before + turns * p] - turns * period.saltus
    exceptions = int(np.count_nonzero(values[:first] != expected))
    return exceptions + p <= SHARE * len(values)


def _row(samples: Samples, first: str, second: str) -> Expr | None:
    """Positions of which there is at most one for each number of the first axis: by the difference of the two."""
    there = np.flatnonzero(samples.values)
    if not len(there):
        return FALSE
    ms, ns = samples.columns[first][there], samples.columns[second][there]
    start = int(samples.columns[first].min())
    widest = int(np.max(ns - ms))
    length = (
        int(samples.columns[second].max()) - max(widest, 0) + 1 - start
    )  # beyond, some may be outside the table
    if length < LEAST or np.bincount(ms - start).max() > 1:
        return None
    offsets = np.full(length, OUTSIDE, dtype=np.int64)
    inside = ms - start < length
    offsets[ms[inside] - start] = (ns - ms)[inside]
    if np.all(offsets != OUTSIDE) and (
        number := _sequence(first, start, offsets + np.arange(start, start + length))
    ):
        name = Name(second)
        return compare("==", number, name) if number == Name(first) else compare("==", name, number)
    pattern = pattern_of(start, offsets)
    if pattern is None or len(pattern.singles) + pattern.period > SHARE * length:
        return None
    return condition((first, second), pattern)
