"""Conditions found as any formula is: for which parameter values a formula holds, or what an automaton says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.check.verification import Verdict
from grundylab.discover import search
from grundylab.discover.base import Candidate, Setting
from grundylab.discover.ranking import errors, exact
from grundylab.games.model import P_POSITIONS
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Expr

_SECONDS = 10.0


def right_by_setting(formula: Expr, samples: Samples) -> dict[Setting, bool]:
    """Whether the formula is right at all positions of each parameter setting; empty if it has no value at some."""
    wrong = errors(formula, samples)
    if wrong is None or not samples.parameters:
        return {}
    columns = np.stack([samples.columns[name] for name in samples.parameters], axis=1)
    settings, group = np.unique(columns, axis=0, return_inverse=True)
    faults = np.bincount(group.reshape(-1), weights=wrong, minlength=len(settings))
    return {
        tuple(zip(samples.parameters, map(int, setting), strict=True)): not fault
        for setting, fault in zip(settings, faults, strict=True)
    }


def proposed(samples: Samples, seconds: float) -> tuple[Expr, ...]:
    """What the engine ``search`` proposes for a condition: for a prover, which then decides whether it is equal."""
    return search.propose(samples, P_POSITIONS, 0, seconds).formulas


def propose_condition(verdict: Verdict) -> Expr | None:
    """A condition on the parameters that is true in exactly the instances where the formula holds.

    None unless it holds in at least two parameter values and fails in at least two.
    """
    outcomes: dict[Setting, bool] = {}
    for check in verdict.informative:
        key = check.instance.parameters
        outcomes[key] = outcomes.get(key, True) and bool(check.holds)
    return _condition_on(outcomes)


def _condition_on(outcomes: Mapping[Setting, bool]) -> Expr | None:
    """A condition on the parameters that is true for exactly the settings whose outcome is.

    None unless it is so for at least two settings and not so for at least two: fewer tell nothing. It is a proposal
    from those values, no more.
    """
    holds = np.array(list(outcomes.values()), dtype=bool)
    if min(np.count_nonzero(holds), np.count_nonzero(~holds)) < 2:
        return None
    names = tuple(name for name, _ in next(iter(outcomes)))
    columns = {name: np.array([dict(key)[name] for key in outcomes], dtype=np.int64) for name in names}
    varying = tuple(name for name in names if len(set(columns[name].tolist())) > 1)
    samples = Samples(varying, {name: columns[name] for name in varying}, holds)
    found = [formula for formula in proposed(samples, _SECONDS) if exact(formula, samples)]
    return min(found, key=lambda f: (f.size, str(f)), default=None)


def conditioned(candidates: Sequence[Candidate], samples: Samples) -> list[Candidate]:
    """The candidates, each partial one with the settings that it is exact for, and once more under their condition.

    Candidates under a condition come after the exact ones and before the partial ones.
    """
    told, found = list[Candidate](), list[Candidate]()
    for candidate in candidates:
        outcomes = (
            {} if candidate.exact or not candidate.plain else right_by_setting(candidate.formula, samples)
        )
        exact_for = tuple(setting for setting, right in outcomes.items() if right)
        told.append(replace(candidate, exact_for=exact_for))
        condition = _condition_on(outcomes) if exact_for else None
        if condition is not None:
            here = int(np.count_nonzero(evaluate_arrays(condition, samples.columns, samples.functions)))
            found.append(replace(candidate, where=condition, correct=here, total=here, exact_for=exact_for))
    partial = [candidate for candidate in told if not candidate.exact]
    return [*(candidate for candidate in told if candidate.exact), *found, *partial]
