"""Reductions of a target to smaller problems, found by exact tests on the samples.

The target may be a function of fewer numbers (``quotients``), or of the coordinates' remainders modulo some number. It
may be the nim-sum, the sum or the nim product of functions of single coordinates, or a conjunction or disjunction of
conditions on them. A number may be a multiple of some divisor plus a remainder, each with a formula. Or each value of a
coordinate with few values may have its own formula. In each case a ``Reduction`` lists the smaller problems; the
complete search solves them, and their formulas are combined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import complete
from grundylab.discover.bank import LARGEST
from grundylab.discover.base import span
from grundylab.discover.plainness import plainness
from grundylab.discover.rewriting import normal_form
from grundylab.discover.sample_quotients import quotients, reduced_by, symmetric_quotients
from grundylab.discover.sampling import setting_numbers
from grundylab.discover.search_budget import SearchBudget
from grundylab.language import Expr
from grundylab.language.nim_products import nim_products
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    Binary,
    Call,
    Int,
    Name,
    by_cases,
    chain,
    compare,
    conjunction,
    disjunction,
)
from grundylab.numeric import Array

SHARE = 1 / 4  # share of the remaining work for a smaller problem
PART = 1 / 2  # share for each of several problems that must all be solved
MODULI = range(2, 17)
PARTS = range(2, 17)  # divisors by which a number is split into quotient and remainder
FEWEST = 2  # the largest value must be at least so many times the divisor
FEW_VALUES = 4  # most values of a coordinate, such as a pass, that is treated value by value
CELLS = 1 << 22  # most cells of a table of up to three piles
UNKNOWN = -1
JUNCTIONS = {"and": conjunction, "or": disjunction}
NIM_PRODUCT, LARGEST_FACTOR = "nim_product", 1 << 32  # arrays of nim products are made of smaller numbers
JOINING: Mapping[str, Callable[[Array, Array], Array]] = {
    "^": np.bitwise_xor, "+": np.add, NIM_PRODUCT: nim_products, "and": np.logical_and, "or": np.logical_or,
}  # fmt: skip

SolvedProblems = dict[
    bytes, tuple[tuple[str, ...], tuple[Expr, ...]]
]  # solved problems by their data: names and formulas


@dataclass(frozen=True)
class Reduction:
    """Smaller problems, whose formulas combine to a formula of the target.

    restored: makes the target's formula from one formula for each problem.
    """

    problems: Sequence[Samples]
    restored: Callable[[Sequence[Expr]], Expr]


def reduction_formulas(samples: Samples, work: SearchBudget) -> list[Expr]:
    """Return the exact formulas that follow from solved reductions of the target, plainest first.

    A reduction is left out if no formula is found for one of its problems, or if the budget ends the search.
    """
    solved: SolvedProblems = {}
    reductions = [Reduction(split.parts, split.joined) for split in pile_splits(samples)]
    smaller = [*quotients(samples), *symmetric_quotients(samples)]
    names = [name for name in samples.variables if name not in samples.parameters]
    for by in MODULI:  # up to the least number for which the coordinates' remainders decide the target
        if not any(span(samples.columns[name]) >= 2 * by for name in names):
            break
        terms = {str(term): term for term in (Binary("%", Name(name), Int(by)) for name in names)}
        if (fewer := reduced_by(samples, terms, samples.parameters)) is not None:
            smaller.append(fewer)
            break
    for quotient in smaller:
        if len(quotient.samples) < len(samples):
            back = quotient.restored
            reductions.append(Reduction((quotient.samples,), lambda answers, back=back: back(answers[0])))  # type: ignore[misc]
    reductions += _divisions(samples)
    formulas = [
        reduction.restored(answers)
        for reduction in sorted(reductions, key=lambda reduction: sum(map(len, reduction.problems)))
        for answers in _answers(reduction, solved, work)
    ]
    return sorted({normal_form(formula, samples.names) for formula in formulas}, key=plainness)


def formulas_by_value(
    samples: Samples, work: SearchBudget
) -> Iterator[tuple[list[tuple[Expr, Expr]], Expr | None]]:
    """Yield for each coordinate with few values a list (condition, formula) of its values, and one formula by cases.

    Values without a formula are left out, and then the formula by cases is None. A coordinate is left out if none of
    its values has a formula, or if the budget is used up.
    """
    for name in samples.coordinates:
        values = np.unique(samples.columns[name])
        if not 2 <= len(values) <= FEW_VALUES:
            continue
        cases: list[tuple[Expr, Expr]] = []
        for value in values.tolist():
            alone = samples.at(np.flatnonzero(samples.columns[name] == value))
            answers = complete.smallest_formulas(alone, work.part(SHARE)).formulas
            for answer in (answers or reduction_formulas(alone, work.part(PART)))[:1]:
                cases.append((compare("==", Name(name), Int(value)), normal_form(answer, samples.names)))
        if cases and not work.cut:
            yield cases, by_cases(cases[:-1], cases[-1][1]) if len(cases) == len(values) else None


def _answers(reduction: Reduction, solved: SolvedProblems, work: SearchBudget) -> Iterator[Sequence[Expr]]:
    """Yield sequences of formulas, one formula for each problem of the reduction; nothing if a problem has no formula.

    For a single problem each of its formulas is yielded, but nothing if it was solved before. solved: the solved
    problems, to which new ones are added.
    """
    single = len(reduction.problems) == 1
    answers: list[tuple[Expr, ...]] = []
    for problem in reduction.problems:
        columns = [*problem.columns.values(), problem.values.astype(np.int64)]
        # all positions with their values, whatever the names and the order
        data = np.unique(np.stack(columns, axis=1), axis=0).tobytes()
        if data not in solved:
            answer = complete.smallest_formulas(problem, work.part(SHARE if single else PART))
            if work.cut:
                return
            solved[data] = problem.names, answer.formulas
        elif single:
            return  # the same problem with other names, by a symmetry of the target
        names, formulas = solved[data]
        if not formulas:
            return
        back = dict(zip(names, map(Name, problem.names), strict=True))
        answers.append(tuple(substitute(formula, back) for formula in formulas))
    if single:
        yield from ((formula,) for formula in answers[0])
    else:
        yield [formulas[0] for formulas in answers]


# -- numbers of two parts ---------------------------------------------------------------------------------------


def _divisions(samples: Samples) -> Iterator[Reduction]:
    """Yield reductions of a number to two problems: its quotient and its remainder by a divisor.

    The number's quotient must be a function of the coordinates' quotients by the same divisor.
    """
    values = samples.values
    names = [name for name in samples.variables if name not in samples.parameters]
    for by in PARTS if values.dtype != bool and values.min() >= 0 else ():
        if values.max() < FEWEST * by:
            return
        whole = _with(samples, values // by)
        terms: Mapping[str, Expr] = {
            str(term): term for term in (Binary("//", Name(name), Int(by)) for name in names)
        }
        if reduced_by(whole, terms, samples.parameters) is not None:
            yield Reduction(
                (whole, _with(samples, values % by)),
                lambda parts, by=by: Binary("+", Binary("*", Int(by), parts[0]), parts[1]),  # type: ignore[misc]
            )


def _with(samples: Samples, values: Array) -> Samples:
    return Samples(samples.names, samples.columns, values, samples.parameters, samples.functions)


# -- sums of piles -----------------------------------------------------------------------------------------------


ValueTables = dict[str, Array]  # for each name int64 (settings, values of the coordinate)


@dataclass(frozen=True)
class PileSplit:
    """A target that is one operator applied to functions of single coordinates.

    operator: ``^``, ``+``, ``*`` or NIM_PRODUCT for a number; for a condition ``and`` or ``or``, or else ``^`` if the
    condition says that the nim-sum of the functions is 0. parts: samples of each function. condition: whether the
    target is a condition.
    """

    operator: str
    parts: tuple[Samples, ...]
    condition: bool

    def joined(self, formulas: Sequence[Expr]) -> Expr:
        """Return the target's formula, made of one formula for each part."""
        if self.operator in JUNCTIONS:
            return JUNCTIONS[self.operator](*formulas)
        if self.operator == NIM_PRODUCT:
            return reduce(lambda a, b: Call(NIM_PRODUCT, (a, b)), formulas)
        whole = chain(self.operator, formulas)
        return compare("==", whole, Int(0)) if self.condition else whole


