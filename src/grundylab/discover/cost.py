"""What a reader pays for a formula: its nodes, and more for what papers have less often than sums and nim-sums."""

from __future__ import annotations

from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import Binary, Call, Expr

# What an operator costs that does not cost 1.
_RARER = {"&": 2, "|": 2, "<<": 2, ">>": 2}
_USUAL = frozenset({"min", "max", "abs", "floor", "ceil"})  # functions that do not cost more than an operator
PREDICATE, FUNCTION = 2, 3  # built-in functions that say yes or no, and others
OWN = 2  # a function of the ruleset


def of(operator: str) -> int:
    """Of an operator, or of a function by its name."""
    if operator in _RARER or operator in _USUAL:
        return _RARER.get(operator, 1)
    if operator in BUILTINS:
        return PREDICATE if BUILTINS[operator].condition else FUNCTION
    return OWN if operator.isidentifier() else 1


def cost(expr: Expr) -> int:
    """Of the whole."""
    operator = expr.op if isinstance(expr, Binary) else expr.name if isinstance(expr, Call) else ""
    more = of(operator) - 1 if operator else 0
    return expr.size - sum(child.size for child in expr.children) + more + sum(map(cost, expr.children))
