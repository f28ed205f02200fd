"""Calls of given functions, such as looked-up Grundy numbers: where they occur, and when they have values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from grundylab.language.syntax import (
    TRUE,
    Bounded,
    Call,
    Expr,
    If,
    Logic,
    compare,
    conjunction,
    distinct_parts,
    free_names,
)
from grundylab.prove.kernel.moves import implied, negation
from grundylab.prove.kernel.theorem import Refused


class Calls:
    """The calls of some functions in an expression. names: those of the functions."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)

    def within(self, expr: Expr) -> Iterator[Call]:
        """Return the calls of these functions in the expression."""
        return (node for node in distinct_parts(expr) if isinstance(node, Call) and node.name in self._names)

    def is_plain(self, expr: Expr) -> bool:
        """Tell whether the expression looks nothing up."""
        return not any(self.within(expr))

    def meant(self, expr: Expr, asks: Callable[[Call], Expr]) -> Expr:
        """Return a condition under which ``asks`` holds of each look-up wherever the expression evaluates it.

        The condition may be too strong: whether one look-up is evaluated may depend on another. Raises Refused if it
        cannot be written.
        """
        if self.is_plain(expr):
            return TRUE
        match expr:
            case Logic(op=op, terms=terms):
                found: Expr = TRUE
                for term in reversed(
                    terms
                ):  # the terms after a term are evaluated only where it does not decide
                    if self.is_plain(term):
                        found = implied(term if op == "and" else negation(term), found)
                    else:
                        found = conjunction(self.meant(term, asks), found)
                return found
            case If(condition=test, then=then, otherwise=otherwise) if self.is_plain(test):
                one, other = self.meant(then, asks), self.meant(otherwise, asks)
                return conjunction(implied(test, one), implied(negation(test), other))
            case Bounded(variable=variable, start=start, stop=stop, body=body):
                ends, inner = self.meant(compare("==", start, stop), asks), self.meant(body, asks)
                if variable not in free_names(inner):
                    return conjunction(ends, inner)
                if not self.is_plain(compare("==", start, stop)):
                    raise Refused("a look-up stands in the range of a bound variable")
                return Bounded("all", variable, start, stop, inner)
        inside = conjunction(*(self.meant(child, asks) for child in expr.children))
        return (
            conjunction(inside, asks(expr)) if isinstance(expr, Call) and expr.name in self._names else inside
        )
