"""Conditions found as any formula is: for which parameter values a formula holds, or what an automaton says."""

from __future__ import annotations

from grundylab.check.samples import Samples
from grundylab.check.verification import Verdict
from grundylab.discover import engine_named
from grundylab.discover.base import Setting
from grundylab.discover.settings import condition_on
from grundylab.games.model import P_POSITIONS
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


def proposed(samples: Samples, seconds: float) -> tuple[Expr, ...]:
    """What the engine ``search`` proposes for a condition: for a prover, which then decides whether it is equal."""
    return engine_named("search")(samples, P_POSITIONS, 0, seconds).formulas
