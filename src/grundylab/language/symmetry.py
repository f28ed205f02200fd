"""Whether an expression stays the same when names are exchanged, as far as its text shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from grundylab.language.builtins import BUILTINS
from grundylab.language.lowering import over, rewritten
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Call, Expr, Logic, Name, chain, operands

_UNORDERED = frozenset({"+", "*", "^", "&", "|"})


def symmetric(expr: Expr, names: Sequence[str]) -> bool:
    """Whether the expression, up to the order of sums and the like, is the same with any two of the names exchanged.

    It may be symmetric without that being seen.
    """
    form = rewritten(expr, _in_order)
    return all(
        rewritten(substitute(expr, {one: Name(other), other: Name(one)}), _in_order) == form
        for one, other in pairwise(names)
    )


def _in_order(expr: Expr) -> Expr:
    """The node with its operands by their texts, where their order does not matter."""
    match expr:
        case Binary(op=op) if op in _UNORDERED:
            return chain(op, sorted(operands(expr, op), key=str))
        case Logic():
            return over(expr, tuple(sorted(expr.terms, key=str)))
        case Call(name=name, arguments=arguments) if name in BUILTINS and BUILTINS[name].several:
            return over(expr, tuple(sorted(arguments, key=str)))
    return expr
