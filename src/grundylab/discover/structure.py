"""Smaller problems: what the target shows of its form, by exact tests, and the formulas that this leads to.

A target may be a function of fewer numbers (``quotients``), of the coordinates in order of size, or of their remainders
by a number; it may be the nim-sum, or the sum, of a function of each coordinate, or a condition on each, or on any; and
a number may be made of two parts, as by division. Each smaller problem is given to the complete search, whose answer
is put back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import complete
from grundylab.discover.base import Array, span
from grundylab.discover.quotients import Quotient, quotients, reduced_by
from grundylab.discover.rewriting import plainness, spelled
from grundylab.discover.sampling import settings
from grundylab.discover.work import Work
from grundylab.language import Expr
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Call, Int, Name, chain, compare, conjunction, disjunction

SHARE = 1 / 4  # of the work that is left each smaller problem may take
PART = 1 / 2  # and each part of a whole
MODULI = range(2, 17)
PARTS = range(2, 17)  # by which a number is divided
FEWEST = 2  # quotients that a part must have to be one
FEW_VALUES = 4  # of a coordinate, as of a pass
CELLS = 1 << 22  # of a table of three piles
UNKNOWN = -1
JUNCTIONS = {"and": conjunction, "or": disjunction}
JOINING = {"^": np.bitwise_xor, "+": np.add, "and": np.logical_and, "or": np.logical_or}


def formulas(samples: Samples, work: Work) -> list[Expr]:
    """Exact formulas by way of smaller problems, plainest first."""
    found = list(_of_piles(samples, work))
    seen = set[bytes]()
    for problem in _smaller(samples):
        if (data := _data(problem.samples)) in seen:
            continue  # the same with other names, by a symmetry of the target
        seen.add(data)
        answer = complete.smallest(problem.samples, work.part(SHARE))
        found += [problem.restored(formula) for formula in answer.formulas]
    if samples.values.dtype != bool:
        found += _divided(samples, work)
    return sorted({spelled(formula, samples.names) for formula in found}, key=plainness)


def by_value(samples: Samples, work: Work) -> Iterator[dict[Expr, Expr]]:
    """For each coordinate with few values: of as many of them as can be found, by condition, the simplest formula."""
    for name in samples.coordinates:
        values = np.unique(samples.columns[name])
        if not 2 <= len(values) <= FEW_VALUES:
            continue
        found: dict[Expr, Expr] = {}
        for value in map(int, values):
            alone = samples.at(np.flatnonzero(samples.columns[name] == value))
            answer = complete.smallest(alone, work.part(SHARE)).formulas
            every = [spelled(formula, samples.names) for formula in answer]
            every = every or formulas(alone, work.part(PART))
            if every:
                found[compare("==", Name(name), Int(value))] = every[0]
        if found and not work.cut:
            yield found


def _smaller(samples: Samples) -> Iterator[Quotient]:
    """Quotients of fewer positions, each with a way back."""
    for number, quotient in enumerate(quotients(samples)):
        if number or len(quotient.samples) < len(samples):
            yield quotient
    if (sorted_ := _sorted(samples)) is not None:
        yield sorted_
    for by in MODULI:
        if (rests := _rests(samples, by)) is not None:
            yield rests
            return


def _data(samples: Samples) -> bytes:
    """The numbers and values of all positions, whatever the names are and in which order the positions stand."""
    rows = np.stack([*samples.columns.values(), samples.values.astype(np.int64)], axis=1)
    return np.unique(rows, axis=0).tobytes()


def _rests(samples: Samples, by: int) -> Quotient | None:
    """The coordinates by their remainders, if the target depends on no more of them."""
    names = [name for name in samples.variables if name not in samples.parameters]
    if not any(span(samples.columns[name]) >= 2 * by for name in names):
        return None
    terms = {name: Binary("%", Name(name), Int(by)) for name in names}
    return reduced_by(samples, {str(term): term for term in terms.values()}, samples.parameters)


def _sorted(samples: Samples) -> Quotient | None:
    """The coordinates in order of size, if the target is the same however they are exchanged."""
    names = [name for name in samples.coordinates if name in samples.variables]
    if len(names) not in (2, 3) or len({int(samples.columns[name].max()) for name in names}) > 1:
        return None
    every = tuple(map(Name, names))
    least, greatest = Call("min", every), Call("max", every)
    terms: dict[str, Expr] = {str(least): least, str(greatest): greatest}
    if len(names) == 3:
        middle = Binary("-", Binary("-", chain("+", every), least), greatest)
        terms[str(middle)] = middle
    others = [name for name in samples.variables if name not in names]
    return reduced_by(samples, terms, others)


def _of_piles(samples: Samples, work: Work) -> Iterator[Expr]:
    for seen in piles(samples):
        formulas = _each(seen.parts, work)
        if formulas is None:
            continue
        if seen.operator in JUNCTIONS:
            yield JUNCTIONS[seen.operator](*formulas)
        else:
            whole = chain(seen.operator, formulas)
            yield compare("==", whole, Int(0)) if samples.values.dtype == bool else whole


def _each(parts: Sequence[Samples], work: Work) -> list[Expr] | None:
    """The smallest formula of each of the parts, looked for once if they are the same; None if one has none."""
    known: dict[bytes, tuple[str, Expr]] = {}
    found: list[Expr] = []
    for part in parts:
        name = part.coordinates[0]
        same = _data(part)
        if same not in known:
            answer = complete.smallest(part, work.part(PART))
            if not answer.formulas:
                return None
            known[same] = name, answer.formulas[0]
        other, formula = known[same]
        found.append(substitute(formula, {other: Name(name)}))
    return found


# -- numbers of two parts ---------------------------------------------------------------------------------------


class _Parts(NamedTuple):
    by: int
    quotient: Samples
    rest: Samples


def _divided(samples: Samples, work: Work) -> Iterator[Expr]:
    """``by * q + r`` where q is a function of the coordinates' quotients by the same number."""
    for parts in _parts(samples):
        formulas = _each((parts.quotient, parts.rest), work)
        if formulas is not None:
            yield Binary("+", Binary("*", Int(parts.by), formulas[0]), formulas[1])