def pile_splits(samples: Samples) -> Iterator[PileSplit]:
    """Yield all ways to write the target as one operator applied to functions of single coordinates.

    For a number, each function is read along a line through a corner. For the condition that a nim-sum is 0, the
    functions are inferred from the P-positions: two piles form a P-position if their values are equal, three piles if
    one value is the nim-sum of the others (Sprague 1935, Grundy 1939). Nim products of functions are the values of
    coin-turning games in several dimensions (the Tartan Theorem; Siegel, *Combinatorial Game Theory*, VIII.4).
    """
    names = [name for name in samples.coordinates if name in samples.variables]
    setting = setting_numbers(samples)
    columns = [samples.columns[name] for name in names]
    if len(names) < 2 or min(int(column.min()) for column in columns) < 0:
        return
    if (int(setting.max()) + 1) * (max(int(column.max()) for column in columns) + 1) > CELLS:
        return
    tried = list[tuple[str, ValueTables | None]]()
    if samples.values.dtype == bool:
        tried.append(("^", _labels(samples, names, setting)))
        for operator in JUNCTIONS:
            # of a coordinate's value: whether the target is true somewhere ("and"), or everywhere ("or"), at this value
            truth, tables = (samples.values if operator == "and" else ~samples.values), ValueTables()
            for name, column in zip(names, columns, strict=True):
                table = np.zeros((int(setting.max()) + 1, int(column.max()) + 1), dtype=bool)
                table[setting[truth], column[truth]] = True
                tables[name] = table if operator == "and" else ~table
            tried.append((operator, tables))
    else:
        small = bool(samples.values.min() >= 0 and samples.values.max() < LARGEST_FACTOR)
        operators = ("^", "+", *[NIM_PRODUCT] * small)
        tried += [(operator, _pile_functions(samples, names, setting, operator)) for operator in operators]
    splits = (_split(samples, operator, tables, setting) for operator, tables in tried if tables is not None)
    yield from (split for split in splits if split is not None)


