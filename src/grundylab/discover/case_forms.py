"""Formulas by cases for a part of a formula: by the values of one term in it, and of another one that has few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from grundylab.discover.patterns import number_formula, runs_condition, set_formulas
from grundylab.discover.plainness import is_plain, reading_effort
from grundylab.discover.rewriting import common_parts
from grundylab.errors import EvaluationError
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.intervals import Interval
from grundylab.language.plainer_forms import BoundsOf
from grundylab.language.substitution import replace_part, substitute
from grundylab.language.syntax import (
    Bool,
    Expr,
    If,
    Int,
    Kind,
    Logic,
    Name,
    by_cases,
    called_functions,
    compare,
    conjunction,
    disjunction,
    walk,
)
from grundylab.solve.periodicity import find_period

READ = 128  # numbers at which a part of a formula is read
REPEATED = 4  # times that its period must repeat there
FAR = 1 << 32  # the greatest magnitude of the first of these numbers
FEW, CASES = 12, 3  # the most values of a term by which others are told apart, and the most cases of these
RELATED, SPLIT = 5, 3  # the most terms that are related, and their values
WORDINGS = 2  # that are kept of each case
_TERM, _OTHER = "_term", "_other"  # stand for terms


def in_cases(part: Expr, ends: BoundsOf, all_read: bool) -> Iterator[Expr]:
    """Yield formulas by cases for a part of a formula that is determined by one term in it, or by two.

    They are right at the first numbers, and beyond as far as the values repeat there. Of two terms one has few values.
    ends: returns bounds on a term. all_read: whether the other term is one of which all values are read, too, or else
    one of which some are not. Nothing is yielded for what is plain already.
    """
    if is_plain(part) or called_functions(part) or part.kind is Kind.RATIO:
        return
    bounds = {term: side for term in _numbers(part) if term != part and (side := ends(term))}
    terms = [term for term in bounds if (bounds[term].width <= READ) == all_read]
    few = [term for term in bounds if bounds[term].width <= FEW]
    for term in terms:
        if (rest := _with_names(part, {term: _TERM})) is not None:
            yield from (substitute(case, {_TERM: term}) for case in _of_one(rest, bounds[term]))
    for other, term in product(few, terms):
        if (rest := _with_names(part, {other: _OTHER, term: _TERM})) is not None:
            for form in _of_two(rest, bounds[other], bounds[term]):
                yield substitute(form, {_OTHER: other, _TERM: term})


def by_relations(part: Expr, ends: BoundsOf) -> Iterator[Expr]:
    """Yield the condition as equations and inequalities of terms with few values, if these determine it."""
    bounds = {term: side for term in _numbers(part) if (side := ends(term)) and side.width <= SPLIT}
    least = [term for term in bounds if bounds.keys().isdisjoint(set(walk(term)) - {term})]
    names = {term: f"_{number}" for number, term in enumerate(least)}
    if part.kind is not Kind.CONDITION or is_plain(part) or not 2 <= len(least) <= RELATED:
        return
    if (rest := _with_names(part, names)) is None:
        return
    ranges = {names[term]: range(bounds[term].low, bounds[term].high + 1) for term in least}
    columns = dict(zip(ranges, map(np.ravel, np.meshgrid(*ranges.values(), indexing="ij")), strict=True))
    relations = [compare("==", Name(name), Int(value)) for name in ranges for value in ranges[name]]
    relations += [compare(op, *map(Name, pair)) for pair in combinations(ranges, 2) for op in ("==", "!=")]
    kept, fulfilled = list[Expr](), np.ones(len(columns["_0"]), dtype=bool)
    try:
        wanted = evaluate_arrays(rest, columns)
    except EvaluationError:
        return
    for relation in relations:
        holds = evaluate_arrays(relation, columns)
        if holds[wanted].all() and not holds[fulfilled].all():
            kept.append(relation)
            fulfilled &= holds
    if np.array_equal(fulfilled, wanted):
        yield substitute(conjunction(*kept), {name: term for term, name in names.items()})


def _numbers(part: Expr) -> list[Expr]:
    """Return the numbers in the part that are not constant, each once."""
    return list(dict.fromkeys(node for node in walk(part) if node.kind is Kind.NUMBER and node.free))


def _with_names(part: Expr, names: Mapping[Expr, str]) -> Expr | None:
    """Return the part with names in place of terms; None unless it then depends on all of these names and no other."""
    if frozenset[str]().union(*(term.free for term in names)) != part.free:
        return None
    for term in sorted(names, key=lambda term: -term.size):  # one may contain the other
        part = replace_part(part, term, Name(names[term]))
    return part if part.free == {*names.values()} else None


@lru_cache(maxsize=1_000)
def _of_one(part: Expr, ends: Interval) -> tuple[Expr, ...]:
    """Return formulas for a part that depends on _TERM alone, the plainest first; none if no period is seen.

    There are none, either, if it has no value somewhere.
    """
    if not ends.width or abs(ends.low) > FAR:
        return ()
    column = np.arange(ends.low, ends.low + min(ends.width, READ))
    try:
        values = np.broadcast_to(evaluate_arrays(part, {_TERM: column}), column.shape)
    except EvaluationError:
        return ()
    if values.dtype == object:  # numbers of more than 64 bits are no plainer words
        return ()
    formulas, period = [part] * is_plain(part), find_period(values)
    if ends.width <= READ:
        places: dict[Expr, list[int]] = {}
        for place, value in zip(column.tolist(), values.tolist(), strict=True):
            places.setdefault(Bool(value) if part.kind is Kind.CONDITION else Int(value), []).append(place)
        formulas += _choices(Name(_TERM), ends, places.items())
    elif period is None or REPEATED * (period.preperiod + period.period) > READ:
        return ()
    if period is not None and period.saltus >= 0:
        if part.kind is Kind.CONDITION:
            formulas += set_formulas(_TERM, ends.low, values.tolist(), period)
        else:
            formulas.append(number_formula(_TERM, ends.low, values.tolist(), period))
    return tuple(sorted(formulas, key=reading_effort)[:WORDINGS])


def _of_two(part: Expr, few: Interval, ends: Interval) -> Iterator[Expr]:
    """Yield formulas for a part that depends on _OTHER, which has few values, and on _TERM."""
    cases: dict[tuple[Expr, ...], list[int]] = {}
    for value in range(few.low, few.high + 1):
        cases.setdefault(_of_one(substitute(part, {_OTHER: value}), ends), []).append(value)
    if () in cases or len(cases) > CASES:
        return
    for chosen in product(*cases):
        if part.kind is Kind.CONDITION or not any(isinstance(formula, If) for formula in chosen):
            yield from _choices(Name(_OTHER), few, zip(chosen, cases.values(), strict=True))


def _choices(term: Expr, ends: Interval, formulas: Iterable[tuple[Expr, Sequence[int]]]) -> Iterator[Expr]:
    """Yield formulas with the value of each of these where the term has one of the values beside it.

    Conditions that all of them have in common are also taken out.
    """
    cases = [(runs_condition(term, places, ends.low, ends.high), formula) for formula, places in formulas]
    cases.sort(key=lambda case: case[0].size + case[1].size)
    yield by_cases(cases[:-1], cases[-1][1])
    if cases[0][1].kind is Kind.CONDITION:
        either = [f.terms if isinstance(f, Logic) and f.op == "or" else (f,) for _, f in cases]
        common, rests = common_parts(either)
        inside = (conjunction(case, disjunction(*rest)) for (case, _), rest in zip(cases, rests, strict=True))
        yield disjunction(*common, *inside)
