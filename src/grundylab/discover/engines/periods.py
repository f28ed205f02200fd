"""The engine ``periods``: sequences and rows that become arithmetic-periodic.

Along one coordinate, if the others have few values, the target is a sequence. A set with one position for each value
of a first coordinate is also a sequence: the values of a second coordinate. If such a sequence has a period (and, for
numbers, a saltus), and the period and the exceptions are short compared with the data, a formula states it by
remainders. Otherwise the sequence may consist of the multiples of a quadratic irrational, rounded down. Two names may
also be combined into one axis, by nim-sum, sum, difference, minimum or maximum, if the target depends only on that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, count, islice
from math import isqrt, sqrt

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Proposals, out_of_time, span
from grundylab.discover.patterns import OUTSIDE, number_formula, pattern_condition, pattern_of, set_formula
from grundylab.discover.plainness import plainness
from grundylab.discover.polynomials import sum_of
from grundylab.discover.rewriting import simplify
from grundylab.discover.sample_quotients import Quotient, quotients
from grundylab.discover.sampling import setting_numbers
from grundylab.discover.search_budget import SearchBudget
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import FALSE, Binary, Call, Int, Name, by_cases, compare, conjunction
from grundylab.numeric import Array
from grundylab.solve.periodicity import find_period

MOST_CASES = 8  # most combinations of values of the other coordinates
SHARE = 1 / 2  # greatest share of the data that exceptions and one period may take
EARLY = 1 / 8  # greatest preperiod of a set that repeats early, as a share of its terms
LARGEST = 400  # most nodes of a proposed formula
READ = 200  # work of a position when a quotient is read
LEAST = 8  # least number of terms of a sequence
SLACK = 1e-9  # tolerance of a slope
SPARSE = 16  # greatest span of an axis, as a multiple of the number of positions

SequenceReader = Callable[[Samples], Expr | None]


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the formulas of sequences with a period, smallest first, or notes why there are none.

    There are none if the target depends on a parameter.
    """
    work = SearchBudget(budget_seconds)
    formulas: list[Expr] = []
    notes: list[str] = []
    for quotient in quotients(samples):
        work.spend(READ * len(quotient.samples))
        if work.over:
            notes.append(out_of_time(budget_seconds))
            break
        if varying := [name for name in quotient.samples.variables if name in samples.parameters]:
            notes.append(f"a sequence belongs to one game, and {', '.join(varying)} varies")
            break
        for formula in map(quotient.restored, _formulas(quotient)):
            if formula.size <= LARGEST:
                formulas.append(simplify(formula))
            else:
                notes.append(
                    f"a formula of {formula.size:,} nodes is left out: no more than {LARGEST} are shown"
                )
    if not formulas and not notes:
        notes.append("no period within the data: exceptions and one period would be more than half of it")
    ordered = sorted(dict.fromkeys(formulas), key=lambda formula: (formula.size, str(formula)))
    return Proposals(tuple(ordered), tuple(dict.fromkeys(notes)))


def _formulas(quotient: Quotient) -> Iterator[Expr]:
    """Yield formulas of the quotient read as sequences, at most one for each choice of axes.

    Only choices with every new number of the quotient among the axes are tried.
    """
    samples = quotient.samples
    readings: list[tuple[SequenceReader, tuple[str, ...]]]
    readings = [(partial(_axis_formula, axis=axis), (axis,)) for axis in samples.variables]
    if samples.values.dtype == bool:
        dense = [name for name in samples.variables if span(samples.columns[name]) < SPARSE * len(samples)]
        readings += [(partial(_row, first=a, second=b), (a, b)) for a, b in combinations(dense, 2)]
    for reader, axes in readings:
        rest = tuple(name for name in samples.variables if name not in axes)
        if not any(name in quotient.terms for name in rest):
            formula = _by_cases(samples, rest, reader)
            if formula is not None:
                yield formula


def _by_cases(samples: Samples, rest: tuple[str, ...], read: SequenceReader) -> Expr | None:
    """Return one formula by cases, one case for each combination of the values of the names in ``rest``.

    None if there are more than MOST_CASES, or if the reader finds no formula for one of them.
    """
    setting = setting_numbers(samples, rest)
    first = np.unique(setting, return_index=True)[1]
    if len(first) > MOST_CASES:
        return None
    formulas: dict[Expr, list[Expr]] = {}
    for number, row in enumerate(first):
        formula = read(samples.at(np.flatnonzero(setting == number)))
        if formula is None:
            return None
        case = [(name, int(samples.columns[name][row])) for name in rest]
        here = conjunction(*(compare("==", Name(name), Int(value)) for name, value in case))
        formulas.setdefault(formula, []).append(here)
    parts = sorted(formulas.items(), key=lambda part: (len(part[1]), part[0].size))
    branches = [(condition, formula) for formula, where in parts[:-1] for condition in where]
    return by_cases(branches, parts[-1][0])


def _axis_formula(samples: Samples, axis: str) -> Expr | None:
    """Return the formula of the target along one axis; None for a gap, few positions, or no formula."""
    order = np.argsort(samples.columns[axis])
    places, values = samples.columns[axis][order], samples.values[order]
    start = int(places[0])
    if len(places) < LEAST or np.any(places != np.arange(start, start + len(places))):
        return None
    return _sequence(axis, start, values)


