"""Repairs of formulas that are not right everywhere: by a few exceptions, or by a condition on the parameters.

The engine ``search`` finds the condition. It also finds plainer forms of an automaton.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.check.shares import all_checked
from grundylab.check.verification import FEW, Exceptional, Verdict, exception_bounds
from grundylab.discover.base import ParameterValues
from grundylab.discover.engines import periods, search
from grundylab.discover.plainness import reading_effort
from grundylab.discover.ranking import error_mask, is_exact
from grundylab.discover.sampling import setting_numbers
from grundylab.games.model import P_POSITIONS
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE, Expr, If, Int, Kind, Not, conjunction, disjunction
from grundylab.records.finding import Finding

_SECONDS = 10.0


def right_by_setting(formula: Expr, samples: Samples) -> dict[ParameterValues, bool]:
    """Tell for each parameter setting whether the formula is right at all of its positions.

    Empty if the formula has no value somewhere, or if there are no parameters.
    """
    wrong = error_mask(formula, samples)
    if wrong is None or not samples.parameters:
        return {}
    setting = setting_numbers(samples)
    first = np.unique(setting, return_index=True)[1]
    return {
        tuple((name, int(samples.columns[name][row])) for name in samples.parameters): not fault
        for row, fault in zip(first, np.bincount(setting, weights=wrong), strict=True)
    }


def search_proposals(samples: Samples, seconds: float) -> tuple[Expr, ...]:
    """Return the conditions that the engine ``search`` proposes for these samples."""
    return search.propose(samples, P_POSITIONS, 0, seconds).formulas


def alternative_conditions(samples: Samples, seconds: float) -> Iterator[Expr]:
    """Yield conditions that may agree with an automaton: the proposals of ``search``, then those of ``periods``.

    samples: positions with the automaton's values. A prover must decide whether a condition agrees everywhere.
    """
    yield from search_proposals(samples, seconds)
    yield from periods.propose(samples, P_POSITIONS, 0, seconds).formulas


def propose_condition(verdict: Verdict) -> Expr | None:
    """Return a condition on the parameters that is true for exactly those instances in which the formula holds.

    None if the formula holds for fewer than two parameter settings or fails for fewer than two, or if no condition is
    found.
    """
    outcomes: dict[ParameterValues, bool] = {}
    for check in verdict.informative:
        key = check.game.parameters
        outcomes[key] = outcomes.get(key, True) and bool(check.holds)
    return condition_on(outcomes)


def condition_on(outcomes: Mapping[ParameterValues, bool]) -> Expr | None:
    """Return a condition on the parameters that is true for exactly the settings with a true outcome.

    None if fewer than two outcomes are true or fewer than two false, since so few would not determine a condition, or
    if none is found. The condition is a proposal: for other settings it may be wrong.
    """
    holds = np.array(list(outcomes.values()), dtype=bool)
    if min(np.count_nonzero(holds), np.count_nonzero(~holds)) < 2:
        return None
    names = tuple(name for name, _ in next(iter(outcomes)))
    columns = {name: np.array([dict(key)[name] for key in outcomes], dtype=np.int64) for name in names}
    varying = tuple(name for name in names if len(set(columns[name].tolist())) > 1)
    samples = Samples(varying, {name: columns[name] for name in varying}, holds)
    conditions = [formula for formula in search_proposals(samples, _SECONDS) if is_exact(formula, samples)]
    return min(conditions, key=reading_effort, default=None)


def is_repaired(candidate: Finding) -> bool:
    """Tell whether exceptions or a condition on the parameters were read off the positions where it was counted."""
    origin = candidate.origin
    return bool(origin.exceptions) or (candidate.where != TRUE and bool(origin.exact_for))


def with_parameter_conditions(candidates: Sequence[Finding], samples: Samples) -> list[Finding]:
    """Return the candidates, and copies restricted by a condition on the parameters under which they are exact.

    Exact candidates come first, then the restricted copies of the others, then the others with ``exact_for`` filled
    in.
    """
    annotated, partly = list[Finding](), list[Finding]()
    for candidate in candidates:
        outcomes = (
            {} if candidate.exact or not candidate.plain else right_by_setting(candidate.formula, samples)
        )
        exact_for = tuple(dict(setting) for setting, right in outcomes.items() if right)
        candidate = replace(candidate, origin=replace(candidate.origin, exact_for=exact_for))
        annotated.append(candidate)
        condition = condition_on(outcomes) if exact_for else None
        if condition is not None:
            here = int(np.count_nonzero(evaluate_arrays(condition, samples.columns, samples.functions)))
            partly.append(replace(candidate, where=condition).compared("train", all_checked(here, here)))
    partial = [candidate for candidate in annotated if not candidate.exact]
    return [*(candidate for candidate in annotated if candidate.exact), *partly, *partial]


# -- formulas with finitely many exceptions ----------------------------------------------------------------------


def find_exceptions(formula: Expr, samples: Samples) -> tuple[Exceptional, ...]:
    """Return the positions where the formula is wrong, with the true values, if they are few and small.

    A position is small if each coordinate whose largest value is 8 or more is at most a quarter of that value. The true
    value must be the same for all parameter settings. If the target is a condition, it must be true at some and false
    at other positions that are not small. Empty if the formula is right, or if its errors are not of this kind.
    """
    wrong = error_mask(formula, samples)
    if wrong is None or not 0 < np.count_nonzero(wrong) <= FEW * (setting_numbers(samples).max() + 1):
        return ()
    rows = np.flatnonzero(wrong)
    ends = exception_bounds({name: int(samples.columns[name].max()) for name in samples.coordinates})
    if not ends:
        return ()
    inside = np.logical_and.reduce([samples.columns[name] <= end for name, end in ends.items()])
    if not inside[rows].all():
        return ()
    beyond = samples.values[~inside]
    if beyond.dtype == bool and (beyond.all() or not beyond.any()):
        return ()
    exceptions = {}
    for row in rows:
        position = tuple((name, int(samples.columns[name][row])) for name in samples.coordinates)
        same_place = np.logical_and.reduce([samples.columns[name] == value for name, value in position])
        truths = set(samples.values[same_place].tolist())
        if len(truths) > 1:
            return ()
        exceptions[position] = Exceptional(dict(position), int(truths.pop()))
    return tuple(exceptions[position] for position in sorted(exceptions)) if len(exceptions) <= FEW else ()


def with_exceptions(formula: Expr, exceptions: Sequence[Exceptional]) -> Expr:
    """Return a formula that has the true value at the exceptions and the value of ``formula`` elsewhere."""
    if formula.kind is Kind.CONDITION:
        yes = [exception.where for exception in exceptions if exception.truth]
        no = [Not(exception.where) for exception in exceptions if not exception.truth]
        return disjunction(*yes, conjunction(*no, formula))
    for value in sorted({exception.truth for exception in exceptions}, reverse=True):
        here = disjunction(*(exception.where for exception in exceptions if exception.truth == value))
        formula = If(here, Int(value), formula)
    return formula


def with_repairs(candidates: Sequence[Finding], samples: Samples) -> list[Finding]:
    """Return the candidates, preceded by repaired ones, which a few exceptions make exact.

    Only repaired candidates that are smaller than all exact ones are included.
    """
    best = min((candidate.size for candidate in candidates if candidate.exact), default=None)
    repaired = list[Finding]()
    for candidate in candidates:
        if (
            candidate.exact
            or not candidate.plain
            or not (exceptions := find_exceptions(candidate.formula, samples))
        ):
            continue
        formula = with_exceptions(candidate.formula, exceptions)
        if is_exact(formula, samples) and (best is None or formula.size < best):
            origin = replace(candidate.origin, exceptions=exceptions)
            mended = replace(candidate, formula=formula, origin=origin)
            repaired.append(mended.compared("train", all_checked(len(samples), len(samples))))
    repaired.sort(key=lambda candidate: (candidate.size, str(candidate.formula)))
    return [*repaired, *candidates]
