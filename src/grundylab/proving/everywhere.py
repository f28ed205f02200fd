"""Whether a condition is true at all positions, of every size: no game is played, so no induction is needed."""

from __future__ import annotations

from dataclasses import replace

from grundylab.errors import GrundylabError
from grundylab.formula.logic import OutsideFragment
from grundylab.formula.substitution import substitute
from grundylab.formula.syntax import TRUE, Expr, Int
from grundylab.proving.hypothesis import Hypothesis
from grundylab.proving.mona import run_mona
from grundylab.proving.obligations import SAID, Obligations
from grundylab.proving.outcome import Limits
from grundylab.proving.space import NotProvable
from grundylab.proving.statement import Statement
from grundylab.rulesets.model import ALWAYS, Ruleset
from grundylab.rulesets.specialise import fixed_by, specialise


def true_everywhere(ruleset: Ruleset, condition: Expr, where: Expr, limits: Limits) -> bool | None:
    """Whether the condition is true at every position, and for all parameters, that fulfil ``where``.

    Where it has no value it is not true. None if MONA does not say, or the condition is outside its logic.
    """
    fixed = fixed_by(where, ruleset.parameter_names)
    put = {name: Int(value) for name, value in fixed.items()}
    try:
        # a game in which nothing moves: what is asked is about single positions
        still = specialise(replace(ruleset, moves=(), claims=()), fixed)
        statement = Statement(substitute(condition, put), ALWAYS, substitute(where, put))
        nothing = Hypothesis(TRUE, None, (), ("the statement",))
        script = Obligations(still, nothing, statement).script(str(condition), SAID)
    except (OutsideFragment, NotProvable):
        return None
    except GrundylabError:  # a parameter outside its domain: there is no such game
        return None
    answer = run_mona(script, timeout=limits.timeout, memory=limits.memory)
    return {"valid": True, "unsatisfiable": False}.get(answer.status)
