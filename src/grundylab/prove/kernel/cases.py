"""The rule of cases: a statement about finitely many parameter values follows from the statements about each one."""

from __future__ import annotations

from grundylab.games.model import Ruleset
from grundylab.games.settings import possible_settings
from grundylab.games.specialise import fixed_values
from grundylab.language.syntax import Expr, equalities
from grundylab.prove.kernel.evidence import Cases
from grundylab.prove.kernel.theorem import Refused, Rule

MOST = 32  # cases of one statement


def conditions_of(game: Ruleset, where: Expr) -> list[Expr]:
    """Return a condition for each combination of parameter values that fulfils ``where``: equations for the parameters.

    Parameters to which ``where`` itself gives a value are left out. Raises Refused unless the combinations can be
    listed, and are 2 to ``MOST`` in number.
    """
    found, fixed = possible_settings(game, where), fixed_values(where, game.parameter_names)
    if found is None or not 2 <= len(found) <= MOST:
        raise Refused(f"the condition does not leave 2 to {MOST} combinations of parameter values")
    return [
        equalities((name, value) for name, value in setting if name not in fixed) for setting in sorted(found)
    ]


RULE = Rule(
    "each of finitely many parameter values",
    Cases,
    (),
    lambda statement, _: tuple(map(statement.narrowed, conditions_of(statement.game, statement.where))),
)
