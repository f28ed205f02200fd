"""Whether a condition is true at all positions, of every size: no game is played, so no induction is needed."""

from __future__ import annotations

from dataclasses import replace

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr
from grundylab.prove.direct.decider import Decider, Games
from grundylab.prove.direct.induction import SAID
from grundylab.prove.hypothesis import Hypothesis, Question
from grundylab.prove.outcome import Limits
from grundylab.prove.space import check_provable
from grundylab.prove.statement import ASKED, split_where


def true_everywhere(ruleset: Ruleset, condition: Expr, where: Expr, limits: Limits) -> bool | None:
    """Whether the condition is true at every position, and for all parameters, that fulfil ``where``.

    Where it has no value it is not true. None if that is not decided, or the condition is outside the logic.
    """
    fixed = fixed_by(where, ruleset.parameter_names)
    try:
        # a game in which nothing moves: what is asked is about single positions
        still = specialise(replace(ruleset, moves=(), claims=()), fixed)
        check_provable(still)
        assuming, about = split_where(substitute(where, fixed), still)
        nothing = Hypothesis(TRUE, None, (), (ASKED,))
        question = Question(substitute(condition, fixed), ALWAYS, about, nothing)
        return Decider(Games().of(still), question, limits.cells).example(SAID, assuming) is None
    except GrundylabError:  # it is not decided; or a parameter is outside its domain: there is no such game
        return None
