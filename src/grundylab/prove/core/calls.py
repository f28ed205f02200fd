"""Calls of certain functions, such as look-ups of Grundy values: where they occur, and when they have values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence, Set

from grundylab.language.syntax import (
    TRUE,
    Bounded,
    Call,
    Expr,
    If,
    Int,
    Logic,
    compare,
    conjunction,
    distinct_parts,
    free_names,
)
from grundylab.prove.core.definedness import implied, negation
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.space import plainly_natural


class Calls:
    """A finder of calls of certain functions, here named look-ups. names: the names of these functions."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)

    def within(self, expr: Expr) -> Iterator[Call]:
        """Return the calls of these functions in the expression."""
        return (node for node in distinct_parts(expr) if isinstance(node, Call) and node.name in self._names)

    def is_plain(self, expr: Expr) -> bool:
        """Tell whether the expression calls none of these functions."""
        return not any(self.within(expr))

    def meant(self, expr: Expr, asks: Callable[[Call], Expr]) -> Expr:
        """Return a condition which implies that ``asks(call)`` is true for every look-up made in evaluating ``expr``.

        It may be stronger than needed: the value of one look-up may decide that another is not made.
        Raises Refused if no such condition can be written.
        """
        if self.is_plain(expr):
            return TRUE
        match expr:
            case Logic(op=op, terms=terms):
                found: Expr = TRUE
                # from last to first: a later term is evaluated only where no earlier one decides
                for term in reversed(terms):
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
                    raise Refused("the range of a bound variable contains a look-up")
                return Bounded("all", variable, start, stop, inner)
        inside = conjunction(*(self.meant(child, asks) for child in expr.children))
        return (
            conjunction(inside, asks(expr)) if isinstance(expr, Call) and expr.name in self._names else inside
        )


def natural(place: Sequence[Expr], signed: Set[str] = frozenset()) -> Expr:
    """Return the condition that no number of the place is negative, if only the names in ``signed`` may be negative."""
    doubtful = (argument for argument in place if not plainly_natural(argument, signed))
    return conjunction(*(compare(">=", argument, Int(0)) for argument in doubtful))
