"""The rule of equal formulas: what is equal to a proved formula describes the same target."""

from __future__ import annotations

from dataclasses import replace

from grundylab.games.model import ALWAYS
from grundylab.language.syntax import (
    Expr,
    If,
    Kind,
    Not,
    compare,
)
from grundylab.prove.kernel.evidence import Equal
from grundylab.prove.kernel.theorem import Rule
from grundylab.statement import Statement

# -- equal formulas ---------------------------------------------------------------------------------------------------


def equal_values(a: Expr, b: Expr) -> Expr:
    """Return the condition that two formulas, both numbers or both conditions, have the same value."""
    return compare("==", a, b) if a.kind is Kind.NUMBER else If(a, b, Not(b))


def _equal(statement: Statement, evidence: Equal) -> tuple[Statement, ...]:
    is_same = equal_values(statement.formula, evidence.formula)
    return (
        replace(statement, formula=evidence.formula),
        Statement(statement.game, ALWAYS, is_same, statement.where),
    )


EQUAL = Rule(
    "equal to a proved formula",
    Equal,
    (),
    _equal,
)
