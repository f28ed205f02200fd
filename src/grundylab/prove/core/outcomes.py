"""The rule of options: what is said of the options of a set of positions is that the set is that of the P-positions.

Let S be a set of positions. If the P-positions are those in S, then no option of a position in S is in S, and every
other position has an option in S.
"""

from __future__ import annotations

from grundylab.games.listing import options_condition
from grundylab.games.model import ALWAYS, P_POSITIONS, OptionCondition
from grundylab.language.syntax import Compare, Expr, If, Int, Not
from grundylab.prove.core.evidence import Options
from grundylab.prove.core.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


def _of_p_positions(statement: Statement, evidence: Options) -> Statement:
    """Return the premise that the P-positions are those in S.

    If every option is claimed to fulfil the evidence's condition, the statement's condition must be S, and the
    evidence's the complement of S; if some option is, the other way round. Raises Refused if this is not so.
    """
    expand = statement.game.functions.expand
    assumed, about = split_condition(statement.where, statement.game)
    position, option = (_membership(expand(e)) for e in (about, evidence.condition))
    inside, outside = (position, option) if evidence.quantifier == "every" else (option, position)
    if outside != Not(inside):
        raise Refused("the conditions on the position and on its options are not a set and its complement")
    return Statement(statement.game, P_POSITIONS, inside, assumed)


def _membership(condition: Expr) -> Expr:
    """Return the condition as one of membership in a set or in its complement.

    An equation between 0 or 1 and a function that is 1 on the set and 0 elsewhere becomes the condition of the set.
    """
    match condition:
        case Compare(("==",), (If(inside, Int(value=1), Int(value=0)), Int(value=0 | 1 as value))):
            return inside if value == 1 else Not(inside)
    return condition


def _is_of_options(statement: Statement, evidence: Options) -> bool:
    said = options_condition(OptionCondition(evidence.quantifier, evidence.condition), statement.game)
    return statement.formula == said


OPTIONS = Rule(
    "options of P- and N-positions",
    Options,
    (
        SideCondition("a condition is claimed", lambda s, *_: s.target == ALWAYS),
        SideCondition("play is normal", lambda s, *_: s.game.play == "normal"),
        SideCondition("the formula says it of the options", lambda s, e, _: _is_of_options(s, e)),
    ),
    lambda statement, evidence: (_of_p_positions(statement, evidence),),
)
