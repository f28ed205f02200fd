"""The rule of induction on the measure: formulas for the values solve the game (``core/solution.py``)."""

from __future__ import annotations

from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.game import MEANING
from grundylab.prove.core.solution import INDUCTION, Core
from grundylab.prove.core.theorem import Rule, SideCondition, no_premises
from grundylab.statement import Statement


def _part(part: str) -> SideCondition:
    def holds(statement: Statement, evidence: Induction, core: Core) -> bool:
        core.check_solution(statement, evidence, part)
        return True

    return SideCondition(part, holds)


RULE = Rule(
    "induction on the measure",
    Induction,
    (
        *map(_part, (*INDUCTION, MEANING)),
        SideCondition(
            "it is false for all other parameters, if that is stated",
            lambda s, e, core: core.check_exactly(s, e),
        ),
    ),
    no_premises,
)
