"""Whether a condition is true at all positions, of every size: no game is played, so no induction is needed."""

from __future__ import annotations

from dataclasses import replace

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, Int
from grundylab.logic.ws1s.reader import OutsideFragment
from grundylab.prove.deciding import Deciding
from grundylab.prove.hypothesis import Hypothesis
from grundylab.prove.obligations import SAID, Sentence
from grundylab.prove.outcome import Limits
from grundylab.prove.space import NotProvable
from grundylab.prove.statement import ASKED, asked


def true_everywhere(ruleset: Ruleset, condition: Expr, where: Expr, limits: Limits) -> bool | None:
    """Whether the condition is true at every position, and for all parameters, that fulfil ``where``.

    Where it has no value it is not true. None if that is not decided, or the condition is outside the logic.
    """
    fixed = fixed_by(where, ruleset.parameter_names)
    put = {name: Int(value) for name, value in fixed.items()}
    try:
        # a game in which nothing moves: what is asked is about single positions
        still = specialise(replace(ruleset, moves=(), claims=()), fixed)
        statement = asked(substitute(condition, put), ALWAYS, substitute(where, put))
        nothing = Hypothesis(TRUE, None, (), (ASKED,))
        deciding = Deciding(still, nothing, statement)
        script = deciding.script(str(condition), Sentence(SAID))
    except (OutsideFragment, NotProvable):
        return None
    except GrundylabError:  # a parameter outside its domain: there is no such game
        return None
    answer = deciding.answer(script, Sentence(SAID), limits.timeout, limits.memory)
    return {"valid": True, "unsatisfiable": False, "mixed": False}.get(answer.status)
