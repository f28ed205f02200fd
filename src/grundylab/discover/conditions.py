"""For which parameter values does a formula hold? The condition, read off a sweep as any formula is off data."""

from __future__ import annotations

from grundylab.check.verification import Verdict
from grundylab.discover import engine_named
from grundylab.discover.base import Setting
from grundylab.discover.settings import condition_on
from grundylab.language.syntax import Expr


def propose_condition(verdict: Verdict) -> Expr | None:
    """A condition on the parameters that is true in exactly the instances where the formula holds.

    None unless it holds in at least two parameter values and fails in at least two.
    """
    outcomes: dict[Setting, bool] = {}
    for check in verdict.informative:
        key = check.instance.parameters
        outcomes[key] = outcomes.get(key, True) and bool(check.holds)
    return condition_on(outcomes, engine_named("search"))
