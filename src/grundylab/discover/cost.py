"""What a reader pays for a formula: its nodes, and more for what papers have less often than sums and nim-sums."""

from __future__ import annotations

import numpy as np

from grundylab.discover.base import Array
from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import Binary, Call, Expr, Int

# What an operator costs that does not cost 1.
_RARER = {"&": 2, "|": 2, "<<": 2, ">>": 2, "prime_factors": 4}
_USUAL = frozenset({"min", "max", "abs", "floor", "ceil"})  # functions that do not cost more than an operator
PREDICATE, FUNCTION = 2, 3  # built-in functions that say yes or no, and others
OWN = 2  # a function of the ruleset


SHORT = (
    2  # digits of a constant that cost no more than a name; each further one costs 1: it may just fit a table
)

# Operators that cost one more by a variable (the product: of two), since no automaton reads that.
BY_VARIABLES = frozenset({"*", "//", "%", "<<", ">>"})


def of(operator: str) -> int:
    """Of an operator with a constant where that matters, or of a function by its name."""
    if operator in _RARER or operator in _USUAL:
        return _RARER.get(operator, 1)
    if operator in BUILTINS:
        return PREDICATE if BUILTINS[operator].condition else FUNCTION
    return OWN if operator.isidentifier() else 1


def of_digits(value: int) -> int:
    """What the constant costs more than a name."""
    return max(len(str(abs(value))) - SHORT, 0)


def digits(values: Array) -> Array:
    """The same of each of many."""
    powers = 10 ** np.arange(1, 19)
    return np.maximum(np.searchsorted(powers, np.abs(values), side="right") + 1 - SHORT, 0)


def cost(expr: Expr) -> int:
    """Of the whole."""
    own = expr.size - sum(child.size for child in expr.children)
    match expr:
        case Int(value=value):
            own += of_digits(value)
        case Binary(op=op, left=left, right=right):
            own += of(op) - 1 + (op in BY_VARIABLES and bool(right.free) and (op != "*" or bool(left.free)))
        case Call(name=name):
            own += of(name) - 1
    return own + sum(map(cost, expr.children))