def _split(samples: Samples, operator: str, tables: ValueTables, setting: Array) -> PileSplit | None:
    """Return the split by the functions in these tables; None if the operator does not make the target of them."""
    condition = samples.values.dtype == bool
    functions = [table[setting, samples.columns[name]] for name, table in tables.items()]
    values = reduce(JOINING[operator], functions)
    if not np.array_equal(values == 0 if condition and operator == "^" else values, samples.values):
        return None
    if operator == NIM_PRODUCT and sum(int(table.max()) > 1 for table in tables.values()) < 2:
        operator = "*"  # the usual product
    parts = []
    for name, table in tables.items():
        # each value of the coordinate once for each parameter setting
        column = samples.columns[name]
        rows = np.unique(setting * (int(column.max()) + 1) + column, return_index=True)[1]
        columns = {variable: samples.columns[variable][rows] for variable in (name, *samples.parameters)}
        results = table[setting[rows], column[rows]]
        parts.append(Samples(tuple(columns), columns, results, samples.parameters, samples.functions))
    return PileSplit(operator, tuple(parts), condition)


def _pile_functions(samples: Samples, names: list[str], setting: Array, operator: str) -> ValueTables | None:
    """Return for each coordinate the table of its function: the target where all others are as in the corner.

    In the corner all coordinates are least; for a nim product it is the first position with the target 1. The target in
    the corner counts in the first function only; it is removed from the others. None if a setting lacks the corner.
    """
    place = int(np.argmax(samples.values == 1)) if operator == NIM_PRODUCT else None
    ends = {n: int(c.min() if place is None else c[place]) for n, c in samples.columns.items()}
    least = {name: samples.columns[name] == ends[name] for name in names}
    corner = np.logical_and.reduce(list(least.values()))
    base = np.full(int(setting.max()) + 1, np.iinfo(np.int64).min)
    base[setting[corner]] = samples.values[corner]
    if (base == np.iinfo(np.int64).min).any():
        return None
    tables: ValueTables = {}
    for name in names:
        alone = np.logical_and.reduce([least[other] for other in names if other != name])
        values = samples.values[alone]
        if tables and operator != NIM_PRODUCT:
            shift = base[setting[alone]]
            values = values ^ shift if operator == "^" else values - shift
        table = np.zeros((len(base), int(samples.columns[name].max()) + 1), dtype=np.int64)
        table[setting[alone], samples.columns[name][alone]] = values
        tables[name] = table
    return tables


def _labels(samples: Samples, names: list[str], setting: Array) -> ValueTables | None:
    """Return a table of possible Grundy values for the sizes of a pile, the least that fit; all piles have the same.

    None if some pile is never empty, if empty piles are not a P-position, or if the table or its values would be too
    large.
    """
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
    tables = [table for mask in holds if (table := _numbered(mask)) is not None]
    return dict.fromkeys(names, np.stack(tables)) if len(tables) == count else None


def _numbered(holds: Array) -> Array | None:
    """Return a possible Grundy value for each size of a pile, in one parameter setting; None if one is too large.

    A value that differs from all earlier ones is the nim-sum of the values of two earlier sizes if these form a
    P-position with this size. Otherwise it is the next power of 2, or the next number if there are two piles only.
    holds: int8 (sizes, sizes, sizes), or (sizes, sizes, 1) for two piles: whether these sizes form a P-position.
    """
    numbers = np.zeros(len(holds), dtype=np.int64)
    different: list[int] = []  # the first size of each value
    for size in range(len(holds)):
        same = [n for n in different if holds[size, n, 0] == 1]
        if same:
            numbers[size] = numbers[same[0]]
            continue
        earlier = numbers[different]
        if different and holds.shape[2] == 1:
            numbers[size] = len(different)
        elif different:
            one, other = np.nonzero(holds[size][np.ix_(different, different)] == 1)
            power = 1 << int(earlier.max()).bit_length()
            numbers[size] = earlier[one[0]] ^ earlier[other[0]] if len(one) else power
        if numbers[size] > LARGEST:
            return None
        different.append(size)
    return numbers