def _sequence(axis: str, start: int, values: Array) -> Expr | None:
    """Return the formula of a sequence with a period; None without one, or if the period may be a coincidence.

    It is no coincidence if one period and the exceptions together are short compared with the data. For a set, the
    exceptions and the members in one period must also be few compared with all members; non-members count instead if
    they are rarer. A set that repeats from early on need not meet this.
    """
    period = find_period(values)
    if period is None:
        return None
    first, p = period.preperiod, period.period
    numbers = values.astype(np.int64)
    before = np.arange(first)
    turns = -(-(first - before) // p)
    exceptions = int(np.count_nonzero(numbers[:first] != numbers[before + turns * p] - turns * period.saltus))
    if exceptions + p > SHARE * len(values):
        return None
    if values.dtype != bool:
        return number_formula(axis, start, values.tolist(), period)
    members = int(np.count_nonzero(values))
    rarer = bool(2 * members <= len(values))
    repeating = int(np.count_nonzero(values[first : first + p] == rarer))
    late = first > EARLY * len(values)
    if late and exceptions + repeating > SHARE * min(members, len(values) - members):
        return None
    return set_formula(axis, start, values.tolist(), period)


def _row(samples: Samples, first: str, second: str) -> Expr | None:
    """Return the formula of a set with at most one position in each row, that is, for each value of ``first``.

    None if a row has two positions, if the table is too small, or if no formula is found.
    """
    rows = np.flatnonzero(samples.values)
    if not len(rows):
        return FALSE
    ms, ns = samples.columns[first][rows], samples.columns[second][rows]
    start = int(samples.columns[first].min())
    if np.bincount(ms - start).max() > 1:
        return None
    tops = np.full(int(samples.columns[first].max()) - start + 1, OUTSIDE, dtype=np.int64)
    np.maximum.at(tops, samples.columns[first] - start, samples.columns[second] - start)
    # a row may be cut off before its position if its last place is less than its number plus the widest offset
    short = np.flatnonzero(tops < np.arange(len(tops)) + max(int(np.max(ns - ms)), 0))
    length = int(short[0]) if len(short) else len(tops)
    if length < LEAST:
        return None
    offsets = np.full(length, OUTSIDE, dtype=np.int64)
    inside = ms - start < length
    offsets[ms[inside] - start] = (ns - ms)[inside]
    if (equation := _numbers(first, second, start, offsets)) is not None:
        return equation
    pattern = pattern_of(start, offsets)
    if pattern is None or len(pattern.singles) + pattern.period > SHARE * len(offsets):
        return None
    return pattern_condition((first, second), pattern)


def _numbers(first: str, second: str, start: int, offsets: Array) -> Expr | None:
    """Return the condition that the second axis equals a formula of the first, the plainest found; None without one.

    The set must have a position in every row, or in every d-th row for some d. Rows after the last position are
    ignored, since their positions may be outside the table.
    """
    places = np.flatnonzero(offsets != OUTSIDE)
    step = int(places[1]) if len(places) > 1 and places[0] == 0 else 1
    if len(places) < LEAST or not np.array_equal(places, np.arange(0, places[-1] + 1, step)):
        return None
    values = (offsets + np.arange(start, start + len(offsets)))[places]
    row: Expr = Name(first) if step == 1 else Binary("//", Name(first), Int(step))
    formulas = [
        _sequence(first, start, values) if step == 1 else None,
        beatty(row, values) if start == 0 else None,
    ]
    number = min((e for e in formulas if e is not None), key=plainness, default=None)
    if number is None:
        return None
    name = Name(second)
    equal = compare("==", number, name) if number == Name(first) else compare("==", name, number)
    rows = compare("==", Binary("%", Name(first), Int(step)), Int(0))
    return equal if step == 1 else conjunction(rows, equal)


def beatty(n: Expr, values: Array) -> Expr | None:
    """Return a formula ``(p*n + isqrt(d*n*n)) // q`` with these values at n = 0, 1, …; None if there is none.

    Of several, the one of least q + d + abs(p) is returned. Its values are floor(n*s) for a quadratic irrational s, as
    in Wythoff's game (Beatty 1926). There are about 3/pi^2 L^2 sequences floor(n*s) of L terms with s between two
    neighbouring whole numbers, as many as fractions with denominators up to L. Fewer forms (p, d, q) are tried, since
    among so many one might fit by coincidence.
    """
    terms = values.tolist()
    length = len(terms)
    if length < LEAST or terms[0] != 0 or min(terms) < 0:
        return None
    low = max(terms[i] / i for i in range(1, length)) - SLACK
    high = min((terms[i] + 1) / i for i in range(1, length)) + SLACK
    if low > high:
        return None
    forms = ((p, d, q) for p, d, q in _forms() if int((p + sqrt(d)) / q) == terms[1])
    for p, d, q in islice(forms, int(0.3 * length * length)):
        slope = (p + sqrt(d)) / q
        if low <= slope <= high and all((p * i + isqrt(d * i * i)) // q == terms[i] for i in range(length)):
            root = Call("isqrt", (Binary("*", Binary("*", Int(d), n), n),))
            total = sum_of([(p, n), (1, root)])
            return total if q == 1 else Binary("//", total, Int(q))
    return None


def _forms() -> Iterator[tuple[int, int, int]]:
    """Yield all (p, d, q) for which (p + sqrt(d))/q is positive and irrational, in the order of q + d + abs(p)."""
    for weight in count(3):
        for q in range(1, weight - 1):
            for d in range(2, weight - q + 1):
                p = weight - q - d
                for signed in (p, -p) if p else (0,):
                    if isqrt(d) ** 2 != d and signed + sqrt(d) > 0:
                        yield signed, d, q
