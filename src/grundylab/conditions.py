"""For which parameter values does a formula hold? The condition, read off a sweep as any formula is off data."""

from __future__ import annotations

import numpy as np

from grundylab.discovery import engine_named
from grundylab.discovery.base import Samples
from grundylab.formula.arrays import evaluate_arrays
from grundylab.formula.syntax import Expr
from grundylab.rulesets.model import P_POSITIONS
from grundylab.verification import Verdict

_SECONDS = 10.0


def propose_condition(verdict: Verdict) -> Expr | None:
    """A condition on the parameters that is true in exactly the instances where the formula holds.

    None unless it holds in at least two parameter values and fails in at least two: fewer tell nothing. It is a
    proposal from those values, no more.
    """
    outcomes: dict[tuple[tuple[str, int], ...], bool] = {}
    for check in verdict.informative:
        key = check.instance.parameters
        outcomes[key] = outcomes.get(key, True) and bool(check.holds)
    holds = np.array(list(outcomes.values()), dtype=bool)
    if min(np.count_nonzero(holds), np.count_nonzero(~holds)) < 2:
        return None
    names = tuple(name for name, _ in next(iter(outcomes)))
    columns = {name: np.array([dict(key)[name] for key in outcomes], dtype=np.int64) for name in names}
    varying = tuple(name for name in names if len(set(columns[name].tolist())) > 1)
    samples = Samples(varying, {name: columns[name] for name in varying}, holds)
    proposals = engine_named("search")(samples, P_POSITIONS, 0, _SECONDS).formulas
    exact = [f for f in proposals if bool(np.all(evaluate_arrays(f, samples.columns) == holds))]
    return min(exact, key=lambda f: (f.size, str(f)), default=None)
