"""A small instance of any ruleset, to try it on or to begin with."""

from __future__ import annotations

from grundylab.errors import GrundylabError, WorkError
from grundylab.games.instance import Instance, make_instance
from grundylab.games.model import Ruleset
from grundylab.language.plain import Meter, evaluate

TRIAL_BOUNDS = (6, 3)  # the second where the first takes too long
_SEARCH_STEPS = 1_000_000  # of evaluating the parameters' domains, to find values for it
_TRIAL_PARAMETERS = range(1001)
_TRIAL_CELLS = 50_000


def trial_instance(ruleset: Ruleset, bound: int = TRIAL_BOUNDS[0]) -> Instance | None:
    """A small instance, with the first parameter values found in their domain.

    None if none are, or it is not small, or the ruleset is a family of games.
    """
    if ruleset.free:
        return None
    parameters, meter = dict[str, int](), Meter(_SEARCH_STEPS)
    for parameter in ruleset.parameters:
        for value in _TRIAL_PARAMETERS:
            try:
                known = {**parameters, parameter.name: value}
                inside = evaluate(parameter.domain, known, ruleset.functions, meter)
            except WorkError:
                return None
            except GrundylabError:
                continue
            if inside:
                parameters[parameter.name] = value
                break
    if len(parameters) < len(ruleset.parameters):
        return None
    instance = make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, bound))
    return instance if instance.cells <= _TRIAL_CELLS else None
