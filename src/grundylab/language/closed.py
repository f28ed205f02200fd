"""Numbers that mention no variable, such as ``fib(7)``: they are their value."""

from __future__ import annotations

from grundylab.language import plain
from grundylab.language.functions import Function, Functions
from grundylab.language.syntax import Expr, called, free_names


def mentioned(expr: Expr, functions: Functions) -> frozenset[str]:
    """The names that its value depends on, those in the bodies of functions that it calls included."""
    found, seen, waiting = set(free_names(expr)), set[str](), list(called(expr))
    for name in waiting:  # which grows
        function = functions[name] if name in functions and name not in seen else None
        seen.add(name)
        if isinstance(function, Function):
            found |= free_names(function.body) - set(function.arguments)
            waiting += called(function.body)
    return frozenset(found)


def is_closed(expr: Expr, functions: Functions) -> bool:
    """Whether it mentions no variable, nor does a function that it calls."""
    return not free_names(expr) and all(_is_closed(name, functions) for name in called(expr))


def _is_closed(name: str, functions: Functions) -> bool:
    function = functions[name]
    return (
        isinstance(function, Function)
        and free_names(function.body) <= set(function.arguments)
        and all(_is_closed(other, functions) for other in called(function.body) - {name})
    )


def closed_value(expr: Expr, functions: Functions) -> int:
    """The value of what is closed. Raises EvaluationError if it has none."""
    unused = dict.fromkeys(functions.parameters, 0)
    return plain.evaluate(expr, unused, functions)
