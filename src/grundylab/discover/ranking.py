"""Ranking of candidates: exact ones first, then the smallest; and formulas that the positions cannot distinguish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np

from grundylab.check.samples import Samples
from grundylab.check.shares import NO_COUNTS, SplitCounts, all_checked
from grundylab.discover.base import best_constant
from grundylab.discover.fingerprints import scattered, scrambled
from grundylab.discover.plainest_form import plainest_form
from grundylab.discover.plainness import plainness, reading_effort
from grundylab.discover.sampling import setting_numbers
from grundylab.discover.search_budget import DISPATCH, SearchBudget
from grundylab.errors import EvaluationError
from grundylab.games.model import Target
from grundylab.games.statements import THIS
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.functions import Tabulated
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import (
    TRUE,
    Compare,
    Int,
    Kind,
    called_functions,
    conjunction,
    free_names,
    negate,
    walk,
)
from grundylab.numeric import Array
from grundylab.records.finding import EngineOrigin, Finding, distinct
from grundylab.solve.table import NO_POSITION

MOST_EXACT = 5  # exact candidates kept; of the smallest ones all
REWORDED = 3  # exact candidates that are put into plainer words
MOST_PARTIAL = 3  # partial candidates kept
CONSTANTS = range(9)  # constants that replace others
TOGETHER = 2  # number of constants of one comparison that are replaced together
BEYOND = 400  # number of positions outside the samples at which formulas are compared
MOST_TIES = 12  # most formulas of the least size that are listed
READ = 2  # work of a node of a formula at a position
NO_EQUATIONS: Mapping[Expr, str] = MappingProxyType({})


def error_mask(formula: Expr, samples: Samples) -> Array | None:
    """Return the mask of the positions where the formula is wrong; None if it has no value at some position."""
    try:
        return np.asarray(evaluate_arrays(formula, samples.columns, samples.functions) != samples.values)
    except EvaluationError:
        return None


def counted_errors(formula: Expr, samples: Samples, work: SearchBudget) -> Array | None:
    """Return what ``error_mask`` does, and spend the work that this takes."""
    work.spend(READ * formula.size * (len(samples) + DISPATCH))
    return error_mask(formula, samples)


def is_exact(formula: Expr, samples: Samples) -> bool:
    """Tell whether the formula is right at every position of the samples."""
    wrong = error_mask(formula, samples)
    return wrong is not None and not wrong.any()


def rank(
    formulas: Iterable[Expr | Finding],
    samples: Samples,
    target: Target,
    engine: str,
    seed: int,
    equations: Mapping[Expr, str] = NO_EQUATIONS,
) -> list[Finding]:
    """Return the best formulas as candidates, counted on the positions that they concern, best first.

    Formulas that are not of the target's kind, or have no value somewhere, are left out. Exact ones come first, those
    about more positions before others. One that is not exact is kept only if it is smaller than all that are right at
    more positions. A condition that is right at fewer than half of the positions is joined by its negation.
    equations: the formulas in the engine's own notation, where it has one.
    """
    origin, proposals, candidates = EngineOrigin(engine=engine, seed=seed), list[Finding](), list[Finding]()
    for formula in formulas:
        finding = formula if isinstance(formula, Finding) else Finding(formula=formula, target=target)
        equation = equations.get(finding.formula, "")
        proposals.append(replace(finding, origin=replace(origin, equation=equation)))
    for proposal in distinct(proposals):
        if proposal.formula.kind is not target.kind or not _is_defined(proposal, samples):
            continue
        wrong = _wrong(proposal, samples)
        if wrong is not None and len(wrong):
            total, false = len(wrong), int(np.count_nonzero(wrong))
            candidates.append(_with_counts(proposal, total - false, total))
            if target.kind is Kind.CONDITION and 2 * false > total:
                opposite = replace(proposal, formula=negate(proposal.formula), origin=origin)
                candidates.append(_with_counts(opposite, false, total))
    whole = [c for c in candidates if c.exact]
    whole += [_in_plainer_words(c, samples) for c in sorted(whole, key=_place)[:REWORDED]]
    whole = sorted(distinct(whole), key=_place)
    partial = [c for c in candidates if not c.exact]
    partial.sort(key=lambda c: (-c.train.right, *plainness(c.formula)))
    kept: list[Finding] = []
    for candidate in partial:
        if not kept or candidate.size < kept[-1].size:
            kept.append(candidate)
    least = min(((-c.train.total, c.size) for c in whole), default=None)  # all of its size are kept
    first = [c for n, c in enumerate(whole) if n < MOST_EXACT or (-c.train.total, c.size) == least]
    return first + kept[:MOST_PARTIAL]


def _with_counts(candidate: Finding, right: int, total: int) -> Finding:
    """Return the candidate, right at ``right`` of ``total`` training positions, and tried on no others."""
    return replace(candidate, tables={"train": all_checked(right, total), "validate": NO_COUNTS})


def count_right(candidate: Finding, samples: Samples) -> SplitCounts:
    """Return at how many positions of the samples a candidate is right, and how many it concerns.

    It is right nowhere if it has no value at some position.
    """
    wrong = _wrong(candidate, samples)
    if wrong is None:
        return all_checked(0, len(samples))
    return all_checked(len(wrong) - int(np.count_nonzero(wrong)), len(wrong))


def with_constant(candidates: Sequence[Finding], samples: Samples) -> list[Finding]:
    """Return the candidates without those that are right at no more positions than the best constant.

    The constant follows them, unless one that concerns all positions is exact. It is a reference, with which the others
    are compared. Nothing is added if there are no candidates. samples: those on which the candidates were counted.
    """
    constant, correct = best_constant(samples.values)
    kept = [candidate for candidate in candidates if candidate.exact or candidate.train.right > correct]
    if not candidates or any(candidate.exact and candidate.plain for candidate in candidates):
        return kept
    first = candidates[0]
    origin = EngineOrigin(engine=first.origin.engine, seed=first.origin.seed)
    reference = Finding(formula=constant, target=first.target, origin=origin)
    return [*kept, _with_counts(reference, correct, len(samples))]


def _place(candidate: Finding) -> tuple[Any, ...]:
    """Return a sort key for exact candidates, the best first."""
    return (-candidate.train.total, *reading_effort(candidate.formula))


def _in_plainer_words(candidate: Finding, samples: Samples) -> Finding:
    """Return the candidate with its formula in plainer words; unchanged if it looks up values."""
    where = candidate.where
    if candidate.values:
        return candidate
    if where != TRUE:
        samples = samples.at(evaluate_arrays(where, samples.columns, samples.functions))
        samples = replace(samples, space=conjunction(samples.space, where))
    formula = plainest_form(candidate.formula, samples) if len(samples) else candidate.formula
    changed = formula != candidate.formula and is_exact(formula, samples)
    return replace(candidate, formula=formula) if changed else candidate


def _is_defined(proposal: Finding, samples: Samples) -> bool:
    """Tell whether every name and function in the proposal is defined by the samples or by its lookups."""
    lookups = {name for name, of in proposal.values.items() if of == THIS and name not in samples.functions}
    return all(
        free_names(tree) <= set(samples.names)
        and all(name in samples.functions or name in lookups for name in called_functions(tree))
        for tree in (proposal.formula, proposal.where)
    )


def _wrong(proposal: Finding, samples: Samples) -> Array | None:
    """Return the mask of errors, for the positions that the proposal concerns only; None if a value is missing."""
    if not proposal.values and proposal.where == TRUE:
        return error_mask(proposal.formula, samples)
    parts = []
    setting = setting_numbers(samples) if proposal.values else np.zeros(len(samples), dtype=np.int64)
    for number in range(int(setting.max()) + 1):
        these = samples.at(np.flatnonzero(setting == number))
        functions = samples.functions
        for name in proposal.values:  # the target's values as a function of the coordinates
            columns = [these.columns[coordinate] for coordinate in these.coordinates]
            lows = tuple(int(column.min()) for column in columns)
            shape = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
            values = np.full(shape, NO_POSITION, dtype=np.int64)
            values[tuple(column - low for column, low in zip(columns, lows, strict=True))] = these.values
            lookup = Tabulated(name, these.coordinates, values, lows, "the training positions", NO_POSITION)
            functions = functions.given(lookup)
        these = replace(these, functions=functions)
        try:
            inside = np.flatnonzero(evaluate_arrays(proposal.where, these.columns, functions))
        except EvaluationError:
            return None
        wrong = error_mask(proposal.formula, these.at(inside)) if len(inside) else np.empty(0, dtype=bool)
        if wrong is None:
            return None
        parts.append(wrong)
    return np.concatenate(parts)


# -- formulas that the positions cannot distinguish ---------------------------------------------------------------


def ties(exact: Iterable[Expr], fits: Callable[[Expr], bool], samples: Samples) -> list[Expr]:
    """Return the exact formulas, shortest first; of those that agree outside the samples, too, only two.

    These are the shortest and the one that is read with the least effort. Variants of the smallest formulas, with
    another constant or other constants in one comparison, are added if ``fits`` is true for them: the samples cannot
    distinguish these from the exact formulas.
    """
    ordered = sorted(exact, key=plainness)
    least = [formula for formula in ordered if formula.size == ordered[0].size]
    rivals = {rival for formula in least for rival in _other_constants(formula) if fits(rival)}
    alike_formulas: dict[object, list[Expr]] = {}
    rows = scattered(np.arange(len(samples)))[:BEYOND]
    columns = {}  # of positions outside the samples: numbers are about twice as large, but those up to 1 are kept
    for number, name in enumerate(samples.names):
        column = samples.columns[name]
        bits = (scrambled(rows + number * len(samples)) & np.uint64(1)).astype(np.int64)
        columns[name] = column[rows] if column.max() <= 1 else 2 * column[rows] + bits
    for formula in (*sorted({*least, *rivals}, key=plainness), *ordered[len(least) :]):
        try:
            values: object = tuple(evaluate_arrays(formula, columns, samples.functions).tolist())
        except EvaluationError:
            values = str(formula)
        alike_formulas.setdefault(values, []).append(formula)
    first = [alike[0] for alike in alike_formulas.values() if alike[0].size == ordered[0].size][:MOST_TIES]
    plain = [min(alike, key=reading_effort) for alike in alike_formulas.values()]
    longer = [alike[0] for alike in alike_formulas.values() if alike[0].size > ordered[0].size]
    return list(dict.fromkeys((*first, *sorted((*plain, *longer), key=plainness))))


def _other_constants(expr: Expr) -> Iterator[Expr]:
    """Yield the expression with one constant replaced, or with all constants of one comparison replaced."""
    match expr:
        case Int(value=value):
            yield from (Int(other) for other in CONSTANTS if other != value)
        case Compare() if sum(isinstance(node, Int) for node in walk(expr)) == TOGETHER:
            yield from (_with_constants(expr, iter(pair)) for pair in product(CONSTANTS, repeat=TOGETHER))
        case _:
            children = expr.children
            for index, child in enumerate(children):
                for other in _other_constants(child):
                    yield rebuild(expr, (*children[:index], other, *children[index + 1 :]))


def _with_constants(expr: Expr, constants: Iterator[int]) -> Expr:
    if isinstance(expr, Int):
        return Int(next(constants))
    return rebuild(expr, tuple(_with_constants(child, constants) for child in expr.children))
