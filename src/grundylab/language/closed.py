"""Numbers that mention no variable, such as ``fib(7)``: they are their value."""

from __future__ import annotations

from grundylab.language import plain
from grundylab.language.functions import Function, Functions
from grundylab.language.syntax import Expr, free_names


def mentioned(expr: Expr, functions: Functions) -> frozenset[str]:
    """The names that its value depends on, those in the bodies of functions that it calls included."""
    found = set(free_names(expr))
    for function in functions.called_by(expr):
        if isinstance(function, Function):
            found |= free_names(function.body) - set(function.arguments)
    return frozenset(found)


def is_closed(expr: Expr, functions: Functions) -> bool:
    """Whether it mentions no variable, nor does a function that it calls, and the values of these are told."""
    told = all(isinstance(function, Function) for function in functions.called_by(expr))
    return told and not mentioned(expr, functions)


def closed_value(expr: Expr, functions: Functions) -> int:
    """The value of what is closed. Raises EvaluationError if it has none."""
    unused = dict.fromkeys(functions.parameters, 0)
    return plain.evaluate(expr, unused, functions)