def _parts(samples: Samples) -> Iterator[_Parts]:
    values = samples.values
    if values.min() < 0:
        return
    for by in PARTS:
        if values.max() < FEWEST * by:
            return
        quotients_ = _with(samples, values // by)
        names = [name for name in samples.variables if name not in samples.parameters]
        terms: Mapping[str, Expr] = {
            str(term): term for term in (Binary("//", Name(name), Int(by)) for name in names)
        }
        if reduced_by(quotients_, terms, samples.parameters) is not None:
            yield _Parts(by, quotients_, _with(samples, values % by))


def _with(samples: Samples, values: Array) -> Samples:
    return Samples(samples.names, samples.columns, values, samples.parameters, samples.functions)


# -- sums of piles -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piles:
    """The target is the parts' values joined by the operator: ``^`` or ``+``; of a condition ``and`` or ``or``, or
    with ``^`` their nim-sum is 0."""

    operator: str
    parts: tuple[Samples, ...]


def piles(samples: Samples) -> Iterator[Piles]:
    """All ways to see it so.

    Of a number the functions are seen where all other coordinates have their least value. Of a condition that a nim-sum
    is 0 they are seen as far as it tells: two piles with equal values are a P-position, and so are three of which one
    has the nim-sum of the others (Sprague 1935, Grundy 1939).
    """
    names = [name for name in samples.coordinates if name in samples.variables]
    setting = settings(samples)
    columns = [samples.columns[name] for name in names]
    if len(names) < 2 or min(int(column.min()) for column in columns) < 0:
        return
    if (int(setting.max()) + 1) * (max(int(column.max()) for column in columns) + 1) > CELLS:
        return
    if samples.values.dtype == bool:
        tables = _labels(samples, names, setting)
        if (
            tables is not None
            and (_joined(samples, tables, setting, "^") == 0).tolist() == samples.values.tolist()
        ):
            yield _seen("^", samples, tables, setting)
        for operator in JUNCTIONS:
            tables = _conditions(samples, names, setting, operator)
            if np.array_equal(_joined(samples, tables, setting, operator), samples.values):
                yield _seen(operator, samples, tables, setting)
        return
    for operator in "^+":
        tables = _alone(samples, names, setting, operator)
        if tables is not None and np.array_equal(_joined(samples, tables, setting, operator), samples.values):
            yield _seen(operator, samples, tables, setting)


Tables = dict[str, Array]  # of each name int64 (settings, values of the coordinate)


def _seen(operator: str, samples: Samples, tables: Tables, setting: Array) -> Piles:
    return Piles(operator, tuple(_part(samples, name, table, setting) for name, table in tables.items()))


def _joined(samples: Samples, tables: Tables, setting: Array, operator: str) -> Array:
    values = [table[setting, samples.columns[name]] for name, table in tables.items()]
    return np.asarray(reduce(JOINING[operator], values))


def _conditions(samples: Samples, names: list[str], setting: Array, operator: str) -> Tables:
    """Of each coordinate, bool: with which values the target may be true (``and``), or is always (``or``)."""
    truth, tables = (samples.values if operator == "and" else ~samples.values), Tables()
    for name in names:
        column = samples.columns[name]
        table = np.zeros((int(setting.max()) + 1, int(column.max()) + 1), dtype=bool)
        table[setting[truth], column[truth]] = True
        tables[name] = table if operator == "and" else ~table
    return tables


def _part(samples: Samples, name: str, table: Array, setting: Array) -> Samples:
    """The function of one coordinate, at each value that occurs with each setting."""
    column = samples.columns[name]
    rows = np.unique(setting * (int(column.max()) + 1) + column, return_index=True)[1]
    columns = {each: samples.columns[each][rows] for each in (name, *samples.parameters)}
    return Samples(
        tuple(columns), columns, table[setting[rows], column[rows]], samples.parameters, samples.functions
    )


def _alone(samples: Samples, names: list[str], setting: Array, operator: str) -> Tables | None:
    """The target with all other coordinates at their least; what it is with all at theirs, counts in the first only."""
    least = {name: samples.columns[name] == samples.columns[name].min() for name in names}
    corner = np.logical_and.reduce(list(least.values()))
    base = np.full(int(setting.max()) + 1, np.iinfo(np.int64).min)
    base[setting[corner]] = samples.values[corner]
    if (base == np.iinfo(np.int64).min).any():
        return None
    tables: Tables = {}
    for name in names:
        alone = np.logical_and.reduce([least[other] for other in names if other != name])
        values = samples.values[alone]
        if tables:
            shift = base[setting[alone]]
            values = values ^ shift if operator == "^" else values - shift
        table = np.zeros((len(base), int(samples.columns[name].max()) + 1), dtype=np.int64)
        table[setting[alone], samples.columns[name][alone]] = values
        tables[name] = table
    return tables


def _labels(samples: Samples, names: list[str], setting: Array) -> Tables | None:
    """Of piles that may be exchanged: numbers for their values, the least that fit, if 0 is among them."""
    width = max(int(samples.columns[name].max()) for name in names) + 1
    count, three = int(setting.max()) + 1, names[:3]
    if count * width ** len(three) > CELLS or any(samples.columns[name].min() for name in names):
        return None
    others = [samples.columns[name] == 0 for name in names[3:]]
    rows = np.flatnonzero(np.logical_and.reduce([np.ones(len(samples), dtype=bool), *others]))
    holds = np.full((count,) + (width,) * len(three), UNKNOWN, dtype=np.int8)
    holds[(setting[rows], *(samples.columns[name][rows] for name in three))] = samples.values[rows]
    if len(three) == 2:
        holds = holds[..., None]
    if (holds[:, 0, 0, 0] != 1).any():
        return None
    table = np.stack([_numbered(each) for each in holds])
    return dict.fromkeys(names, table)


def _numbered(holds: Array) -> Array:
    """Numbers for the values of the pile's sizes. holds: int8 (sizes, sizes, sizes), or (sizes, sizes, 1)."""
    numbers = np.zeros(len(holds), dtype=np.int64)
    different: list[int] = []  # the first of each value
    for size in range(len(holds)):
        same = [n for n in different if holds[size, n, 0] == 1]
        if same:
            numbers[size] = numbers[same[0]]
            continue
        if different:
            numbers[size] = _sum_of_two(holds, size, different, numbers)
        different.append(size)
    return numbers


def _sum_of_two(holds: Array, size: int, different: list[int], numbers: Array) -> int:
    """The nim-sum of two earlier values, if the size has it; else the least number that is none of those."""
    if holds.shape[2] == 1:
        return len(different)
    among = np.array(different)
    one, other = np.nonzero(holds[size][np.ix_(among, among)] == 1)
    if len(one):
        return int(numbers[among[one[0]]] ^ numbers[among[other[0]]])
    return 1 << int(numbers[among].max()).bit_length()
