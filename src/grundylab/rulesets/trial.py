"""A small instance of any ruleset, to try it on or to begin with."""

from __future__ import annotations

from grundylab.errors import GrundylabError
from grundylab.formula.plain import evaluate
from grundylab.rulesets.instance import Instance, make_instance
from grundylab.rulesets.model import Ruleset

TRIAL_BOUND = 6
_TRIAL_PARAMETERS = range(1001)
_TRIAL_CELLS = 50_000


def trial_instance(ruleset: Ruleset) -> Instance | None:
    """A small instance, with the first parameter values found in their domain.

    None if none are, or it is not small, or the ruleset is a family of games.
    """
    if ruleset.free:
        return None
    parameters: dict[str, int] = {}
    for parameter in ruleset.parameters:
        for value in _TRIAL_PARAMETERS:
            try:
                inside = evaluate(parameter.domain, {**parameters, parameter.name: value}, ruleset.functions)
            except GrundylabError:
                continue
            if inside:
                parameters[parameter.name] = value
                break
    if len(parameters) < len(ruleset.parameters):
        return None
    instance = make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, TRIAL_BOUND))
    return instance if instance.cells <= _TRIAL_CELLS else None
