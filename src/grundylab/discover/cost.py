"""Cost of formulas for a reader: the number of nodes, and more for signs that are rare in papers."""

from __future__ import annotations

import numpy as np

from grundylab.language.builtins import BUILTINS
from grundylab.language.operators import OPERATORS
from grundylab.language.syntax import Binary, Call, Expr, Int
from grundylab.numeric import Array

# Operators and functions with a cost other than the usual one.
_RARER = {**{op: row.cost for op, row in OPERATORS.items() if row.cost > 1}, "prime_factors": 4}
_USUAL = frozenset({"min", "max", "abs", "floor", "ceil"})  # functions that cost as much as an operator
PREDICATE, FUNCTION = 2, 3  # built-in predicates, and other built-in functions
OWN = 2  # a function of the ruleset


SHORT = 2  # a constant of so many digits costs no more than a name; each further digit costs 1, against overfitting

# Operators that cost one more if the right operand has variables (of a product, both), since no automaton reads these.
BY_VARIABLES = frozenset(op for op, row in OPERATORS.items() if row.by_constant)


def sign_cost(operator: str) -> int:
    """Return the cost of an operator or function; one in BY_VARIABLES may cost 1 more, depending on its operands."""
    if operator in _RARER or operator in _USUAL:
        return _RARER.get(operator, 1)
    if operator in BUILTINS:
        return PREDICATE if BUILTINS[operator].condition else FUNCTION
    return OWN if operator.isidentifier() else 1


def constant_cost(value: int) -> int:
    """Return how much more a constant costs than a name."""
    return max(len(str(abs(value))) - SHORT, 0)


def digit_costs(values: Array) -> Array:
    """Return for each constant of an array how much more it costs than a name."""
    powers = 10 ** np.arange(1, 19)
    return np.maximum(np.searchsorted(powers, np.abs(values), side="right") + 1 - SHORT, 0)


def cost(expr: Expr) -> int:
    """Return the cost of the whole formula."""
    own = expr.size - sum(child.size for child in expr.children)
    match expr:
        case Int(value=value):
            own += constant_cost(value)
        case Binary(op=op):
            own += sign_cost(op) - 1 + expr.varies
        case Call(name=name):
            own += sign_cost(name) - 1
    return own + sum(map(cost, expr.children))
